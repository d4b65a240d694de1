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
  const initial = FIELD_NAMES.map((name) => [name, CONFIG_FIELDS[name].initial ?? ''])
  return { ...(Object.fromEntries(initial) as Fields), title, output: [NEW_OUTPUT] }
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
    output: values.output.map((output) => ({ ...output, port: String(targetPort) })),
  }
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
    output: values.output.map((output) => ({ type: output.type, target: targetOf(output) })),
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
