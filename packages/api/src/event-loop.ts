/**
 * How long the event loop was blocked: what a bench asks the process that it has started. It is
 * measured from the first question on, so that nobody else pays for it.
 */
import { readFileSync } from 'node:fs'

interface LoopGauge {
  type: 'gauge'
  /** The longest time that nothing else had its turn, by our own doing, since the last question, ms. */
  blockedMs: number
  /** The same with the time for which the machine gave the core to others. */
  lateMs: number
  heapUsedMb: number
}

const TICK_MS = 5
const NS_PER_MS = 1e6
const BYTES_PER_MB = 1024 * 1024
/** Of the process's first thread, which is ours: time on a core, time of waiting for one, in ns. */
const SCHEDULING = '/proc/self/schedstat'

/** Answers `{ type: 'gauge' }` of the parent process; does nothing without one. */
export function answerGaugeQuestions(): void {
  if (process.send === undefined) return
  let watch: TurnWatch | null = null
  process.on('message', (message: unknown) => {
    if (!isQuestion(message)) return
    watch ??= watchTurns()
    process.send?.({ ...watch.take(), heapUsedMb: process.memoryUsage().heapUsed / BYTES_PER_MB })
  })
}

function isQuestion(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'type' in message && message.type === 'gauge'
  )
}

interface TurnWatch {
  /** Since it was asked last. */
  take(): Omit<LoopGauge, 'heapUsedMb'>
}

function watchTurns(): TurnWatch {
  let longest = { blockedMs: 0, lateMs: 0 }
  let last = { atMs: performance.now(), waitedMs: waitedMs() }
  const look = () => {
    const now = { atMs: performance.now(), waitedMs: waitedMs() }
    const lateMs = Math.max(0, now.atMs - last.atMs - TICK_MS)
    longest = {
      blockedMs: Math.max(longest.blockedMs, lateMs - (now.waitedMs - last.waitedMs)),
      lateMs: Math.max(longest.lateMs, lateMs),
    }
    last = now
  }
  setInterval(look, TICK_MS).unref()
  return {
    take: () => {
      look()
      const taken = longest
      longest = { blockedMs: 0, lateMs: 0 }
      return { type: 'gauge', ...taken }
    },
  }
}

/** 0 where the machine does not tell. */
function waitedMs(): number {
  try {
    return Number(readFileSync(SCHEDULING, 'utf8').split(' ')[1]) / NS_PER_MS
  } catch {
    return 0
  }
}
