/** Far ends that outputs send to, kept by name: an address, and the key that goes with it. */
import { z } from 'zod'
import { echoed, HostName, Id, Title, Version } from '../text.schema.ts'
import { Encryption } from './link.schema.ts'

/** An address that no far end has is no destination; see link.rules.ts. */
export const DestinationDraft = z.strictObject({
  title: Title,
  /** A host name or an IPv4 address. The port stands on the output (Q155). */
  ip: HostName,
  /** Absent from a manager: it joins their first group (CON-DEST-05). */
  groupId: Id.optional(),
  encryption: Encryption.default({ selection: 'no', passphrase: '', type: 128 }),
})
export type DestinationDraft = z.output<typeof DestinationDraft>

/** Saving changes no output: live links stay as they are (Q151). An empty passphrase keeps the stored one. */
export const DestinationEdit = DestinationDraft.extend({
  version: Version,
  ...echoed(['_id', 'id', 'groupInfo', 'outputs', 'linkable']),
})
export type DestinationEdit = z.output<typeof DestinationEdit>

export const Destination = z.object({
  _id: z.string(),
  id: z.string(),
  title: z.string(),
  ip: z.string(),
  groupId: z.string(),
  encryption: Encryption,
  /** How many outputs refer to it. */
  outputs: z.number(),
  /** Outputs that call its address and refer to no destination: they may be linked to it. */
  linkable: z.number(),
  version: z.number(),
})
export type Destination = z.infer<typeof Destination>
