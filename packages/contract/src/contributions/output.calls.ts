import { z } from 'zod'
import { Page, PageSize, SearchText, sortBy } from '../paging.schema.ts'
import { ById, removal } from '../by-id.ts'
import { ContributionStatusReply } from '../program-state.ts'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import {
  BULK_LIMIT,
  BulkStatusReply,
  LinkCopy,
  LinkFailure,
  LinkNames,
  MatchingLinks,
} from './link.schema.ts'
import { Output, OutputDraft, OutputEdit } from './output.schema.ts'
import { success } from '../reply.schema.ts'

const OutputFilter = {
  searchValue: SearchText,
  contributionId: z.string().max(64).default(''),
  /** Those that refer to it, and those that may be linked to it (Q150). */
  destinationId: z.string().max(64).default(''),
}

export const OUTPUT_SORTS = ['title'] as const

export const listOutputs = route({
  name: 'outputs.list',
  method: 'GET',
  path: '/api/contribution/outputs/list-outputs',
  action: 'editOutputs',
  query: z.strictObject({
    page: Page,
    rowsPerPage: PageSize,
    ...OutputFilter,
    /** Only those that call the address of this destination and refer to none; ours. */
    linkableTo: z.string().max(64).default(''),
    /** '' for the order of creation. */
    sort: sortBy(OUTPUT_SORTS),
  }),
  reply: success({ outputs: z.array(Output), total: z.number() }),
})

/** For an action of all that match, without their rows. */
export const matchOutputs = route({
  name: 'outputs.match',
  method: 'GET',
  path: '/api/contribution/outputs/matching',
  action: 'bulkContributions',
  query: z.strictObject(OutputFilter),
  reply: success({ data: MatchingLinks }),
})

export const addOutput = route({
  name: 'outputs.add',
  method: 'POST',
  addsObject: true,
  path: '/api/contribution/output',
  action: 'editOutputs',
  body: OutputDraft,
  reply: success({ data: Output, id: z.string() }),
})

/** Of the same input, to the same place with the same key. Nothing is started. */
export const cloneOutput = route({
  name: 'outputs.clone',
  method: 'POST',
  addsObject: true,
  path: '/api/contribution/output/clone/:id',
  action: 'editOutputs',
  params: ById,
  body: LinkCopy,
  reply: success({ data: Output, id: z.string() }),
})

/** By the output's `name`, or its id. */
export const readOutputStatus = route({
  name: 'outputs.status',
  method: 'GET',
  path: '/api/contribution/output/status-by-name/:contributionId/:name',
  action: 'editOutputs',
  params: z.object({ contributionId: Id, name: z.string().max(160) }),
  reply: ContributionStatusReply,
})

export const readOutput = route({
  name: 'outputs.read',
  method: 'GET',
  path: '/api/contribution/output/:id',
  action: 'editOutputs',
  params: ById,
  reply: success({ data: Output, output: Output }),
})

/** Saving restarts nothing (Q178). Another input of the same server may be named. */
export const updateOutput = route({
  name: 'outputs.update',
  method: 'PUT',
  path: '/api/contribution/output/:id',
  action: 'editOutputs',
  params: ById,
  body: OutputEdit,
  reply: success({ data: Output, warnings: z.array(z.string()) }),
})

export const removeOutput = removal('outputs.remove', '/api/contribution/output/:id', 'editOutputs')

export const setOutputsStatus = route({
  name: 'outputs.setStatus',
  method: 'POST',
  path: '/api/contribution/output/bulk-update-output-status',
  action: 'bulkContributions',
  body: z.strictObject({ names: LinkNames, isDisable: z.boolean() }),
  reply: BulkStatusReply,
  bodyLimitBytes: 256 * 1024,
})

export const removeOutputs = route({
  name: 'outputs.removeSeveral',
  method: 'POST',
  path: '/api/contribution/output/bulk-delete',
  action: 'bulkContributions',
  body: z.strictObject({ outputNames: LinkNames }),
  reply: success({ msg: z.string(), deleted: z.array(z.string()), failed: z.array(LinkFailure) }),
  bodyLimitBytes: 256 * 1024,
})

/**
 * Address, and key where the destination has one, of outputs in mode Push; they take it up when they
 * are restarted. Those that listen are left alone and named.
 */
export const changeOutputDestination = route({
  name: 'outputs.changeDestination',
  method: 'POST',
  path: '/api/contribution/output/bulk-change-output-destination',
  action: 'bulkContributions',
  body: z.strictObject({
    destinationId: z
      .string('Please select destination')
      .min(1, 'Please select destination')
      .max(64),
    outputIds: z.array(Id).min(1).max(BULK_LIMIT),
  }),
  reply: success({ msg: z.string(), updated: z.number(), failed: z.array(LinkFailure) }),
  bodyLimitBytes: 256 * 1024,
})
