/** What an output's settings mean beside a destination. Pure. */
import type { Encryption } from '@trunkline/contract/contributions/link.schema'
import type { OutputConfig, OutputDraft } from '@trunkline/contract/contributions/output.schema'
import { isSameHost } from '@trunkline/contract/servers/server.schema'

interface Place {
  id: string
  title: string
  ip: string
}
interface Before {
  destinationId: string | null
  config: Pick<OutputConfig, 'mode' | 'host'>
}

/** An empty host is the destination's. */
export function withHostOf(draft: OutputDraft, { ip }: Place): OutputDraft {
  const { config } = draft
  return config.host === '' ? { ...draft, config: { ...config, host: ip } } : draft
}

/**
 * null when the host is the destination's, or both are as they were: the destination moved later, and
 * live links stay as they are (Q151). Else a sentence that begins with the field.
 */
export function hostFault(
  { config }: OutputDraft,
  { id, title, ip }: Place,
  stored: Before | null,
): string | null {
  if (isSameHost(config.host, ip)) return null
  const isAsBefore =
    stored?.destinationId === id &&
    stored.config.mode === config.mode &&
    isSameHost(stored.config.host, config.host)
  if (isAsBefore) return null
  return `is ${config.host}, but the destination ${title} is ${ip}. Leave the host empty to go there, or choose no destination.`
}

/** The key of a destination that has none is no reason to change an output's. */
export function encryptionTowards(
  own: Encryption,
  destination: { encryption: Encryption },
): Encryption {
  const { selection, type } = destination.encryption
  return selection === 'yes' ? { selection, type, passphrase: '' } : own
}
