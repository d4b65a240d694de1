/** What the fields of an input or output may not be together (requirements, table 2.9). */
import type { InputDraft, InputType } from '@trunkline/contract/contributions/input.schema'
import type { Encryption } from '@trunkline/contract/contributions/link.schema'
import { RIST_SIMPLE } from '@trunkline/contract/contributions/link.schema'
import type { OutputDraft } from '@trunkline/contract/contributions/output.schema'

export interface LinkFault {
  field: string
  sentence: string
}

export function inputFaults(
  draft: Pick<InputDraft, 'inputType' | 'config' | 'encryption'>,
): LinkFault[] {
  if (draft.inputType === 'Local') return localFaults(draft)
  const feeder = draft.inputType === 'aCANFeeder' && draft.config.mode === 'Push'
  return [
    ...(feeder
      ? [{ field: 'config.mode', sentence: 'must be Listen: this input waits for its feeder.' }]
      : []),
    ...callerFaults(draft.config, 'Fill in the remote host that this input calls.'),
    ...ristFaults(draft.inputType, draft.config, draft.encryption),
  ]
}

export function outputFaults(
  draft: Pick<OutputDraft, 'inputType' | 'config' | 'encryption'>,
): LinkFault[] {
  return [
    ...callerFaults(draft.config, 'Fill in the destination host, or choose a destination.'),
    ...ristFaults(draft.inputType, draft.config, draft.encryption),
  ]
}

/** Q179: a stream that is on the server's network already, so its group must be known. */
function localFaults({ config }: Pick<InputDraft, 'config'>): LinkFault[] {
  if (config.multicast !== '') return []
  const sentence = 'must be the multicast group that the stream is on already.'
  return [{ field: 'config.multicast', sentence }]
}

/** Q163: a caller to nowhere cannot work. */
function callerFaults(config: { mode: string; host: string }, fix: string): LinkFault[] {
  if (config.mode !== 'Push' || config.host !== '') return []
  return [{ field: 'config.host', sentence: `A link in mode Push needs a host. ${fix}` }]
}

/** M10, Q169. */
function ristFaults(
  type: InputType,
  config: { profile: number; port: number },
  encryption: Encryption,
): LinkFault[] {
  if (type !== 'RIST' || config.profile !== RIST_SIMPLE) return []
  const faults: LinkFault[] = []
  if (config.port % 2 === 1) {
    const sentence = `RIST Simple takes even ports only: it uses the next one too. Use ${config.port - 1} or ${config.port + 1}.`
    faults.push({ field: 'config.port', sentence })
  }
  if (encryption.selection === 'yes') {
    const sentence =
      'RIST Simple has no encryption: it would take a clear stream all the same. Choose profile Main (2), or no encryption.'
    faults.push({ field: 'encryption.selection', sentence })
  }
  return faults
}

/** The ports that the outer leg takes on its own host: none when it calls. */
export function outerPorts(
  type: InputType,
  config: { mode: string; profile: number; port: number },
): { port: number; leg: string }[] {
  if (type === 'Local' || config.mode === 'Push') return []
  const outer = { port: config.port, leg: 'outer' }
  const hasControl = type === 'RIST' && config.profile === RIST_SIMPLE
  // Simple sends its control packets on the next port.
  return hasControl ? [outer, { port: config.port + 1, leg: 'outer control' }] : [outer]
}
