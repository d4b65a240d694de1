/** What the checks of a transport stream say, and to whom it matters. */
import {
  PCR_ADVISED_MS,
  PCR_LIMIT_MS,
  TABLE_LIMIT_MS,
  type TransportFault,
} from '@trunkline/contract/fleet/transport.rules'
import type {
  MeasuredTransport,
  PidKind,
  TransportContent,
  TransportPid,
  UnreadTransport,
} from '@trunkline/contract/fleet/transport.schema'
import { decimalText } from '@trunkline/contract/number-text.rules'
import { agoText, durationText, numberText } from '../../shared/format.ts'

export const TRANSPORT_LABEL = 'Transport stream'
export const TRANSPORT_NONE =
  'No figures yet. A running link is measured within a minute; its host needs an agent of this version.'
export const TRANSPORT_CLEAN =
  'No errors in sync, PAT, PMT, continuity, PCR intervals, transport error indicator and scrambling.'
export const JITTER_HINT =
  'Latest minus earliest arrival within 2 s, against the PCR values. It contains the network and this host; the PCR accuracy of the multiplexer cannot be measured this way.'

export const UNREAD_TEXT: Record<UnreadTransport['reason'], string> = {
  unicast:
    'Not measured: the local bus of this link is not a multicast group. Reading it would take packets from the link.',
  overloaded:
    'Not measured: the host was too busy to read every packet, so errors could not be told from its own losses.',
  failed: 'Not measured: the host could not read the local bus. The log of its agent says why.',
}

export const CONTENT_TEXT: Record<'black' | 'frozen' | 'moving' | 'silent' | 'heard', string> = {
  black: 'Black picture',
  frozen: 'Frozen picture',
  moving: 'Moving',
  silent: 'Silent audio',
  heard: 'Heard',
}
export const LEVEL_HINT = 'Peak level of the last check, in dBFS.'

/** When picture and sound were looked at last, and how often that is. */
export function lookedText(content: TransportContent, nowMs: number): string {
  const { atMs, everyMs, picture, peakDbfs } = content
  if (picture === null && peakDbfs === null) {
    return `Neither picture nor audio could be decoded, tried ${agoText(nowMs - atMs)}.`
  }
  return `Picture and audio decoded ${agoText(nowMs - atMs)}, every ${Math.round(everyMs / 1000)} s; more often when a fault is suspected.`
}

/** 'Black picture for 0:12.' */
export function contentFaultText(
  { kind, sinceMs }: { kind: keyof typeof CONTENT_TEXT; sinceMs: number },
  nowMs: number,
): string {
  return `${CONTENT_TEXT[kind]} for ${durationText(Math.max(0, nowMs - sinceMs))}.`
}

/** Without gaps there is something new every two seconds. */
const OVERDUE_MS = 10_000

/** Sampled when and for how long, or counted over how long. */
export function measuredText(report: MeasuredTransport, nowMs: number): string {
  const { mode, fromMs, toMs, everyMs } = report
  const spanMs = toMs - fromMs
  if (mode === 'continuous') {
    const isOver = nowMs - toMs > OVERDUE_MS
    const end = isOver ? ` until ${agoText(nowMs - toMs)}` : ''
    return `measured continuously${end}, last ${durationText(spanMs)}`
  }
  const every = everyMs === null ? '' : `, every ${Math.round(everyMs / 1000)} s`
  return `sampled ${agoText(nowMs - toMs)} for ${secondsText(spanMs)}${every}`
}

/** '2 s', '0.8 s', '12.3 s'. */
export function secondsText(ms: number): string {
  return `${decimalText(Number((ms / 1000).toFixed(1)), null)} s`
}

const KIND_TEXT: Record<PidKind, string> = {
  table: 'Table',
  video: 'Video',
  audio: 'Audio',
  data: 'Data',
  null: 'Null packets',
  unlisted: 'Not in any PMT',
}

export function pidText({ kind, format }: TransportPid): string {
  return format === '' ? KIND_TEXT[kind] : `${KIND_TEXT[kind]}, ${format}`
}

/** What is wrong, and how much of it, in a sentence. */
export function faultText(fault: TransportFault, pids: readonly TransportPid[]): string {
  const longest = fault.longestMs ?? 0
  const on = nameOf(fault.pid, pids)
  const times = (word: string, plural: string) => countText(fault.count ?? 0, word, plural)
  switch (fault.kind) {
    case 'silent':
      return 'No packets on the local bus.'
    case 'sync-loss':
      return `Sync lost ${fault.count === 1 ? 'once' : times('time', 'times')}: the data there is not a transport stream, or packets were cut.`
    case 'interrupted':
      return `Interrupted for ${secondsText(longest)}: no packets came.`
    case 'no-pat':
      return 'No PAT: receivers cannot find the programs.'
    case 'pat-late':
      return `PAT missing for ${secondsText(longest)} (limit ${secondsText(TABLE_LIMIT_MS)}).`
    case 'no-pmt':
      return `No PMT on ${on}: receivers cannot find video and audio.`
    case 'pmt-late':
      return `PMT missing for ${secondsText(longest)} on ${on} (limit ${secondsText(TABLE_LIMIT_MS)}).`
    case 'continuity':
      return `${times('continuity error', 'continuity errors')} on ${on}: packets are missing or out of order.`
    case 'pid-missing':
      return `No packets on ${on}, which the PMT announces.`
    case 'transport-error':
      return `${times('packet', 'packets')} marked as damaged by the sender (transport error indicator).`
    case 'crc':
      return `${times('checksum error', 'checksum errors')} in PAT or PMT.`
    case 'no-pcr':
      return `No PCR on ${on}: decoders have no clock.`
    case 'pcr-late':
      return `PCR interval up to ${numberText(longest)} ms on ${on} (limit ${PCR_LIMIT_MS} ms).`
    case 'pcr-slow':
      return `PCR interval up to ${numberText(longest)} ms on ${on} (recommended: at most ${PCR_ADVISED_MS} ms).`
    case 'pcr-jump':
      return `${times('unannounced PCR jump', 'unannounced PCR jumps')} on ${on}.`
    case 'scrambled':
      return `${times('scrambled packet', 'scrambled packets')} on ${on}: they cannot be decoded without a key.`
    case 'sync-byte':
      return `${times('packet', 'packets')} with a wrong sync byte.`
  }
}

export function countText(count: number, word: string, plural: string): string {
  return `${numberText(count)} ${count === 1 ? word : plural}`
}

/** 'PID 512 (Video, H.264)'. */
function nameOf(pid: number | null, pids: readonly TransportPid[]): string {
  const known = pids.find((each) => each.pid === pid)
  const isNamed = known !== undefined && known.kind !== 'unlisted' && known.kind !== 'table'
  return `PID ${pid ?? 0}${isNamed ? ` (${pidText(known)})` : ''}`
}
