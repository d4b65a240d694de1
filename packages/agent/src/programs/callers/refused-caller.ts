/**
 * Ends SRT callers that were refused and hang since. Of a hundred refusals some leave srt-live-transmit
 * (with libsrt 1.5.1) waiting: it neither tries again nor exits, also once the passphrases agree (3 of 53,
 * tried). At a TERM it exits as after any refusal, and its script calls again after the usual pause.
 */
import type { Context } from '../../context.ts'
import { childrenOf, endProcesses } from '../../supervisor/process-identity.ts'
import { peerOf, type Program } from '../program.ts'

const LOOK_MS = 500
/** A caller that is refused exits within 20 ms, and calls again 2 s later (program-file.ts). */
const HANGS_AFTER_MS = 4000
/** It takes 60 ms. */
const GRACE_MS = 2000

export function watchRefusedCallers(ctx: Context): Disposable {
  const callers = new RefusedCallers()
  const timer = setInterval(() => {
    for (const { id, pid } of callers.hanging(ctx.board.all(), performance.now())) {
      ctx.log.warn({ programId: id }, 'its call was refused and hangs: it is ended, to call again')
      // The tool below the script, or else the script's pause: neither ends the script.
      void endProcesses(childrenOf(pid), GRACE_MS)
    }
  }, LOOK_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

export class RefusedCallers {
  /** By program: which try was refused, and when that was seen first. */
  readonly #refused = new Map<string, { attempt: string; sinceMs: number }>()

  /** Those that have not moved since they were refused, with the process of their script. */
  hanging(programs: Iterable<Program>, nowMs: number): { id: string; pid: number }[] {
    const hanging: { id: string; pid: number }[] = []
    const seen = new Set<string>()
    for (const program of programs) {
      const { id, pid } = program
      if (pid === null || !isRefused(program)) continue
      seen.add(id)
      const attempt = `${pid} ${program.peer.tries}`
      const known = this.#refused.get(id)
      if (known?.attempt !== attempt) this.#refused.set(id, { attempt, sinceMs: nowMs })
      else if (nowMs - known.sinceMs >= HANGS_AFTER_MS) {
        hanging.push({ id, pid })
        this.#refused.set(id, { attempt, sinceMs: nowMs })
      }
    }
    for (const id of this.#refused.keys()) if (!seen.has(id)) this.#refused.delete(id)
    return hanging
  }
}

function isRefused(program: Program): boolean {
  const { unit, state, peer } = program
  const isCaller = unit.output === 'srt' && unit.repeat === 'after-clean-exit'
  return isCaller && state === 'running' && peer.rejections > 0 && peerOf(program) !== 'connected'
}
