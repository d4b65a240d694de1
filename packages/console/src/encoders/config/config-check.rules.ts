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
import { wording } from '@trunkline/contract/wording'
import type { z } from 'zod'
import type { Calculation, Fields } from './config-edit.rules.ts'
import { FIELD_LABELS, FIELD_NAMES, isFieldName, type OutputPart } from './config-field.rules.ts'
import * as text from './config.messages.ts'
import { treeOf, type ConfigValues, type OutputValues } from './config-values.rules.ts'

/** A field, or 'output.0.port'; in the order of the form. */
export type Faults = Readonly<Record<string, string>>

/** Null while a field is at fault. */
export function configOf(values: ConfigValues): EncoderConfig | null {
  return EncoderConfig.safeParse(treeOf(values)).data ?? null
}

/** Of the card indexes of the host only those that other encoders have matter. */
export function faultsOf(values: ConfigValues, taken: EncoderHost['taken']): Faults {
  const faults: Faults = {
    ...schemaFaults(values),
    ...betweenFields(values),
    ...cardFault(values.fields, taken),
    ...pidFaults(values.fields),
    ...outputFaults(values.outputs),
  }
  return Object.fromEntries(
    Object.entries(faults).toSorted(([one], [other]) => placeOf(one) - placeOf(other)),
  )
}

/** Outputs stand after all fields. */
function placeOf(name: string): number {
  return isFieldName(name) ? FIELD_NAMES.indexOf(name) : FIELD_NAMES.length
}

function schemaFaults(values: ConfigValues): Faults {
  const { error } = EncoderConfig.safeParse(treeOf(values), { error: wording })
  const faults: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) {
    const name = path.map(String).join('.')
    // Outputs are looked at part by part below.
    if (isFieldName(name)) faults[name] ??= sentenceAt(name, message)
    else if (name === 'output') faults[name] ??= sentenceAt('Output Settings', message)
  }
  return faults
}

/** A sentence of the schema that begins small goes on from the field's label. */
export function sentenceAt(name: string, message: string): string {
  const label = isFieldName(name) ? FIELD_LABELS[name] : name
  return /^[a-z]/.test(message) ? `${label} ${message}` : message
}

function betweenFields(values: ConfigValues): Faults {
  const config = configOf(values)
  const faults = config === null ? [] : configFaultList(config)
  // Of a target its address has the room for a sentence.
  return Object.fromEntries(
    faults.map(({ field, sentence }) => [field.replace(/\.target$/, '.host'), sentence]),
  )
}

function cardFault(fields: Fields, taken: EncoderHost['taken']): Faults {
  const owner = taken.find(({ cardIdx }) => String(cardIdx) === fields['card-idx'])
  return owner === undefined ? {} : { 'card-idx': text.cardTaken(owner.cardIdx, owner.title) }
}

const PIDS = [
  ['video-stream.pid', 'video'],
  ['audio-stream.pid', 'audio'],
  ['muxer.pmt-pid', 'PMT'],
] as const

/** Q84: both fields of a clash say whose PID it is. */
function pidFaults(fields: Fields): Faults {
  const faults: Record<string, string> = {}
  for (const [name] of PIDS) {
    const owner = PIDS.find(([other]) => other !== name && fields[other] === fields[name])
    if (owner !== undefined && fields[name] !== '') {
      faults[name] = text.pidTaken(fields[name], owner[1])
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
  return message === undefined ? '' : `${text.WOULD_BE} ${result.toLocaleString('en')}: ${message}`
}

/** The API names 'config.output.0.target'; the form has parts. Null where the form has no such field. */
export function faultNameOf(field: string, outputs: number): string | null {
  const name = field.replace(/^config\./, '')
  if (isFieldName(name)) return name
  const output = /^output\.(\d+)(?:\.(\w+))?$/.exec(name)
  if (output === null) return name === 'output' ? 'output' : null
  const index = Number(output[1])
  if (index >= outputs) return 'output'
  return `output.${index}.${output[2] === 'type' ? 'type' : 'port'}`
}

/** What a template keeps of the form; null while a field of it is at fault. */
export function settingsOf(values: ConfigValues): TemplateSettings | null {
  const { name: _, title: __, 'card-idx': ___, output: ____, ...settings } = treeOf(values)
  return TemplateSettings.safeParse(settings).data ?? null
}
