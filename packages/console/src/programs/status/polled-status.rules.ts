import { isStoppedByIntent, type ProgramState } from '@trunkline/contract/program-state'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { StateInput, StateView } from '@trunkline/contract/fleet/state-view.rules'
import { STATE_WORDS } from '@trunkline/contract/fleet/state-words'

/** An answer to a status call as a status: what it does not say is unknown, so it proves no media. */
export function answeredStatus(
  program: Pick<ProgramStatus, 'kind' | 'id'>,
  says: Pick<ProgramStatus, 'state' | 'wanted' | 'cause'>,
  readAtMs: number,
): ProgramStatus {
  return {
    ...program,
    ...says,
    sinceMs: readAtMs,
    startedAtMs: null,
    pid: null,
    restarts: 0,
    peer: '',
    observed: null,
    reading: null,
    waitsForHost: false,
    waitsForRestart: false,
    changedByHand: '',
    readAtMs,
  }
}

/** An answer does not say what is wanted: of what ended quietly nobody wants more. */
export function wantedIn(state: ProgramState): ProgramStatus['wanted'] {
  return isStoppedByIntent({ state, wanted: 'stopped' }) ? 'stopped' : 'running'
}

/** The answer to a poll speaks of the process only, so it cannot call the whole well. */
export function processOnlyView(kind: StateInput['kind'], view: StateView): StateView {
  if (view.word !== STATE_WORDS.running) return { ...view, sinceMs: null }
  return {
    ...view,
    family: 'blind',
    shape: 'diamond-question',
    cause: kind === 'encoder' ? 'media not read' : 'link not read',
    sinceMs: null,
  }
}
