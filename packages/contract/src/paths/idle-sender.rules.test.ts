/** Senders that run while what they send to is off on purpose. */
import { expect, test } from 'vitest'
import type { StateView } from '../fleet/state-view.rules.ts'
import type { JudgedHop } from './hop-reason.rules.ts'
import type { HopKind } from './path.schema.ts'
import { graphOf, verdictOf } from './verdict.rules.ts'

const RUNS: StateView = { family: 'ok', shape: 'disc', word: 'Running', cause: '', sinceMs: null }
const OFF: StateView = { ...RUNS, family: 'off', shape: 'square', word: 'Stopped' }

function hop(kind: HopKind, side: 'before' | 'self' | 'behind', state: StateView): JudgedHop {
  return {
    isShown: true,
    key: `${kind} 1`,
    side,
    kind,
    title: kind,
    server: 'GW',
    hostKey: 'GW',
    link: null,
    state,
    status: null,
    sourceError: '',
    takenPorts: [],
  }
}

test.each<[HopKind, HopKind, string]>([
  ['feeder', 'input', "Feeder 'feeder' on GW runs. The input that it sends to is off."],
  ['output', 'channel', "Output 'output' on GW runs. The channel that it sends to is off."],
])('%s: no trouble, and its path says that the %s is off', (sender, receiver, text) => {
  const idle: StateView = {
    ...RUNS,
    family: 'off',
    shape: 'half-disc',
    cause: `${receiver} is off`,
  }
  const hops = [
    hop('encoder', 'before', RUNS),
    hop(sender, 'self', idle),
    hop(receiver, 'behind', { ...OFF, word: receiver === 'channel' ? 'Disabled' : 'Stopped' }),
  ]
  const edges = [
    { before: 'encoder 1', behind: `${sender} 1` },
    { before: `${sender} 1`, behind: `${receiver} 1` },
  ]
  const verdict = verdictOf(hops, graphOf(hops, edges))
  expect(verdict).toMatchObject({ family: 'off', text, troubles: [] })
})
