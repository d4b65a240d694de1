/** What is wrong with the form, as a sentence at each field: the schema's own, and what lies between fields. */
import { configFaultList } from '@trunkline/contract/encoders/effective-config.rules'
import {
  AudioStream,
  DEFAULT_TTL,
  EncoderConfig,
  Muxer,
  VideoStream,
} from '@trunkline/contract/encoders/encoder-config.schema'
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import { Ipv4, Port, wholeNumber } from '@trunkline/contract/text.schema'
import type { z } from 'zod'
import { type Faults, inOrder, schemaFaults, sentenceOf } from '../../forms/field-faults.rules.ts'
import { labelOf } from '../../forms/field.rules.ts'
import {
  CONFIG_FIELDS,
  type ConfigValues,
  isFieldName,
  type OutputPart,
  type OutputValues,
} from './config-field.rules.ts'
import { type Calculation, CONFIG_FORM } from './config-form.rules.ts'
import { configTree } from './config-values.rules.ts'
import * as text from './config.messages.ts'
import { LOCALE } from '../../lib/locale/language.ts'

/** Null while a field is at fault. */
export function configOf(values: ConfigValues): EncoderConfig | null {
  return EncoderConfig.safeParse(configTree(values)).data ?? null
}

/** Of the card indexes of the host only those that other encoders have matter. */
export function faultsOf(values: ConfigValues, taken: EncoderHost['taken']): Faults {
  return inOrder(CONFIG_FORM.rules.names, {
    ...fieldFaults(values),
    ...betweenFields(values),
    ...cardFault(values, taken),
    ...pidFaults(values),
    ...outputFaults(values.output),
  })
}

function fieldFaults(values: ConfigValues): Faults {
  const faults: Record<string, string> = {}
  for (const { field, message } of schemaFaults(EncoderConfig, configTree(values))) {
    // Outputs are looked at part by part below.
    if (field in CONFIG_FIELDS) faults[field] ??= sentenceAt(field, message, values)
  }
  return faults
}

/** As it stands at that field. */
export function sentenceAt(name: string, message: string, values: ConfigValues): string {
  return sentenceOf(labelOf(CONFIG_FORM, name, values), message)
}

function betweenFields(values: ConfigValues): Faults {
  const config = configOf(values)
  const faults = config === null ? [] : configFaultList(config)
  // Of a target its address has the room for a sentence.
  return Object.fromEntries(
    faults.map(({ field, sentence }) => [field.replace(/\.target$/, '.host'), sentence]),
  )
}

function cardFault(values: ConfigValues, taken: EncoderHost['taken']): Faults {
  const owner = taken.find(({ cardIdx }) => String(cardIdx) === values['card-idx'])
  return owner === undefined ? {} : { 'card-idx': text.cardTaken(owner.cardIdx, owner.title) }
}

const PIDS = [
  ['video-stream.pid', 'video'],
  ['audio-stream.pid', 'audio'],
  ['muxer.pmt-pid', 'PMT'],
] as const
/** A clash is seen at each of them. */
export const PID_NAMES: readonly string[] = PIDS.map(([name]) => name)

/** Q84: both fields of a clash say whose PID it is. */
function pidFaults(values: ConfigValues): Faults {
  const faults: Record<string, string> = {}
  for (const [name] of PIDS) {
    const owner = PIDS.find(([other]) => other !== name && values[other] === values[name])
    if (owner !== undefined && values[name] !== '') {
      faults[name] = text.pidTaken(values[name], owner[1])
    }
  }
  return faults
}

const PARTS: Readonly<Record<Exclude<OutputPart, 'type'>, { label: string; schema: z.ZodType }>> = {
  host: { label: 'IP', schema: Ipv4 },
  port: { label: 'Port', schema: Port },
  ttl: { label: 'TTL', schema: wholeNumber(0, 255, `must be 0 to 255, such as ${DEFAULT_TTL}.`) },
}

function outputFaults(outputs: readonly OutputValues[]): Faults {
  const faults: Record<string, string> = {}
  outputs.forEach((output, index) => {
    for (const [part, { label, schema }] of Object.entries(PARTS)) {
      const message = schema.safeParse(output[part as OutputPart]).error?.issues[0]?.message
      if (message !== undefined) faults[`output.${index}.${part}`] = `${label} ${message}`
    }
  })
  return faults
}

const [mp2Stream] = AudioStream.options
const LIMITS: Readonly<Record<Calculation, z.ZodType>> = {
  video: VideoStream.shape.bitrate,
  audio: mp2Stream.shape.bitrate,
  mux: Muxer.shape['ts-muxrate'],
}

/** Why a calculated value cannot be used; '' when it can. */
export function calculationFault(which: Calculation, result: number | null): string {
  if (result === null) return text.NOT_CALCULABLE
  if (result === 0) return text.BELOW_ZERO
  const message = LIMITS[which].safeParse(result).error?.issues[0]?.message
  return message === undefined
    ? ''
    : `${text.WOULD_BE} ${result.toLocaleString(LOCALE)}: ${message}`
}

/** The API names 'config.output.0.target'; the form has parts. Null where the form has no such field. */
export function faultNameOf(
  field: string,
  { output }: Pick<ConfigValues, 'output'>,
): string | null {
  const name = field.replace(/^config\./, '')
  if (isFieldName(name)) return name
  const part = /^output\.(\d+)(?:\.(\w+))?$/.exec(name)
  if (part === null) return name === 'output' ? 'output' : null
  const index = Number(part[1])
  if (index >= output.length) return 'output'
  return `output.${index}.${part[2] === 'type' ? 'type' : 'port'}`
}

/** What a template keeps of the form; null while a field of it is at fault. */
export function settingsOf(values: ConfigValues): TemplateSettings | null {
  const { name: _, title: __, 'card-idx': ___, output: ____, ...settings } = configTree(values)
  return TemplateSettings.safeParse(settings).data ?? null
}
