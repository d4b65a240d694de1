/** What a round of a fault may have changed, and what it may have shown. Pure, as the other model is. */
import type { ProgramState } from '@trunkline/contract/program-state'

/** Processes by program, each by pid and start. */
type Processes = ReadonlyMap<string, ReadonlySet<string>>

/** Programs of which a process has ended, or one more runs, that the fault must not touch. */
export function touchedPrograms(
  before: Processes,
  after: Processes,
  mayTouch: ReadonlySet<string>,
): string[] {
  const programs = new Set([...before.keys(), ...after.keys()])
  return [...programs].filter((program) => {
    if (mayTouch.has(program)) return false
    const [was, is] = [before.get(program) ?? new Set(), after.get(program) ?? new Set()]
    return was.symmetricDifference(is).size > 0
  })
}

/**
 * Of a link that runs all the time a browser may only show that, or that nobody knows: 'unknown' is
 * what an API shows that has just started and has not reached the host yet.
 */
const TRUE_WHILE_RUNNING: ReadonlySet<ProgramState> = new Set(['running', 'unreachable', 'unknown'])

export function wrongStates(
  shown: readonly { id: string; state: ProgramState }[],
  mayChange: ReadonlySet<string>,
): string[] {
  return shown
    .filter(({ id, state }) => !mayChange.has(id) && !TRUE_WHILE_RUNNING.has(state))
    .map(({ id, state }) => `${id} shown as ${state}`)
}

interface State {
  state: ProgramState
  pid: number | null
}

/** Programs that are shown otherwise than they are. */
export function untrueStates(
  real: ReadonlyMap<string, State>,
  shown: ReadonlyMap<string, State>,
): string[] {
  return [...shown].flatMap(([program, { state, pid }]) => {
    const now = real.get(program) ?? { state: 'absent', pid: null }
    if (now.state === state && (now.pid === pid || state !== 'running')) return []
    return [`${program}: shown ${state} ${pid ?? ''}, is ${now.state} ${now.pid ?? ''}`]
  })
}
