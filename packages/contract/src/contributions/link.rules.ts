/**
 * What the fields of an input or output may not be together (requirements, table 2.9). The form and
 * the API refuse by this one list, so that what the form lets pass is not refused afterwards.
 */
import type { InputConfig, InputType } from './input.schema.ts'
import { RIST_SIMPLE, type Encryption } from './link.schema.ts'
import type { OutputConfig, OutputType } from './output.schema.ts'
import { isMulticast, Port } from '../text.schema.ts'

export interface LinkFault {
  field: string
  sentence: string
}

/**
 * A draft as far as it is known: in a form a field may be wrong by itself. It is left out, and no rule
 * that needs it finds anything.
 */
interface Known<T extends InputType, C> {
  inputType: T
  config: Partial<C>
  encryption?: Encryption | undefined
}
type KnownInput = Known<InputType, InputConfig>
type KnownOutput = Known<OutputType, OutputConfig>
/** What both kinds have. */
type LinkConfig = Partial<Pick<InputConfig, 'mode' | 'host' | 'port' | 'profile'>>

export function inputFaults(draft: KnownInput): LinkFault[] {
  if (draft.inputType === 'Local') return localFaults(draft)
  const feeder = draft.inputType === 'aCANFeeder' && draft.config.mode === 'Push'
  return [
    ...(feeder
      ? [{ field: 'config.mode', sentence: 'must be Listen: this input waits for its feeder.' }]
      : []),
    ...callerFaults(
      draft.inputType,
      draft.config,
      'Fill in the remote host that this input calls.',
    ),
    ...listenPortFaults(draft.config),
    ...ristFaults(draft.inputType, draft.config, draft.encryption),
    ...simpleModeFaults(draft, 'Listen'),
  ]
}

export function outputFaults(draft: KnownOutput): LinkFault[] {
  return [
    ...callerFaults(
      draft.inputType,
      draft.config,
      'Fill in the destination host, or choose a destination.',
    ),
    ...listenPortFaults(draft.config),
    ...ristFaults(draft.inputType, draft.config, draft.encryption),
    ...simpleModeFaults(draft, 'Push'),
    ...pathFaults(draft),
  ]
}

/** A multicast group is a far end to RIST alone: the output that goes there is refused, or not. */
export function destinationFaults({ ip }: { ip: string }): LinkFault[] {
  return farEndFaults('RIST', ip, 'ip')
}

/** Q179: a stream that is on the server's network already, so its group must be known. */
function localFaults({ config }: KnownInput): LinkFault[] {
  // Whatever its mode says, we receive at that port.
  const faults = listenPortFaults({ ...config, mode: 'Listen' })
  if (config.multicast !== '') return faults
  const sentence = 'must be the multicast group that the stream is on already.'
  return [{ field: 'config.multicast', sentence }, ...faults]
}

/** decisions.md 34: what listens runs without root; a port that we call may be any. */
function listenPortFaults({ mode, port }: LinkConfig): LinkFault[] {
  if (mode === 'Push' || port === undefined) return []
  const { error } = Port.safeParse(port)
  return (error?.issues ?? []).map(({ message }) => ({ field: 'config.port', sentence: message }))
}

/** Q163: a caller to nowhere cannot work. */
function callerFaults(type: InputType, { mode, host }: LinkConfig, fix: string): LinkFault[] {
  if (mode !== 'Push' || host === undefined) return []
  if (host === '') {
    return [{ field: 'config.host', sentence: `A link in mode Push needs a host. ${fix}` }]
  }
  return farEndFaults(type, host, 'config.host')
}

/** Addresses that no far end has. */
function farEndFaults(type: InputType, host: string, field: string): LinkFault[] {
  if (host.startsWith('0.') || host === '255.255.255.255') {
    return [
      { field, sentence: `${host} is not the address of a far end. Type the address to call.` },
    ]
  }
  if (type === 'RIST' || !isMulticast(host)) return []
  const sentence = `SRT calls a single far end, and ${host} is a multicast group. Type the address of the far end, or use RIST.`
  return [{ field, sentence }]
}

/** M10, Q169. */
function ristFaults(
  type: InputType,
  { profile, port }: LinkConfig,
  encryption: Encryption | undefined,
): LinkFault[] {
  if (type !== 'RIST' || profile !== RIST_SIMPLE) return []
  const faults = evenPortFaults(port, 'config.port')
  if (encryption?.selection === 'yes') {
    const sentence = 'RIST Simple has no encryption. Choose profile Main (2), or no encryption.'
    faults.push({ field: 'encryption.selection', sentence })
  }
  return faults
}

const SIMPLE_MODE_FAULTS = {
  Listen:
    'must be Listen with RIST Simple: its sender always calls, its receiver always waits. Choose Listen, or profile Main (2).',
  Push: 'must be Push with RIST Simple: its sender always calls, its receiver always waits. Choose Push, or profile Main (2).',
} as const

/** ristreceiver as the caller sends its control packets to port 32769, wherever the sender is (tried). */
function simpleModeFaults(
  { inputType, config }: { inputType: InputType; config: LinkConfig },
  only: 'Listen' | 'Push',
): LinkFault[] {
  const isSimple = inputType === 'RIST' && config.profile === RIST_SIMPLE
  if (!isSimple || config.mode === undefined || config.mode === only) return []
  return [{ field: 'config.mode', sentence: SIMPLE_MODE_FAULTS[only] }]
}

function evenPortFaults(port: number | undefined, field: string): LinkFault[] {
  if (port === undefined || port % 2 === 0) return []
  const sentence = `RIST Simple takes even ports only, because it also uses the next port. Use ${port - 1} or ${port + 1}.`
  return [{ field, sentence }]
}

/** A second path is RIST's, and the caller's to choose. */
function pathFaults({ inputType, config }: KnownOutput): LinkFault[] {
  const { secondPath } = config
  if (secondPath === undefined) return []
  if (inputType !== 'RIST') {
    const sentence = 'SRT links have one path. Leave the second path out, or use RIST.'
    return [{ field: 'config.secondPath', sentence }]
  }
  if (config.mode !== 'Push') {
    const sentence = 'must be left out in mode Listen: the far end chooses the paths it calls on.'
    return [{ field: 'config.secondPath', sentence }]
  }
  const faults = farEndFaults(inputType, secondPath.host, 'config.secondPath.host')
  if (config.profile === RIST_SIMPLE) {
    faults.push(...evenPortFaults(secondPath.port, 'config.secondPath.port'))
  }
  if (secondPath.host === config.host && secondPath.port === config.port) {
    const sentence = 'must differ from the first path: the same path twice gives no protection.'
    faults.push({ field: 'config.secondPath.host', sentence })
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

/**
 * How many receivers an output serves, as its form and the manual say it (tried with the tools
 * themselves); '' for one that calls: it has the one it calls.
 */
export function receiversHint(type: InputType, mode: 'Listen' | 'Push'): string {
  if (mode === 'Push' || type === 'Local') return ''
  return type === 'RIST'
    ? 'Several receivers at a time: every caller gets the stream.'
    : 'One receiver at a time: a second receiver waits until the first leaves. Add one output per receiver.'
}

/** What the far end of a second path must be like; RIST Simple merges the copies at one port only. */
export function secondPathHint(profile: number): string {
  return profile === RIST_SIMPLE
    ? 'Both paths must end at the same port of the far end: with RIST Simple two ports are two streams.'
    : 'Both paths must end at the same receiver. It may listen on one port for both, or on one port for each.'
}
