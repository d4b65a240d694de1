/** What the carry form holds, what is wrong with it, and what is sent. */
import { carriedParts } from '@trunkline/contract/contributions/carry.rules'
import { CarryDraft } from '@trunkline/contract/contributions/carry.schema'
import type { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import {
  inputFaults,
  type LinkFault,
  outputFaults,
} from '@trunkline/contract/contributions/link.rules'
import type { OutputType } from '@trunkline/contract/contributions/output.schema'
import type { EncoderConfig, Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { FEEDER_TARGET_PORT_STEP } from '@trunkline/contract/encoders/feeder.calls'
import { wording } from '@trunkline/contract/wording'
import type { CallInput } from '../../lib/call.ts'
import type { Sentences } from '../../forms/form.hook.ts'
import { bytesPerSecondOf } from '../../shared/link-settings/link-rate.rules.ts'
import { ENCRYPTION, type KeyChoice } from '../../shared/link-settings/encryption.rules.ts'
import { type FieldNames, formFieldOf } from '../../forms/field-faults.rules.ts'
import {
  DEFAULT_BANDWIDTH_BYTES,
  DEFAULT_LATENCY_MS,
  neededKbpsOf,
  nextInputPort,
} from '../feeders/feeder-form.rules.ts'
import { FEEDER_GONE, isReceived, REQUIRED } from './carry.messages.ts'

/** A new feeder, or what is done with one that is there: 'keep NAME', 'replace NAME'. */
export type FeederUse = 'new' | `keep ${string}` | `replace ${string}`

/** All as typed; null: what is offered, until something is typed. */
export interface CarryValues {
  title: string
  feeder: FeederUse
  serverId: string
  targetIp: string | null
  targetPort: string | null
  inputPort: string
  latency: string
  encryption: KeyChoice
  outputType: OutputType
  mode: 'Push' | 'Listen'
  source: 'select' | 'manual'
  destinationId: string
  host: string
  outputPort: string | null
  outputEncryption: KeyChoice
  passphrase: string
}

export const CARRY_LABELS: Readonly<Record<keyof CarryValues, string>> = {
  title: 'Name',
  feeder: 'Feeder',
  serverId: 'Server',
  targetIp: 'Server address',
  targetPort: 'Input port',
  inputPort: 'Feeder reads at port',
  latency: 'Latency',
  encryption: ENCRYPTION,
  outputType: 'Output type',
  mode: 'Mode',
  source: 'Send to',
  destinationId: 'Destination',
  host: 'Destination host',
  outputPort: 'Output port',
  outputEncryption: 'Output encryption',
  passphrase: 'Passphrase',
}

export function newCarryValues({ title }: Encoder, config: EncoderConfig): CarryValues {
  return {
    title,
    feeder: 'new',
    serverId: '',
    targetIp: null,
    targetPort: null,
    inputPort: nextInputPort(config),
    latency: String(DEFAULT_LATENCY_MS),
    encryption: '128',
    outputType: 'SRT',
    mode: 'Push',
    source: 'select',
    destinationId: '',
    host: '',
    outputPort: null,
    outputEncryption: 'no',
    passphrase: '',
  }
}

/** What was looked up for the form; '' or null while it is not known. */
export interface CarryKnown {
  encoder: Encoder
  config: EncoderConfig
  /** Of the chosen server: an address of it, and a free port. */
  offer: { targetIp: string; targetPort: string }
  destination: Pick<Destination, 'title' | 'ip' | 'encryption'> | null
  /** The title of the input that receives the feeder that is kept; '' for none. */
  receiver: string
}

export type CarryUse = CarryDraft['feeder']['use']

export function feederUseOf({ feeder }: Pick<CarryValues, 'feeder'>): CarryUse {
  if (feeder === 'new') return 'new'
  return feeder.startsWith('keep ') ? 'keep' : 'replace'
}

/** The feeder that is kept or replaced; null for a new feeder. */
export function knownFeeder(
  { feeder }: Pick<CarryValues, 'feeder'>,
  { config }: Pick<CarryKnown, 'config'>,
): Feeder | null {
  const name = feeder.split(' ')[1]
  return config.feeder.find((item) => item.name === name) ?? null
}

/** What changes with the choice of a feeder: one that is kept has its server, one that is replaced its own port and latency. */
export function withFeeder(feeder: FeederUse, known: CarryKnown): Partial<CarryValues> {
  const values = { ...newCarryValues(known.encoder, known.config), feeder }
  const chosen = knownFeeder(values, known)
  const fresh = { feeder, targetIp: null, targetPort: null }
  if (chosen === null) return { ...fresh, inputPort: values.inputPort }
  if (feederUseOf({ feeder }) === 'keep') return { ...fresh, serverId: chosen.serverId }
  const latency = String(chosen.output[0]?.latency ?? DEFAULT_LATENCY_MS)
  return { ...fresh, inputPort: String(chosen.input.port), latency }
}

/** With the offers in place of what was not typed. */
export function filledIn(values: CarryValues, { offer }: Pick<CarryKnown, 'offer'>) {
  const targetPort = values.targetPort ?? offer.targetPort
  const after = Number(targetPort) + FEEDER_TARGET_PORT_STEP
  const proposed = values.mode === 'Listen' && targetPort !== '' ? String(after) : ''
  return {
    ...values,
    targetIp: values.targetIp ?? offer.targetIp,
    targetPort,
    outputPort: values.outputPort ?? proposed,
  }
}

type Body = CallInput<typeof carryEncoder>['body']

/** As it is sent; not checked yet. */
export function bodyOf(values: CarryValues, known: CarryKnown): Body {
  const filled = filledIn(values, known)
  const isPush = values.mode === 'Push'
  const isSelected = isPush && values.source === 'select'
  const maxBandwidth = maxBandwidthOf(known.config)
  return {
    title: filled.title.trim(),
    serverId: filled.serverId,
    version: known.encoder.version,
    feeder: legOf(filled, known, maxBandwidth),
    output: {
      inputType: filled.outputType,
      destinationId: isSelected && filled.destinationId !== '' ? filled.destinationId : null,
      config: {
        mode: filled.mode,
        host: isPush && !isSelected ? filled.host.trim() : '',
        port: filled.outputPort.trim(),
        ...(filled.outputType === 'SRT' ? { maxBandWidth: maxBandwidth } : {}),
      },
      encryption: keyOf(filled.outputEncryption, filled.passphrase),
    },
  }
}

function legOf(
  filled: ReturnType<typeof filledIn>,
  known: CarryKnown,
  maxBandwidth: number,
): Body['feeder'] {
  const name = knownFeeder(filled, known)?.name ?? ''
  const use = feederUseOf(filled)
  if (use === 'keep') return { use, name }
  const leg = {
    inputPort: filled.inputPort.trim(),
    host: filled.targetIp.trim(),
    port: filled.targetPort.trim(),
    latency: filled.latency.trim(),
    max_bw: maxBandwidth,
    encryption: keyOf(filled.encryption, ''),
  }
  return use === 'replace' ? { use, name, ...leg } : { use, ...leg }
}

/** Q103: enough for this stream and its retransmissions. */
function maxBandwidthOf({ muxer }: EncoderConfig): number {
  const needed = bytesPerSecondOf(String(neededKbpsOf(muxer['ts-muxrate']))) ?? 0
  return Math.max(DEFAULT_BANDWIDTH_BYTES, needed)
}

function keyOf(choice: KeyChoice, passphrase: string) {
  if (choice === 'no') return { selection: 'no' } as const
  return { selection: 'yes', type: choice === '256' ? 256 : 128, passphrase } as const
}

/** What the API names, and what the form calls it. */
export const CARRY_FIELDS: FieldNames<keyof CarryValues> = [
  ['title', 'title'],
  ['serverId', 'serverId'],
  ['input.serverId', 'serverId'],
  ['feeder.serverId', 'serverId'],
  ['feeder.name', 'feeder'],
  ['feeder.host', 'targetIp'],
  ['feeder.output.0.addr', 'targetIp'],
  ['feeder.port', 'targetPort'],
  ['feeder.output.0.port', 'targetPort'],
  ['input.config.port', 'targetPort'],
  ['feeder.inputPort', 'inputPort'],
  ['feeder.input', 'inputPort'],
  ['feeder.latency', 'latency'],
  ['feeder.output.0.latency', 'latency'],
  ['input.config.latency', 'latency'],
  ['feeder.encryption', 'encryption'],
  ['input.encryption', 'encryption'],
  ['output.destinationId', 'host'],
  ['output.config.host', 'host'],
  ['output.config.port', 'outputPort'],
  ['output.encryption.passphrase', 'passphrase'],
  ['output.encryption', 'outputEncryption'],
]

export function checkCarry(values: CarryValues, known: CarryKnown): Sentences<CarryValues> {
  const faults: Sentences<CarryValues> = {}
  const add = (field: string, message: string) => {
    const name = formFieldOf(CARRY_FIELDS, field)
    if (name === null) return
    faults[name] ??= /^[a-z]/.test(message) ? `${CARRY_LABELS[name]} ${message}` : message
  }
  for (const name of requiredOf(values)) {
    if (filledIn(values, known)[name].trim() === '') faults[name] = REQUIRED
  }
  const { data, error } = CarryDraft.safeParse(bodyOf(values, known), { error: wording })
  for (const { path, message } of error?.issues ?? []) add(path.map(String).join('.'), message)
  if (data !== undefined) {
    for (const { field, sentence } of faultsBetween(data, values, known)) add(field, sentence)
  }
  if (isKeyMissing(values, known)) faults.passphrase = REQUIRED
  const isGone = values.feeder !== 'new' && knownFeeder(values, known) === null
  if (isGone) faults.feeder = FEEDER_GONE
  else if (feederUseOf(values) === 'keep' && known.receiver !== '')
    faults.feeder = isReceived(known.receiver)
  return faults
}

function requiredOf(values: CarryValues) {
  const isPush = values.mode === 'Push'
  const far = values.source === 'select' ? ('destinationId' as const) : ('host' as const)
  const leg = ['targetIp', 'targetPort', 'inputPort', 'latency'] as const
  return [
    'title',
    'serverId',
    ...(feederUseOf(values) === 'keep' ? [] : leg),
    ...(isPush ? [far] : []),
    'outputPort',
  ] as const
}

/** A destination has an address of its own, which the API fills in. */
function faultsBetween(draft: CarryDraft, values: CarryValues, known: CarryKnown): LinkFault[] {
  const { input, output } = partsOf(draft, values, known)
  const { config } = output
  const host = config.mode === 'Push' ? config.host || (known.destination?.ip ?? '') : ''
  const whole = { ...output, config: { ...config, host } }
  return [
    ...inputFaults(input).map((fault) => ({ ...fault, field: `input.${fault.field}` })),
    ...outputFaults(whole).map((fault) => ({ ...fault, field: `output.${fault.field}` })),
  ]
}

/** As the API makes them of that draft. */
export function partsOf(draft: CarryDraft, values: CarryValues, known: CarryKnown) {
  const { groupId } = known.encoder
  return carriedParts(draft, { feeder: knownFeeder(values, known), groupId })
}

/** The key of a destination is the API's to copy. */
function isKeyMissing(values: CarryValues, { destination }: CarryKnown): boolean {
  if (values.outputEncryption === 'no' || values.passphrase !== '') return false
  const isSelected = values.mode === 'Push' && values.source === 'select'
  return !isSelected || destination?.encryption.selection !== 'yes'
}
