/** What is reported of a transport stream, from what was counted in one window or in several that follow. */
import { PIDS_LISTED } from '@trunkline/contract/fleet/transport.rules'
import type {
  MeasuredTransport,
  PcrTiming,
  TransportPid,
} from '@trunkline/contract/fleet/transport.schema'
import type { TakenProgram } from './program-tables.ts'
import { reservedKind, type StreamKind } from './stream-type.rules.ts'
import type { CountedPid, TransportWindow } from './transport-window.ts'

const PACKET_BITS = 188 * 8
/** Bitrates are averages of so many windows at most. */
const RATE_WINDOWS = 5

export type MeasuredHow = Pick<MeasuredTransport, 'mode' | 'everyMs'> &
  Partial<Pick<MeasuredTransport, 'content'>>

/** `windows`: at least one, oldest first. */
export function transportReport(
  windows: readonly TransportWindow[],
  how: MeasuredHow,
): MeasuredTransport {
  const [first, last] = [windows[0], windows.at(-1)]
  if (first === undefined || last === undefined) throw new Error('Nothing was measured.')
  const rated = windows.slice(-RATE_WINDOWS)
  const ratedMs = rated.reduce((ms, { startMs, endMs }) => ms + endMs - startMs, 0)
  const sum = (count: (window: TransportWindow) => number) =>
    windows.reduce((all, window) => all + count(window), 0)
  return {
    state: 'measured',
    content: null,
    ...how,
    fromMs: first.startMs,
    toMs: last.endMs,
    packets: sum(({ packets }) => packets),
    bitrateKbps: kbps(
      rated.reduce((all, { packets }) => all + packets, 0),
      ratedMs,
    ),
    longestSilenceMs: rounded(Math.max(...windows.map((window) => window.longestSilenceMs))),
    syncByteErrors: sum(({ syncByteErrors }) => syncByteErrors),
    syncLosses: sum(({ syncLosses }) => syncLosses),
    transportErrors: sum(({ transportErrors }) => transportErrors),
    crcErrors: sum(({ crcErrors }) => crcErrors),
    pat: timingOf(windows.map(({ pat }) => pat)),
    programs: last.programs.map((program) => programOf(program, windows)),
    pcrs: pcrsOf(windows),
    pids: listed(pidsOf(windows, rated, last.programs), ratedMs),
    pidCount: Math.max(...windows.map(({ pidCount }) => pidCount)),
  }
}

interface Timing {
  sections: number
  longestGapMs: number
}

function timingOf(timings: readonly Timing[]): Timing {
  return {
    sections: timings.reduce((all, { sections }) => all + sections, 0),
    longestGapMs: rounded(Math.max(0, ...timings.map(({ longestGapMs }) => longestGapMs))),
  }
}

function programOf(
  { number, pmtPid, pcrPid }: TakenProgram,
  windows: readonly TransportWindow[],
): MeasuredTransport['programs'][number] {
  const same = windows.flatMap(({ programs }) =>
    programs.filter((each) => each.number === number && each.pmtPid === pmtPid),
  )
  return { number, pmtPid, pcrPid, ...timingOf(same) }
}

function pcrsOf(windows: readonly TransportWindow[]): PcrTiming[] {
  const byPid = new Map<number, PcrTiming>()
  for (const timing of windows.flatMap(({ pcrs }) => pcrs)) {
    if (timing.count === 0) continue
    const known = byPid.get(timing.pid)
    byPid.set(timing.pid, known === undefined ? timing : merged(known, timing))
  }
  return [...byPid.values()].map((timing) => ({
    ...timing,
    longestIntervalMs: rounded(timing.longestIntervalMs),
    jitterMs: rounded(timing.jitterMs),
  }))
}

function merged(a: PcrTiming, b: PcrTiming): PcrTiming {
  return {
    pid: a.pid,
    count: a.count + b.count,
    longestIntervalMs: Math.max(a.longestIntervalMs, b.longestIntervalMs),
    over40Ms: a.over40Ms + b.over40Ms,
    over100Ms: a.over100Ms + b.over100Ms,
    jumps: a.jumps + b.jumps,
    jitterMs: Math.max(a.jitterMs, b.jitterMs),
  }
}

interface SummedPid extends CountedPid, StreamKind {
  ratedPackets: number
}

/** Those that came, and those that should have. */
function pidsOf(
  windows: readonly TransportWindow[],
  rated: readonly TransportWindow[],
  programs: readonly TakenProgram[],
): SummedPid[] {
  const kinds = kindsOf(programs)
  const pids = new Map<number, SummedPid>()
  const entry = (pid: number): SummedPid => {
    const known = pids.get(pid)
    if (known !== undefined) return known
    const kind = kinds.get(pid) ?? reservedKind(pid) ?? { kind: 'unlisted', format: '' }
    const nothing = { packets: 0, continuityErrors: 0, scrambledPackets: 0, ratedPackets: 0 }
    const added = { pid, ...kind, ...nothing }
    pids.set(pid, added)
    return added
  }
  for (const pid of kinds.keys()) entry(pid)
  for (const window of windows) {
    const isRated = rated.includes(window)
    for (const { pid, packets, continuityErrors, scrambledPackets } of window.pids) {
      const summed = entry(pid)
      summed.packets += packets
      summed.continuityErrors += continuityErrors
      summed.scrambledPackets += scrambledPackets
      if (isRated) summed.ratedPackets += packets
    }
  }
  return [...pids.values()]
}

function kindsOf(programs: readonly TakenProgram[]): Map<number, StreamKind> {
  const kinds = new Map<number, StreamKind>()
  for (const { pmtPid, streams } of programs) {
    kinds.set(pmtPid, { kind: 'table', format: 'PMT' })
    for (const { pid, kind, format } of streams) kinds.set(pid, { kind, format })
  }
  return kinds
}

/** Whatever has a name or a fault before what has neither. */
function listed(pids: readonly SummedPid[], ratedMs: number): TransportPid[] {
  const isNamed = ({ kind }: SummedPid) => Number(kind !== 'unlisted')
  const chosen = pids
    .toSorted((a, b) => isNamed(b) - isNamed(a) || b.packets - a.packets)
    .slice(0, PIDS_LISTED)
  return chosen
    .sort((a, b) => a.pid - b.pid)
    .map(({ ratedPackets, ...pid }) => ({ ...pid, bitrateKbps: kbps(ratedPackets, ratedMs) }))
}

/** Bits in a millisecond are kilobits in a second. */
function kbps(packets: number, ms: number): number {
  return ms > 0 ? rounded((packets * PACKET_BITS) / ms) : 0
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
