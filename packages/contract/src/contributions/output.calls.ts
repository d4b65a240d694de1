import { z } from 'zod'
import { Page, PageSize, SearchText } from '../paging.schema.ts'
import { ContributionStatusReply } from '../program-state.ts'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import { Output, OutputDraft } from './output.schema.ts'

export const listOutputs = route({
  name: 'outputs.list',
  method: 'GET',
  path: '/api/contribution/outputs/list-outputs',
  action: 'editOutputs',
  query: z.strictObject({
    page: Page,
    rowsPerPage: PageSize,
    searchValue: SearchText,
    contributionId: z.string().max(64).default(''),
    destinationId: z.string().max(64).default(''),
  }),
  reply: z.object({ status: z.literal(true), outputs: z.array(Output), total: z.number() }),
})

export const addOutput = route({
  name: 'outputs.add',
  method: 'POST',
  path: '/api/contribution/output',
  action: 'editOutputs',
  body: OutputDraft,
  reply: z.object({ status: z.literal(true), data: Output, id: z.string() }),
  successStatus: 201,
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
