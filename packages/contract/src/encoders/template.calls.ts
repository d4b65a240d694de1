import { z } from 'zod'
import { ById, removal } from '../by-id.ts'
import { route } from '../route.ts'
import { echoed, Version } from '../text.schema.ts'
import { EncoderTemplate, EncoderTemplateDraft } from './template.schema.ts'
import { success } from '../reply.schema.ts'

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

export const removeTemplate = removal(
  'encoderTemplates.remove',
  '/api/encoder-template/:id',
  'editTemplates',
)
