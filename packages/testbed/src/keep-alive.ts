/** Starts a process of ours again whenever it ends by itself. */
import { setTimeout as pause } from 'node:timers/promises'
import type { OwnProcess } from './child.ts'

export interface KeptProcess {
  name: string
  current: () => OwnProcess
  /** Replaces the current one, or rejects. */
  restart: () => Promise<void>
  say: (line: string) => void
  /** Ends the keeping; the process itself is left to whoever aborts. */
  signal: AbortSignal
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** What has run so long does not fail at its start. */
const WELL_AFTER_MS = 60_000

/** Resolves once `signal` has ended it, and no start of the process is under way. */
export async function keepAlive({ name, current, restart, say, signal }: KeptProcess) {
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve())
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    const startedAtMs = performance.now()
    const code = await Promise.race([current().ended, aborted])
    if (signal.aborted) return
    if (performance.now() - startedAtMs > WELL_AFTER_MS) pauseMs = FIRST_PAUSE_MS
    const how = typeof code === 'number' ? `code ${code}` : 'by a signal'
    say(`${name} ended by itself (${how}) and is started again. Streams run on.`)
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    if (signal.aborted) return
    try {
      await restart()
      say(`${name} runs again.`)
    } catch (error) {
      if (!signal.aborted) say(error instanceof Error ? error.message : String(error))
    }
  }
}
