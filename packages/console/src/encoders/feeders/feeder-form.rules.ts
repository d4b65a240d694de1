/** What the feeder dialog holds, when it is well, and what of it is sent. */
import { AdvancedParameters } from '@trunkline/contract/contributions/link.schema'
import {
  type EncoderConfig,
  type Feeder,
  FeederOutput,
  parseTarget,
} from '@trunkline/contract/encoders/encoder-config.schema'
import type { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { feederInputIp, LOCAL_IP } from '@trunkline/contract/encoders/feeder.rules'
import { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { decimalText } from '@trunkline/contract/number-text.rules'
import {
  HostName,
  Id,
  isMulticast,
  Ipv4,
  Passphrase,
  Port,
  RemotePort,
  Title,
} from '@trunkline/contract/text.schema'
import { z } from 'zod'
import type { CallInput } from '../../lib/call.ts'
import type { Sentences } from '../../forms/form.hook.ts'
import {
  bytesPerSecondOf,
  kbpsText,
  MAX_BANDWIDTH,
  MAX_BANDWIDTH_RANGE,
  safeRttText,
} from '../../shared/link-settings/link-rate.rules.ts'
import { ENCRYPTION, type KeyChoice } from '../../shared/link-settings/encryption.rules.ts'
import { fieldFaults, type FieldNames } from '../../forms/field-faults.rules.ts'
import {
  parameterFaults,
  type TypedParameter,
} from '../../shared/link-settings/srt-parameter.rules.ts'
import { portTaken, REQUIRED } from './feeder.messages.ts'

/** All as typed. */
export interface FeederValues {
  title: string
  inputPort: string
  multicast: string
  serverId: string
  /** Null: what the server offers, until something is typed. */
  targetIp: string | null
  targetPort: string | null
  latency: string
  maxBandwidth: string
  encryption: KeyChoice
  /** '' keeps the stored one. */
  passphrase: string
  advanced: readonly TypedParameter[]
}

export const FEEDER_LABELS: Readonly<Record<keyof FeederValues, string>> = {
  title: 'Title',
  inputPort: 'Input port',
  multicast: 'Input multicast',
  serverId: 'Server',
  targetIp: 'Target IP',
  targetPort: 'Target port',
  latency: 'Latency',
  maxBandwidth: MAX_BANDWIDTH,
  encryption: ENCRYPTION,
  passphrase: 'Passphrase',
  advanced: 'Advanced parameters',
}

export const FEEDER_AS_TYPED = [
  'title',
  'inputPort',
  'multicast',
  'targetIp',
  'targetPort',
  'latency',
  'maxBandwidth',
] as const

/** FEED-17, FEED-18: the defaults of the contract itself. */
export const DEFAULT_LATENCY_MS = FeederOutput.shape.latency.parse(undefined)
export const DEFAULT_BANDWIDTH_BYTES = FeederOutput.shape.max_bw.parse(undefined)

export function newFeederValues(config: EncoderConfig): FeederValues {
  return {
    title: '',
    inputPort: nextInputPort(config),
    multicast: '',
    serverId: '',
    targetIp: null,
    targetPort: null,
    latency: String(DEFAULT_LATENCY_MS),
    maxBandwidth: kbpsText(DEFAULT_BANDWIDTH_BYTES),
    encryption: 'no',
    passphrase: '',
    advanced: [],
  }
}

/** The stored passphrase is no part of a reply, so its field is empty (decisions.md 17). */
export function feederValuesOf(feeder: Feeder): FeederValues {
  const { input, output, serverId } = feeder
  const [target] = output
  const [targetIp = '', targetPort = ''] = (target?.addr ?? '').split(':')
  return {
    title: input.title,
    inputPort: String(input.port),
    multicast: input.multicast,
    serverId,
    targetIp,
    targetPort,
    latency: String(target?.latency ?? DEFAULT_LATENCY_MS),
    maxBandwidth: kbpsText(target?.max_bw ?? DEFAULT_BANDWIDTH_BYTES),
    encryption: target?.passphraseSet === true ? (target.pbkeylen === 256 ? '256' : '128') : 'no',
    passphrase: '',
    advanced: target?.adv_params ?? [],
  }
}

/** What a server offers to a feeder that goes there; '' while it is not known. */
export interface Offer {
  targetIp: string
  targetPort: string
}

/** With the offer in place of what was not typed. */
export function filledIn(values: FeederValues, offer: Offer) {
  return {
    ...values,
    targetIp: values.targetIp ?? offer.targetIp,
    targetPort: values.targetPort ?? offer.targetPort,
  }
}

const REQUIRED_FIELDS = [
  'title',
  'inputPort',
  'serverId',
  'targetIp',
  'targetPort',
  'latency',
  'maxBandwidth',
] as const

const Typed = z.object({
  title: Title,
  inputPort: Port,
  multicast: z.union([
    z.literal(''),
    Ipv4.refine(isMulticast, 'must be a multicast address such as 239.1.2.3.'),
  ]),
  serverId: Id,
  targetIp: HostName,
  targetPort: RemotePort,
  latency: FeederOutput.shape.latency,
  maxBandwidth: z.string().refine((typed) => bytesPerSecondOf(typed) !== null, MAX_BANDWIDTH_RANGE),
  passphrase: z.union([z.literal(''), Passphrase]),
})

interface Known {
  offer: Offer
  /** Of the encoder, without the edited feeder. */
  others: readonly Feeder[]
  /** There is a stored passphrase to be kept. */
  hasKey: boolean
}

export function checkFeeder(values: FeederValues, known: Known): Sentences<FeederValues> {
  const filled = filledIn(values, known.offer)
  const faults: Sentences<FeederValues> = fieldFaults(Typed, filled, FEEDER_LABELS)
  for (const name of REQUIRED_FIELDS) if (filled[name].trim() === '') faults[name] = REQUIRED
  const port = Number(values.inputPort)
  if (known.others.some(({ input }) => input.port === port)) {
    faults.inputPort = portTaken(values.inputPort)
  }
  if (values.encryption === 'no') delete faults.passphrase
  else if (values.passphrase === '' && !known.hasKey) faults.passphrase = REQUIRED
  const parameter = parameterFaults(values.advanced, REQUIRED)
    .flatMap(({ key, value }) => [key, value])
    .find((fault) => fault !== '')
  if (parameter !== undefined) faults.advanced = parameter
  return faults
}

type SaveBody = CallInput<typeof saveFeeder>['body']

/** FEED-22. `before`: the edited feeder, null for a new feeder. */
export function bodyOf(
  encoder: Encoder,
  before: Feeder | null,
  values: FeederValues,
  offer: Offer,
): SaveBody {
  const filled = filledIn(values, offer)
  const inputPort = Number(filled.inputPort)
  const targetPort = Number(filled.targetPort)
  const inputIp = feederInputIp(before)
  const isEncrypted = values.encryption !== 'no'
  return {
    _id: encoder._id,
    ...(encoder.config === null ? {} : { config: encoder.config }),
    feederPost: {
      ...(before === null ? {} : { name: before.name }),
      serverId: filled.serverId,
      input: {
        ...(before === null ? {} : { max_bw: before.input.max_bw }),
        title: filled.title.trim(),
        type: 'udp',
        addr: `${inputIp}:${inputPort}`,
        port: inputPort,
        multicast: filled.multicast.trim(),
      },
      output: [
        {
          type: 'srt',
          addr: `${filled.targetIp.trim()}:${targetPort}`,
          port: targetPort,
          latency: Number(filled.latency),
          max_bw: bytesPerSecondOf(filled.maxBandwidth) ?? DEFAULT_BANDWIDTH_BYTES,
          adv_params: AdvancedParameters.parse(values.advanced),
          passphrase: isEncrypted ? values.passphrase : '',
          // Encryption off removes the stored passphrase; else an empty field keeps it
          // (decisions.md 17).
          passphraseSet: isEncrypted,
          pbkeylen: values.encryption === '256' ? 256 : 128,
        },
      ],
    },
  }
}

/** Of a version conflict's `current`: that feeder as it is now; null when it is gone. */
export function currentFeeder(
  current: unknown,
  name: string,
): { feeder: Feeder; version: number } | null {
  const { data } = Encoder.safeParse(current)
  const feeder = data?.config?.feeder.find((item) => item.name === name)
  return data === undefined || feeder === undefined ? null : { feeder, version: data.version }
}

export const FEEDER_FIELDS: FieldNames<keyof FeederValues> = [
  ['feederPost.input.title', 'title'],
  ['feederPost.input.addr', 'inputPort'],
  ['feederPost.input.port', 'inputPort'],
  ['feederPost.input.multicast', 'multicast'],
  ['feederPost.serverId', 'serverId'],
  ['feederPost.output.0.addr', 'targetIp'],
  ['feederPost.output.0.port', 'targetPort'],
  ['feederPost.output.0.latency', 'latency'],
  ['feederPost.output.0.max_bw', 'maxBandwidth'],
  ['feederPost.output.0.passphrase', 'passphrase'],
  ['feederPost.output.0.pbkeylen', 'encryption'],
  ['feederPost.output.0.adv_params', 'advanced'],
]

/** Where the input ports of feeders start, and their step, as the encoder's own output has it (CONST-12). */
const FIRST_INPUT_PORT = 5000
const INPUT_PORT_STEP = 2
const HIGHEST_PORT = 65_535

/**
 * The input port of the next feeder: that of an own UDP output on the host which none reads yet, so
 * that it is fed at once; else the highest and 2. '' when there is none.
 */
export function nextInputPort({ feeder, output }: EncoderConfig): string {
  const read = new Set(feeder.map(({ input }) => input.port))
  const sent = output.flatMap(({ target }) => {
    const parsed = parseTarget(target)
    return parsed?.type === 'udp' && parsed.host === LOCAL_IP ? [parsed.port] : []
  })
  const waiting = sent.find((port) => !read.has(port))
  if (waiting !== undefined) return String(waiting)
  const next = Math.max(FIRST_INPUT_PORT - INPUT_PORT_STEP, ...read) + INPUT_PORT_STEP
  return next <= HIGHEST_PORT ? String(next) : ''
}

const MEGABIT = 1_000_000
/** Q103, ADR 0021: SRT's own headers take 3 to 4 %, the rest is for resending. */
const NEEDED_PERCENT = 110
const PERCENT_OF_KILOBIT = 100_000

/** What a link of this stream takes, with what is resent. */
export function neededKbpsOf(muxRateBps: number): number {
  return Math.ceil((muxRateBps * NEEDED_PERCENT) / PERCENT_OF_KILOBIT)
}

/** Q103. '' when the stream and what is resent fit. */
export function bandwidthWarning(typedKbps: string, muxRateBps: number): string {
  const bytes = bytesPerSecondOf(typedKbps)
  const neededKbps = neededKbpsOf(muxRateBps)
  if (bytes === null || bytes === 0 || Number(typedKbps) >= neededKbps) return ''
  return `The stream has ${decimalText(muxRateBps / MEGABIT, 2)} Mbit/s: below ${neededKbps} kbit/s there is no room for retransmissions, and packets are dropped.`
}

/** '' unless another feeder of the encoder sends there too: a listener takes one caller. */
export function targetWarning(
  { targetIp, targetPort }: Pick<ReturnType<typeof filledIn>, 'targetIp' | 'targetPort'>,
  others: readonly Feeder[],
): string {
  const target = `${targetIp.trim()}:${targetPort.trim()}`
  const other = others.find(({ output }) => output[0]?.addr === target)
  if (other === undefined) return ''
  return `Feeder '${other.input.title}' sends to ${target} too, and an input takes one of them. Choose another target port.`
}

export function latencyHint(typed: string): string {
  const { data } = FeederOutput.shape.latency.safeParse(typed)
  if (typed.trim() === '' || data === undefined) return '20 to 30000 ms.'
  return safeRttText(data)
}
