/**
 * Stops what runs at once when supervisord reloads or ends: it waits for one program after the
 * other, and starts none before the last has ended. An encoder alone takes 2.4 s, because it sends
 * the rest of its buffer at its usual pace.
 */
import { identityOf, isSameProcess } from '../supervisor/process-identity.ts'
import type { Program } from './program.ts'

/** srt-live-transmit has left in 0.1 s. */
const GRACE_MS = 700

/** supervisord stops each of them as well, in its turn, and is content with those that have ended. */
export function stopAtOnce(programs: readonly Program[]): void {
  const running = programs.flatMap(({ pid, unit }) => {
    const identity = pid === null ? null : identityOf(pid)
    return identity === null ? [] : [{ identity, unit }]
  })
  for (const { identity } of running) signalGroup(identity.pid, 'SIGTERM')
  setTimeout(() => {
    for (const { identity, unit } of running) {
      // A link that ends without a word leaves its far end waiting for 5 s.
      if (unit.output === 'ffmpeg' && isSameProcess(identity)) signalGroup(identity.pid, 'SIGKILL')
    }
  }, GRACE_MS).unref()
}

/** supervisord gives each program a process group of its own. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has gone in this moment, by itself.
  }
}
