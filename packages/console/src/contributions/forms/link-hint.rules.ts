/** What stands under a field that is as it was saved: what its number means for this type (Q172). */
import { LatencyMs } from '@trunkline/contract/contributions/input.schema'
import { receiversHint } from '@trunkline/contract/contributions/link.rules'
import { bandwidthOf, bytesPerSecondOf, maxBandwidthHint } from '../../shared/bandwidth.rules.ts'
import { megabitText, safeRttText } from '../../shared/link-rate.rules.ts'
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
  'config.maxBandWidth': (fields) => maxBandwidthHint(fields['config.maxBandWidth']),
  'config.bandWidth': ristBandwidthHint,
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

/** What RIST's tool makes of 0 is not known, so nothing is said of it. */
function ristBandwidthHint(fields: Fields): string {
  const typed = fields['config.bandWidth']
  return /^[1-9]/.test(typed) ? maxBandwidthHint(typed) : ''
}

function portHint(fields: Fields): string {
  if (fields['inputType'] === 'Local') return text.LOCAL_PORT_HINT
  return isSimple(fields) ? text.EVEN_PORT_HINT : ''
}

/** M6, Q172: '' while the cap is above what the stream has now. `carriedKbps`: null while not measured. */
export function capWarning(fields: Fields, carriedKbps: number | null): string {
  if (fields['inputType'] === 'RIST' || fields['inputType'] === 'Local') return ''
  const typed = fields['config.maxBandWidth']
  if (bytesPerSecondOf(typed) === null || carriedKbps === null) return ''
  const capKbps = Number(typed)
  if (capKbps === 0 || capKbps >= carriedKbps) return ''
  return text.capTooLow(bandwidthOf(capKbps), megabitText(carriedKbps))
}

/** Table 2.9: an aCANFeeder input waits for its feeder. */
export function modeChoices(kind: LinkKind, fields: Fields) {
  const listen = { value: 'Listen', label: 'Listen', count: null }
  if (kind === 'output') return [{ value: 'Push', label: 'Push', count: null }, listen]
  const push = { value: 'Push', label: text.PUSH_CALLS, count: null }
  return fields['inputType'] === 'aCANFeeder' ? [listen] : [listen, push]
}
