import { z } from 'zod'
import { Id, Title } from '../text.schema.ts'

/** A stream's name on its server: path parts of plain characters, so that it fits a URL and a folder. */
export const StreamName = z
  .string()
  .max(120)
  .regex(
    /^[A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)*$/,
    'must be letters, digits, - and _, with single dots or slashes between.',
  )

export const Channel = z.object({
  _id: z.string(),
  id: z.string(),
  name: z.string(),
  title: z.string(),
  serverId: z.string(),
  serverInfo: z.object({ _id: z.string(), host: z.string(), port: z.number(), title: z.string() }),
  groupIds: z.array(z.string()),
  version: z.number(),
})
export type Channel = z.infer<typeof Channel>

export const ChannelDraft = z.strictObject({
  name: StreamName,
  title: Title,
  serverId: Id,
  groupIds: z.array(Id).max(200).default([]),
})
export type ChannelDraft = z.output<typeof ChannelDraft>
