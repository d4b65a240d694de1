import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { movingSince } from '../testing/fake-host.ts'

/** An input without a fault, with a connected far end, read at the moment 0. */
export const RUNNING_INPUT: ProgramStatus = {
  kind: 'input',
  id: 'a',
  state: 'running',
  wanted: 'running',
  sinceMs: 0,
  startedAtMs: 0,
  pid: 1,
  cause: '',
  restarts: 0,
  peer: 'connected',
  observed: movingSince(0),
  reading: null,
  waitsForHost: false,
  waitsForRestart: false,
  changedByHand: '',
  readAtMs: 0,
}
