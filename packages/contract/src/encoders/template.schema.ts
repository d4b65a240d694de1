/** A named set of encoder settings, to be applied to any encoder. */
import { z } from 'zod'
import { GroupRef } from '../session/session.schema.ts'
import { Title } from '../text.schema.ts'
import { EncoderConfig } from './encoder-config.schema.ts'

/** Without what belongs to one encoder alone: its names, its card, where it sends and feeds. */
export const TemplateSettings = EncoderConfig.omit({
  name: true,
  title: true,
  'card-idx': true,
  output: true,
  feeder: true,
})
export type TemplateSettings = z.output<typeof TemplateSettings>

export const EncoderTemplate = z.object({
  _id: z.string(),
  id: z.string(),
  title: z.string(),
  /** '' for all groups. */
  groupId: z.string(),
  groupInfo: GroupRef.nullable(),
  settings: TemplateSettings,
  version: z.number(),
})
export type EncoderTemplate = z.infer<typeof EncoderTemplate>

export const EncoderTemplateDraft = z.strictObject({
  title: Title,
  /** '' for all groups, which only an admin may say. */
  groupId: z.string().max(64),
  settings: TemplateSettings,
})
export type EncoderTemplateDraft = z.output<typeof EncoderTemplateDraft>
