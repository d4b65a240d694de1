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
  /** The longest of these times on the core: without waiting for disks, locks and the threads that collect garbage. */
  ranMs: number
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
  let longest = NONE
  let last = { atMs: performance.now(), ...scheduled() }
  const look = () => {
    const now = { atMs: performance.now(), ...scheduled() }
    const lateMs = Math.max(0, now.atMs - last.atMs - TICK_MS)
    longest = {
      blockedMs: Math.max(longest.blockedMs, lateMs - (now.waitedMs - last.waitedMs)),
      lateMs: Math.max(longest.lateMs, lateMs),
      ranMs: Math.max(longest.ranMs, Math.min(lateMs, now.ranMs - last.ranMs)),
    }
    last = now
  }
  setInterval(look, TICK_MS).unref()
  return {
    take: () => {
      look()
      const taken = longest
      longest = NONE
      return { type: 'gauge', ...taken }
    },
  }
}

const NONE = { blockedMs: 0, lateMs: 0, ranMs: 0 }

/** 0 where the machine does not tell. */
function scheduled(): { ranMs: number; waitedMs: number } {
  try {
    const [ran, waited] = readFileSync(SCHEDULING, 'utf8').split(' ')
    return { ranMs: Number(ran) / NS_PER_MS, waitedMs: Number(waited) / NS_PER_MS }
  } catch {
    return { ranMs: 0, waitedMs: 0 }
  }
}
