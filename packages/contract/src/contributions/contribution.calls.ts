/** Calls that serve inputs, outputs and feeders alike. */
import { z } from 'zod'
import { route } from '../route.ts'
import { Id, numberChoice, Title } from '../text.schema.ts'
import { LinkFailure, LinkNames } from './link.schema.ts'
import { Sentence } from '../sentence.schema.ts'
import { success } from '../reply.schema.ts'

/** CONST-14. */
export const ACTION_TYPE = { input: 1, output: 2, feeder: 10, tailLog: 12 } as const
const ACTIONS = ['start', 'stop', 'restart', 'tail'] as const
const ActionType = numberChoice(
  [1, 2, 10, 12],
  'must be 1 (input), 2 (output), 10 (feeder) or 12 (log).',
)

/**
 * `id` is the input's or output's id (type 1, 2, 12), or the encoder's with `feederName` (type 10).
 * Right by type: 1, 2 and 12 manager-level, 10 by right on the encoder, where a monitor may tail and
 * no more (Q40, ROLE-11 R); the services decide.
 */
export const contributionAction = route({
  name: 'contributions.action',
  method: 'POST',
  path: '/api/contribution/actions',
  action: 'readFeeder',
  body: z.strictObject({
    id: Id,
    type: ActionType,
    actionType: z.enum(ACTIONS),
    feederName: Id.optional(),
  }),
  reply: z.object({ status: z.boolean(), results: z.string(), error: Sentence.optional() }),
})

/** 409 when another one of its kind in the group has that title (API-52), or when it is not `formerTitle` any more. */
export const updateTitle = route({
  name: 'links.rename',
  method: 'POST',
  path: '/api/contribution/update-title',
  action: 'editInputs',
  body: z.strictObject({
    /** Of the input, output or destination, whichever `type` says. */
    inputId: Id,
    title: Title,
    type: z.enum(['input', 'output', 'destination']),
    /** That the caller has seen; refused when somebody has renamed it since. Foreign clients know of none. */
    formerTitle: Title.optional(),
  }),
  reply: success({
    msg: z.string(),
    data: z.object({ _id: z.string(), id: z.string(), title: z.string(), version: z.number() }),
  }),
})

/** What stays on the old server: nothing, or the stopped definition (Q144). */
const REMOVE_FROM_OLD = '1'
export const KEEP_ON_OLD = '0'

/**
 * Moves inputs with their outputs, make before break: on the new server each runs before the old one
 * stops. An input that cannot is not changed, in `failed`; 409 or 502 when none could, with the
 * same list. A listening input counts as running once its port is bound: callers must redial
 * (decisions.md 32).
 */
export const changeServer = route({
  name: 'links.changeServer',
  method: 'POST',
  path: '/api/contribution/bulk/change-server',
  aliases: ['/api/bulk/change-server'],
  action: 'bulkContributions',
  body: z.strictObject({
    newServerId: Id,
    contributions: LinkNames,
    /** The adapter's address on the new server; '' for Any. */
    localIp: z.string().max(64).default(''),
    /** The adapter pair's id, or its place in the server's list. */
    adapterId: z.union([z.string().max(64), z.number().int()]).default(''),
    keepOrDelete: z.enum([KEEP_ON_OLD, REMOVE_FROM_OLD]),
  }),
  reply: success({
    msg: z.string(),
    /** Names. */
    moved: z.array(z.string()),
    failed: z.array(LinkFailure),
    /** What to know of those that were moved: an old server that did not answer. */
    notes: z.array(z.object({ name: z.string(), note: Sentence })),
  }),
  bodyLimitBytes: 256 * 1024,
})
