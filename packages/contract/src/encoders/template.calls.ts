import { z } from 'zod'
import { route } from '../route.ts'
import { echoed, Id, Version } from '../text.schema.ts'
import { EncoderTemplate, EncoderTemplateDraft } from './template.schema.ts'
import { success } from '../reply.schema.ts'

const ById = z.object({ id: Id })
const OneTemplate = success({ data: EncoderTemplate })

/** Those of the own groups and those of all groups, in order of title. */
export const listTemplates = route({
  name: 'encoderTemplates.list',
  method: 'GET',
  path: '/api/encoder-template',
  action: 'seeTemplates',
  reply: success({ data: z.array(EncoderTemplate) }),
})

/** 409 when the group has one of that title. */
export const addTemplate = route({
  name: 'encoderTemplates.add',
  method: 'POST',
  addsObject: true,
  path: '/api/encoder-template',
  action: 'editTemplates',
  body: EncoderTemplateDraft,
  reply: OneTemplate.extend({ id: z.string() }),
  successStatus: 201,
})

/** Another title, other settings, or both. Encoders that use it are not changed. */
export const updateTemplate = route({
  name: 'encoderTemplates.update',
  method: 'PUT',
  path: '/api/encoder-template/:id',
  action: 'editTemplates',
  params: ById,
  body: EncoderTemplateDraft.omit({ groupId: true })
    .partial()
    .extend({ version: Version, ...echoed(['_id', 'id', 'groupId', 'groupInfo']) }),
  reply: OneTemplate,
})

export const removeTemplate = route({
  name: 'encoderTemplates.remove',
  method: 'DELETE',
  path: '/api/encoder-template/:id',
  action: 'editTemplates',
  params: ById,
  reply: success({ id: z.string() }),
})
