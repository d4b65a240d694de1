/** What is wrong with a transport stream that was measured, the worst first. */
import type { MeasuredTransport, TransportPid } from './transport.schema.ts'

/** Of a report. A stream of the air has a dozen PIDs; what is none has thousands. */
export const PIDS_LISTED = 64
export const PROGRAMS_LISTED = 16
export const PCRS_LISTED = 16

/** ETSI TR 101 290, 1.3.a and 1.5.a: a PAT, and each PMT, at least every 0.5 s. */
export const TABLE_LIMIT_MS = 500
/** TR 101 290, 2.3.a. */
export const PCR_LIMIT_MS = 100
/** What DVB recommends (ETSI TS 101 154). */
export const PCR_ADVISED_MS = 40
/** Below this a stream that comes in bursts is not called interrupted. */
const SILENCE_LIMIT_MS = 500

/**
 * In the order of their weight: what stands first is often the cause of what follows. `pid` null: of
 * the stream as a whole. `count`, `longestMs`: null where there is no such figure.
 */
export const TRANSPORT_FAULTS = [
  'silent',
  'sync-loss',
  'interrupted',
  'no-pat',
  'pat-late',
  'no-pmt',
  'pmt-late',
  'continuity',
  'pid-missing',
  'transport-error',
  'crc',
  'no-pcr',
  'pcr-late',
  'pcr-jump',
  'scrambled',
  'sync-byte',
  'pcr-slow',
] as const
type TransportFaultKind = (typeof TRANSPORT_FAULTS)[number]

export interface TransportFault {
  kind: TransportFaultKind
  pid: number | null
  count: number | null
  longestMs: number | null
}

/** What a receiver may well play all the same. */
export function isNotice({ kind }: TransportFault): boolean {
  return kind === 'pcr-slow'
}

/** No faults: all that is checked is well. */
export function transportFaults(measured: MeasuredTransport): TransportFault[] {
  if (measured.bitrateKbps === 0) return [fault('silent', { longestMs: measured.longestSilenceMs })]
  const faults = [
    ...streamFaults(measured),
    ...tableFaults(measured),
    ...measured.pids.flatMap(pidFaults),
    ...pcrFaults(measured),
  ]
  const rank = ({ kind }: TransportFault) => TRANSPORT_FAULTS.indexOf(kind)
  return faults.sort((a, b) => rank(a) - rank(b))
}

function fault(
  kind: TransportFaultKind,
  more: Partial<Omit<TransportFault, 'kind'>> = {},
): TransportFault {
  return { kind, pid: null, count: null, longestMs: null, ...more }
}

function streamFaults(measured: MeasuredTransport): TransportFault[] {
  const { syncLosses, syncByteErrors, longestSilenceMs, transportErrors, crcErrors } = measured
  return [
    ...(syncLosses > 0 ? [fault('sync-loss', { count: syncLosses })] : []),
    ...(syncLosses === 0 && syncByteErrors > 0
      ? [fault('sync-byte', { count: syncByteErrors })]
      : []),
    ...(longestSilenceMs > SILENCE_LIMIT_MS
      ? [fault('interrupted', { longestMs: longestSilenceMs })]
      : []),
    ...(transportErrors > 0 ? [fault('transport-error', { count: transportErrors })] : []),
    ...(crcErrors > 0 ? [fault('crc', { count: crcErrors })] : []),
  ]
}

function tableFaults({ pat, programs }: MeasuredTransport): TransportFault[] {
  const late = (longestGapMs: number) => longestGapMs > TABLE_LIMIT_MS
  const pats =
    pat.sections === 0
      ? [fault('no-pat', { pid: 0 })]
      : late(pat.longestGapMs)
        ? [fault('pat-late', { pid: 0, longestMs: pat.longestGapMs })]
        : []
  const pmts = programs.flatMap(({ pmtPid, sections, longestGapMs }) => {
    if (sections === 0) return [fault('no-pmt', { pid: pmtPid })]
    return late(longestGapMs) ? [fault('pmt-late', { pid: pmtPid, longestMs: longestGapMs })] : []
  })
  return [...pats, ...pmts]
}

function pidFaults(of: TransportPid): TransportFault[] {
  const { pid, kind, bitrateKbps, continuityErrors, scrambledPackets } = of
  // Subtitles and signals come when there is something to say.
  const isMissing = bitrateKbps === 0 && (kind === 'video' || kind === 'audio')
  return [
    ...(continuityErrors > 0 ? [fault('continuity', { pid, count: continuityErrors })] : []),
    ...(isMissing ? [fault('pid-missing', { pid })] : []),
    ...(scrambledPackets > 0 ? [fault('scrambled', { pid, count: scrambledPackets })] : []),
  ]
}

function pcrFaults({ programs, pcrs }: MeasuredTransport): TransportFault[] {
  const came = new Set(pcrs.filter(({ count }) => count > 0).map(({ pid }) => pid))
  const wanted = new Set(programs.flatMap(({ pcrPid }) => pcrPid ?? []))
  const missing = [...wanted].filter((pid) => !came.has(pid)).map((pid) => fault('no-pcr', { pid }))
  const timing = pcrs.flatMap(({ pid, over40Ms, over100Ms, longestIntervalMs, jumps }) => [
    ...(over100Ms > 0
      ? [fault('pcr-late', { pid, count: over100Ms, longestMs: longestIntervalMs })]
      : []),
    ...(over100Ms === 0 && over40Ms > 0
      ? [fault('pcr-slow', { pid, count: over40Ms, longestMs: longestIntervalMs })]
      : []),
    ...(jumps > 0 ? [fault('pcr-jump', { pid, count: jumps })] : []),
  ])
  return [...missing, ...timing]
}
