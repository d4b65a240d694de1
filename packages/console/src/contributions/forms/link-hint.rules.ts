/** What stands under a field that is as it was saved: what its number means for this type (Q172). */
import {
  BandwidthKbps,
  LatencyMs,
  MaxBandwidthBytes,
} from '@trunkline/contract/contributions/input.schema'
import { receiversHint } from '@trunkline/contract/contributions/link.rules'
import { bandwidthText, megabitText, safeRttText } from '../../shared/link-rate.rules.ts'
import type { LinkKind } from '../link.rules.ts'
import * as text from './form.messages.ts'
import { type FieldName, type Fields, isSimple } from './link-field.rules.ts'

const FIXED: Partial<Record<FieldName, string>> = {
  'config.compression': text.COMPRESSION_HINT,
  'config.rtl': text.RTL_HINT,
  'config.bufferMin': text.BUFFER_HINT,
  'config.reorderBuffer': text.REORDER_HINT,
  'config.logLevel': text.LOG_LEVEL_HINT,
  'config.statInterval': '500 to 60000 ms.',
  'config.ttl': 'Of the local bus, 0 to 255.',
}

/** An output that listens: how many may call it. */
function modeHint(fields: Fields): string {
  if (fields['contributionId'] === '') return ''
  const mode = fields['config.mode'] === 'Listen' ? 'Listen' : 'Push'
  return receiversHint(fields['inputType'] === 'RIST' ? 'RIST' : 'SRT', mode)
}

const MEANINGS: Partial<Record<FieldName, (fields: Fields) => string>> = {
  'config.mode': modeHint,
  'config.latency': latencyHint,
  'config.maxBandWidth': (fields) => capHint(fields['config.maxBandWidth']),
  'config.bandWidth': (fields) => bandwidthHint(fields['config.bandWidth']),
  'config.port': portHint,
  'config.secondPath.port': portHint,
  'config.multicast': ({ inputType }) =>
    inputType === 'Local' ? text.LOCAL_MULTICAST_HINT : text.MULTICAST_HINT,
}

/** '' for a field that speaks for itself. */
export function hintOf(name: FieldName, fields: Fields): string {
  return MEANINGS[name]?.(fields) ?? FIXED[name] ?? ''
}

function latencyHint(fields: Fields): string {
  const typed = fields['config.latency']
  const { data } = LatencyMs.safeParse(typed)
  if (typed.trim() === '' || data === undefined) return '20 to 30000 ms.'
  return fields['inputType'] === 'RIST' ? text.LATENCY_RIST_HINT : safeRttText(data)
}

function capHint(typed: string): string {
  const { data } = MaxBandwidthBytes.safeParse(typed)
  if (typed.trim() === '' || data === undefined) return 'Bytes per second; 0 for no cap.'
  return data === 0 ? 'No cap.' : `= ${bandwidthText(data)}`
}

function bandwidthHint(typed: string): string {
  const { data } = BandwidthKbps.safeParse(typed)
  if (typed.trim() === '' || data === undefined) return 'Kilobits per second.'
  return `= ${megabitText(data)}`
}

function portHint(fields: Fields): string {
  if (fields['inputType'] === 'Local') return text.LOCAL_PORT_HINT
  return isSimple(fields) ? text.EVEN_PORT_HINT : ''
}

const BITS_PER_BYTE = 8
const BITS_PER_KILOBIT = 1000

/** M6, Q172: '' while the cap is above what the stream has now. `carriedKbps`: null while not measured. */
export function capWarning(fields: Fields, carriedKbps: number | null): string {
  if (fields['inputType'] === 'RIST' || fields['inputType'] === 'Local') return ''
  const { data: cap } = MaxBandwidthBytes.safeParse(fields['config.maxBandWidth'])
  if (cap === undefined || cap === 0 || carriedKbps === null) return ''
  if ((cap * BITS_PER_BYTE) / BITS_PER_KILOBIT >= carriedKbps) return ''
  return text.capTooLow(bandwidthText(cap), megabitText(carriedKbps))
}

/** Table 2.9: an aCANFeeder input waits for its feeder. */
export function modeChoices(kind: LinkKind, fields: Fields) {
  const listen = { value: 'Listen', label: 'Listen', count: null }
  if (kind === 'output') return [{ value: 'Push', label: 'Push', count: null }, listen]
  const push = { value: 'Push', label: text.PUSH_CALLS, count: null }
  return fields['inputType'] === 'aCANFeeder' ? [listen] : [listen, push]
}
