/** Whether a command takes anything away: what does not run cannot be interrupted. Pure. */
import type { ProgramState } from '@trunkline/contract/program-state'

/** A program in its retry pause is down, but comes back by itself unless it is stopped. */
const DOWN: ReadonlySet<ProgramState> = new Set(['stopped', 'exited', 'fatal', 'absent'])

/** Of a program whose host is silent nothing is known: it may run. */
export function mayInterrupt(
  command: 'stop' | 'restart' | 'disable',
  state: ProgramState | undefined,
): boolean {
  if (state === undefined) return true
  return !DOWN.has(state) && !(command === 'restart' && state === 'backoff')
}
