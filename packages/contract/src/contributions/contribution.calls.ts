/** Calls that serve inputs, outputs and feeders alike. */
import { z } from 'zod'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'

/** CONST-14. */
export const ACTION_TYPE = { input: 1, output: 2, feeder: 10, tailLog: 12 } as const
export const ACTIONS = ['start', 'stop', 'restart', 'tail'] as const
export const ActionType = z.union([z.literal(1), z.literal(2), z.literal(10), z.literal(12)])

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
  reply: z.object({ status: z.boolean(), results: z.string(), error: z.string().optional() }),
})
export type ContributionActionType = z.infer<typeof ActionType>
