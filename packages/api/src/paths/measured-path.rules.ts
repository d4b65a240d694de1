/** What the stored steps of a link say of the path between its two ends. */
import type { MeasuredPath } from '@trunkline/contract/paths/latency.calls'
import type { LinkSample } from '../links/history/history.rules.ts'

type Counted = Pick<LinkSample, 'atS' | 'packets' | 'lost' | 'resent'>
type Step = Counted & Pick<LinkSample, 'stepS' | 'rttMaxMs'>

const MINUTE_S = 60

/**
 * @param steps of the link itself, in order of time
 * @param received those of its receiving end; null where that is not known
 * @returns null without any RTT
 */
export function measuredPath(
  steps: readonly Step[],
  received: readonly Counted[] | null,
): MeasuredPath | null {
  const timed = steps.filter(({ rttMaxMs }) => rttMaxMs !== null)
  const [first, last] = [timed[0], timed.at(-1)]
  if (first === undefined || last === undefined) return null
  const roundTripsMs = timed.map(({ rttMaxMs }) => rttMaxMs ?? 0).toSorted((a, b) => a - b)
  return {
    steps: timed.length,
    firstAtMs: first.atS * 1000,
    lastAtMs: (last.atS + last.stepS) * 1000,
    rttMs: {
      median: percentile(roundTripsMs, 50),
      p95: percentile(roundTripsMs, 95),
      highest: percentile(roundTripsMs, 100),
    },
    loss: (received && lossOf(received, 'receiver')) ?? lossOf(steps, 'sender'),
  }
}

/** Null without packets. */
function lossOf(steps: readonly Counted[], countedBy: 'receiver' | 'sender'): MeasuredPath['loss'] {
  const share = (some: readonly Counted[]) => {
    const packets = sum(some, 'packets')
    if (countedBy === 'sender') {
      return packets === 0 ? null : Math.min(100, (sum(some, 'resent') / packets) * 100)
    }
    const lost = sum(some, 'lost')
    return packets + lost === 0 ? null : (lost / (packets + lost)) * 100
  }
  const percent = share(steps)
  if (percent === null) return null
  const minutes = Map.groupBy(steps, ({ atS }) => Math.floor(atS / MINUTE_S))
  const shares = [...minutes.values()].flatMap((minute) => share(minute) ?? [])
  const worstPercent = percentile(
    shares.toSorted((a, b) => a - b),
    95,
  )
  return { percent, worstPercent, countedBy }
}

function sum(steps: readonly Counted[], name: 'packets' | 'lost' | 'resent'): number {
  return steps.reduce((total, step) => total + step[name], 0)
}

/** The nearest rank of values in ascending order. */
function percentile(ascending: readonly number[], percent: number): number {
  return ascending[Math.ceil((ascending.length * percent) / 100) - 1] ?? 0
}
