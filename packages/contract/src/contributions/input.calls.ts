import { z } from 'zod'
import { Page, PageSize, SearchText } from '../paging.schema.ts'
import { ContributionStatusReply } from '../program-state.ts'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import { Input, InputDraft } from './input.schema.ts'

export const listInputs = route({
  name: 'inputs.list',
  method: 'GET',
  path: '/api/contribution',
  action: 'seeInputs',
  query: z.strictObject({
    page: Page,
    rowsPerPage: PageSize,
    searchValue: SearchText,
    serverId: z.string().max(64).default(''),
    groupId: z.string().max(64).default(''),
  }),
  reply: z.object({ status: z.literal(true), contributions: z.array(Input), total: z.number() }),
})

export const addInput = route({
  name: 'inputs.add',
  method: 'POST',
  path: '/api/contribution',
  action: 'editInputs',
  body: InputDraft,
  reply: z.object({ status: z.literal(true), data: Input, id: z.string() }),
  successStatus: 201,
})

export const readInputStatus = route({
  name: 'inputs.status',
  method: 'GET',
  path: '/api/contribution/status/:id',
  action: 'seeInputs',
  params: z.object({ id: Id }),
  reply: ContributionStatusReply,
})
