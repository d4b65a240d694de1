/** What the configuration form holds: every field as its text; and the way from the wire and back. */
import {
  configName,
  DEFAULT_TTL,
  parseTarget,
  type EncoderConfig,
} from '@trunkline/contract/encoders/encoder-config.schema'
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import { VIDEO_FORMATS, type VideoFormat } from '@trunkline/contract/encoders/video-format.rules'
import { FIELD_NAMES, SWITCH_NAMES, type FieldName, type OutputPart } from './config-field.rules.ts'

export type OutputValues = Readonly<Record<OutputPart, string>>

export interface ConfigValues {
  /** '' for a field that the audio format does not have (CFG-16, CFG-17). */
  fields: Readonly<Record<FieldName, string>>
  outputs: readonly OutputValues[]
}

/** CFG-36, Q85: the local address stands in for '{ip}'. */
export const NEW_OUTPUT: OutputValues = {
  type: 'udp',
  host: '127.0.0.1',
  port: '5000',
  ttl: String(DEFAULT_TTL),
}

/** CFG-12 to CFG-15, Q80: where an encoder without a configuration begins. */
export function newValues(title: string): ConfigValues {
  return { fields: { ...NEW_FIELDS, title }, outputs: [NEW_OUTPUT] }
}

/** The same on a card, a port and PIDs that no other encoder of the host has. */
export function proposedValues(
  { fields, outputs }: ConfigValues,
  { cardIdx, targetPort, videoPid, audioPid, pmtPid }: EncoderHost['proposed'],
): ConfigValues {
  const free = {
    'card-idx': String(cardIdx),
    'video-stream.pid': String(videoPid),
    'muxer.pcr-pid': String(videoPid),
    'audio-stream.pid': String(audioPid),
    'muxer.pmt-pid': String(pmtPid),
  }
  return {
    fields: { ...fields, ...free },
    outputs: outputs.map((one) => ({ ...one, port: String(targetPort) })),
  }
}

const NEW_FIELDS: Readonly<Record<FieldName, string>> = {
  title: '',
  'card-idx': '0',
  'video-format': '1080i50',
  'video-stream.format': 'avc',
  'video-stream.profile': 'high',
  'video-stream.level': '4.2',
  'video-stream.width': '1920',
  'video-stream.aspect-ratio': '16:9',
  'video-stream.intra-refresh': '0',
  'video-stream.bitrate': '4000',
  'video-stream.vbv-maxrate': '4000',
  'video-stream.vbv-bufsize': '4000',
  'video-stream.keyint': '50',
  'video-stream.threads': '4',
  'video-stream.max-refs': '4',
  'video-stream.pid': '512',
  'audio-stream.format': 'mp2',
  'audio-stream.bitrate': '256',
  'audio-stream.lang': 'eng',
  'audio-stream.pid': '4112',
  'audio-stream.mp2-mode': 'stereo',
  'audio-stream.audio-type': 'undefined',
  'audio-stream.aac-profile': '',
  'audio-stream.aac-encap': '',
  'muxer.ts-type': 'dvb',
  'muxer.ts-id': '1',
  'muxer.program-num': '1',
  'muxer.pmt-pid': '256',
  'muxer.pcr-pid': '512',
  'muxer.pcr-period': '20',
  'muxer.ts-muxrate': '4500000',
  'muxer.cbr': '1',
}

export function valuesOf(config: EncoderConfig): ConfigValues {
  const outputs = config.output.map(({ type, target }): OutputValues => {
    const parsed = parseTarget(target)
    return parsed === null
      ? { ...NEW_OUTPUT, type, host: target }
      : { type, host: parsed.host, port: String(parsed.port), ttl: String(parsed.ttl) }
  })
  return { fields: fieldsOf(config), outputs }
}

/** The fields alone, of a whole configuration or of a part of one; what it has not is ''. */
export function fieldsOf(config: object): Record<FieldName, string> {
  const entries = FIELD_NAMES.map((name) => [name, textAt(config, name)] as const)
  return Object.fromEntries(entries) as Record<FieldName, string>
}

function textAt(config: object, name: FieldName): string {
  let at: unknown = config
  for (const part of name.split('.')) {
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[part] : undefined
  }
  return typeof at === 'string' || typeof at === 'number' ? String(at) : ''
}

export type Tree = Record<string, unknown>

/**
 * As it goes over the wire, without feeders, right or wrong: the schema judges it. The name follows
 * the card index (CFG-06), pmt-period is not sent (CFG-23).
 */
export function treeOf({ fields, outputs }: ConfigValues): Tree {
  const tree: Tree = { name: configName(Number(fields['card-idx'])) }
  for (const name of FIELD_NAMES) {
    const text = fields[name]
    const isAbsent = text === '' && AUDIO_EXTRAS.includes(name)
    if (!isAbsent) put(tree, name.split('.'), wireValue(name, text))
  }
  tree['output'] = outputs.map((one) => ({ type: one.type, target: targetOf(one) }))
  return tree
}

/** 'udp://239.10.4.1:5000?ttl=12', whatever is in its fields. */
export function targetOf({ type, host, port, ttl }: OutputValues): string {
  return `${type}://${host.trim()}:${plainNumber(port)}?ttl=${plainNumber(ttl)}`
}

function plainNumber(text: string): string {
  return /^\d{1,12}$/.test(text) ? String(Number(text)) : text
}

export const MP2_EXTRAS: readonly FieldName[] = ['audio-stream.mp2-mode', 'audio-stream.audio-type']
export const AAC_EXTRAS: readonly FieldName[] = [
  'audio-stream.aac-profile',
  'audio-stream.aac-encap',
]
const AUDIO_EXTRAS: readonly FieldName[] = [...MP2_EXTRAS, ...AAC_EXTRAS]

/** Digits are a number on the wire, save where the schema wants a word that looks like one. */
const WORDS: readonly FieldName[] = ['title', 'video-stream.level', 'audio-stream.lang']

function wireValue(name: FieldName, text: string): unknown {
  if (SWITCH_NAMES.includes(name)) return text === '1' ? 1 : 0
  return /^\d{1,12}$/.test(text) && !WORDS.includes(name) ? Number(text) : text
}

function put(tree: Tree, [first, second]: readonly string[], value: unknown): void {
  if (first === undefined) return
  if (second === undefined) {
    tree[first] = value
    return
  }
  const branch = (tree[first] ?? {}) as Tree
  branch[second] = value
  tree[first] = branch
}

export function videoFormatOf(values: ConfigValues): VideoFormat {
  const name = values.fields['video-format']
  return VIDEO_FORMATS.find((one) => one === name) ?? '1080i50'
}
