import { z } from 'zod'
import { Page, PageSize, SearchText, sortBy } from '../paging.schema.ts'
import { ById, removal } from '../by-id.ts'
import { ContributionStatusReply } from '../program-state.ts'
import { route } from '../route.ts'
import { RemotePort, unlessEmpty } from '../text.schema.ts'
import { Input, InputEdit, NewInput } from './input.schema.ts'
import { BulkStatusReply, LinkCopy, LinkFailure, LinkNames, MatchingLinks } from './link.schema.ts'
import { success } from '../reply.schema.ts'

const InputFilter = {
  searchValue: SearchText,
  serverId: z.string().max(64).default(''),
  groupId: z.string().max(64).default(''),
  /** Of the outer leg: our own, of a Push input the peer's. Absent or empty for all. */
  port: unlessEmpty(RemotePort.optional()),
}

export const INPUT_SORTS = ['title', 'port'] as const

export const listInputs = route({
  name: 'inputs.list',
  method: 'GET',
  path: '/api/contribution',
  action: 'seeInputs',
  query: z.strictObject({
    page: Page,
    rowsPerPage: PageSize,
    ...InputFilter,
    /** '' for the order of creation. */
    sort: sortBy(INPUT_SORTS),
  }),
  reply: success({ contributions: z.array(Input), total: z.number() }),
})

/** For an action of all that match, without their rows. */
export const matchInputs = route({
  name: 'inputs.match',
  method: 'GET',
  path: '/api/contribution/inputs/matching',
  action: 'bulkContributions',
  query: z.strictObject(InputFilter),
  reply: success({ data: MatchingLinks }),
})

export const addInput = route({
  name: 'inputs.add',
  method: 'POST',
  addsObject: true,
  path: '/api/contribution',
  action: 'editInputs',
  body: NewInput,
  reply: success({ data: Input, id: z.string() }),
})

/** On the same server, with the same key, a multicast group of its own and no outputs. Nothing is started. */
export const cloneInput = route({
  name: 'inputs.clone',
  method: 'POST',
  addsObject: true,
  path: '/api/contribution/clone/:id',
  action: 'editInputs',
  params: ById,
  body: LinkCopy,
  reply: success({ data: Input, id: z.string() }),
})

export const readInputStatus = route({
  name: 'inputs.status',
  method: 'GET',
  path: '/api/contribution/status/:id',
  action: 'seeInputs',
  params: ById,
  reply: ContributionStatusReply,
})

export const readInput = route({
  name: 'inputs.read',
  method: 'GET',
  path: '/api/contribution/:id',
  action: 'seeInputs',
  params: ById,
  reply: success({ data: Input, contribution: Input }),
})

/** Saving restarts nothing (Q178): a running program keeps its old settings until somebody restarts it. */
export const updateInput = route({
  name: 'inputs.update',
  method: 'PUT',
  path: '/api/contribution/:id',
  action: 'editInputs',
  params: ById,
  body: InputEdit,
  reply: success({ data: Input, warnings: z.array(z.string()) }),
})

/** 409 while it has outputs (CON-IN-32). Stopped first. */
export const removeInput = removal('inputs.remove', '/api/contribution/:id', 'editInputs')

/** Disabling stops the program, enabling does not start it (Q138). */
export const setInputsStatus = route({
  name: 'inputs.setStatus',
  method: 'POST',
  path: '/api/contribution/bulk-update-input-status',
  action: 'bulkContributions',
  body: z.strictObject({ names: LinkNames, isDisable: z.boolean() }),
  reply: BulkStatusReply,
  bodyLimitBytes: 256 * 1024,
})

/** 409 when each of them has outputs; else those are left alone (CON-IN-36, Q142). */
export const removeInputs = route({
  name: 'inputs.removeSeveral',
  method: 'POST',
  path: '/api/contribution/bulk-delete',
  action: 'bulkContributions',
  body: z.strictObject({ contriNames: LinkNames }),
  reply: success({
    msg: z.string(),
    deleted: z.array(z.string()),
    refused: z.array(z.object({ name: z.string(), outputs: z.number() })),
    failed: z.array(LinkFailure),
  }),
  bodyLimitBytes: 256 * 1024,
})

/** Without a server no host is asked: what the installation has given out counts alone. */
const OnServer = z.strictObject({ serverId: z.string().max(64).default('') })
const NextGroup = success({ data: z.string(), multicast: z.string() })

/** A group of the local bus that nobody has (API-48); not kept, so saving looks again. */
export const nextMulticast = route({
  name: 'inputs.nextMulticast',
  method: 'GET',
  path: '/api/contribution/multicast',
  action: 'editInputs',
  query: OnServer,
  reply: NextGroup,
})

/** The same, asked in another dialect (API-49). */
export const askNextMulticast = route({
  name: 'inputs.askNextMulticast',
  method: 'POST',
  path: '/api/contribution/multicast',
  action: 'editInputs',
  body: OnServer.prefault({}),
  reply: NextGroup,
})
