import { isStoppedByIntent, type ProgramState } from '@trunkline/contract/program-state'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'

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
