/** What the configuration form holds, from the wire and back. */
import {
  configName,
  DEFAULT_TTL,
  parseTarget,
  type EncoderConfig,
} from '@trunkline/contract/encoders/encoder-config.schema'
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import { numberOrText, textsOf, type Tree, treeOf } from '../../forms/wire-tree.rules.ts'
import {
  CONFIG_FIELDS,
  type ConfigValues,
  FIELD_NAMES,
  type FieldName,
  type Fields,
  type OutputValues,
} from './config-field.rules.ts'

/** CFG-36, Q85: the local address stands in for '{ip}'. */
export const NEW_OUTPUT: OutputValues = {
  type: 'udp',
  host: '127.0.0.1',
  port: '5000',
  ttl: String(DEFAULT_TTL),
}

/** CFG-12 to CFG-15, Q80: where an encoder without a configuration begins. */
export function newValues(title: string): ConfigValues {
  return { ...NEW_FIELDS, title, output: [NEW_OUTPUT] }
}

/** The same on a card, a port and PIDs that no other encoder of the host has. */
export function proposedValues(
  values: ConfigValues,
  { cardIdx, targetPort, videoPid, audioPid, pmtPid }: EncoderHost['proposed'],
): ConfigValues {
  return {
    ...values,
    'card-idx': String(cardIdx),
    'video-stream.pid': String(videoPid),
    'muxer.pcr-pid': String(videoPid),
    'audio-stream.pid': String(audioPid),
    'muxer.pmt-pid': String(pmtPid),
    output: values.output.map((one) => ({ ...one, port: String(targetPort) })),
  }
}

const NEW_FIELDS: Fields = {
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
  const output = config.output.map(({ type, target }): OutputValues => {
    const parsed = parseTarget(target)
    return parsed === null
      ? { ...NEW_OUTPUT, type, host: target }
      : { type, host: parsed.host, port: String(parsed.port), ttl: String(parsed.ttl) }
  })
  return { ...textsOf(FIELD_NAMES, config), output }
}

/**
 * As it goes over the wire, without feeders, right or wrong: the schema judges it. The name follows
 * the card index (CFG-06), pmt-period is not sent (CFG-23).
 */
export function configTree(values: ConfigValues): Tree {
  return {
    name: configName(Number(values['card-idx'])),
    ...treeOf(FIELD_NAMES, (name) => wireValue(name, values[name])),
    output: values.output.map((one) => ({ type: one.type, target: targetOf(one) })),
  }
}

/** 'udp://239.10.4.1:5000?ttl=12', whatever is in its fields. */
export function targetOf({ type, host, port, ttl }: OutputValues): string {
  return `${type}://${host.trim()}:${numberOrText(port)}?ttl=${numberOrText(ttl)}`
}

function wireValue(name: FieldName, text: string): unknown {
  const { control, isWord, audio } = CONFIG_FIELDS[name]
  if (control === 'switch') return text === '1' ? 1 : 0
  if (text === '' && audio !== undefined) return undefined
  return isWord ? text : numberOrText(text)
}
