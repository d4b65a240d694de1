import { expect, test } from 'vitest'
import type { ProgramStatus } from '../fleet/fleet.schema.ts'
import { viewOfEncoder } from '../fleet/state-view.rules.ts'
import { HOST_NOT_HEARD, SILENT_HOST } from '../program-state.ts'
import { factsOfHop, stateOfHop } from './hop-state.rules.ts'
import type { JudgedHop } from './hop-reason.rules.ts'
import { graphOf, verdictOf } from './verdict.rules.ts'

const FRESHNESS = { nowMs: 100_000, isLoaded: true, brokenSinceMs: null }
const ENCODER = {
  kind: 'encoder',
  id: 'e',
  isEnabled: true,
  isConfigured: true,
  inputType: null,
  link: null,
} as const

function statusOf(parts: Partial<ProgramStatus>): ProgramStatus {
  return {
    kind: 'encoder',
    id: 'e',
    state: 'unknown',
    wanted: 'stopped',
    sinceMs: 40_000,
    startedAtMs: null,
    pid: null,
    readAtMs: null,
    cause: HOST_NOT_HEARD,
    restarts: 0,
    waitsForHost: false,
    waitsForRestart: false,
    changedByHand: '',
    peer: '',
    reading: null,
    observed: null,
    ...parts,
  }
}

function pathOf(parts: Partial<ProgramStatus>) {
  const status = statusOf(parts)
  const reading = 'unread' as const
  const evidence = { status, reading, readAtMs: null, server: null, freshness: FRESHNESS }
  const state = stateOfHop(ENCODER, evidence)
  const hop: JudgedHop = {
    ...ENCODER,
    isShown: true,
    key: 'encoder e',
    side: 'self',
    title: 'OB van',
    server: '10.20.4.11',
    hostKey: 'host 1',
    state,
    status,
    sourceError: '',
    takenPorts: [],
  }
  const { family, text, troubles } = verdictOf([hop], graphOf([hop], []))
  const listed = viewOfEncoder({ ...ENCODER, status, freshness: FRESHNESS })
  return {
    listed,
    state,
    facts: factsOfHop(ENCODER, evidence),
    verdict: { family, text, troubles },
  }
}

const NOT_SET_TO_RUN = "Encoder 'OB van' on 10.20.4.11 is not set to run."

test.each<[string, Partial<ProgramStatus>, string, RegExp]>([
  [
    'its host was never heard',
    {},
    'Offline, host not heard of yet',
    /Its host has not answered yet, so it is not known whether it is running\. If this stays, check power, network and agent of 10\.20\.4\.11\.$/,
  ],
  [
    'its host is silent',
    { state: 'unreachable', cause: SILENT_HOST, readAtMs: 39_000 },
    'Offline, host unreachable',
    /Its host does not answer, so it is not known whether it is running\. Check power, network and agent/,
  ],
  [
    'its host has no such program',
    { state: 'absent', cause: '' },
    'Offline, not installed',
    /The host has no such program yet\.$/,
  ],
  [
    'it failed before it was stopped',
    { state: 'fatal', cause: 'No such card' },
    'Error, No such card',
    /Its program does not run: No such card\. Read the log/,
  ],
])(
  'a hop that is not set to run has the words of its list when %s',
  (_what, parts, fact, reason) => {
    const { listed, state, facts, verdict } = pathOf(parts)
    expect(state).toEqual(listed)
    expect(state.family).toBe('off')
    const readAtMs = parts.readAtMs ?? null
    expect(facts).toMatchObject([{ name: 'process', text: fact, sinceMs: 40_000, readAtMs }])
    expect(verdict).toMatchObject({ family: 'off', troubles: [] })
    expect(verdict.text.startsWith(NOT_SET_TO_RUN)).toBe(true)
    expect(verdict.text).toMatch(reason)
  },
)

test('one that is to run on a host that was never heard is bad, and not called dead', () => {
  const { state, verdict } = pathOf({ wanted: 'running' })
  expect(state).toMatchObject({ family: 'blind', cause: 'host not heard of yet' })
  expect(verdict.text).toMatch(/^First bad hop: encoder 'OB van'.* Its host has not answered yet/)
})

test('what its host says is stopped is stopped on purpose', () => {
  const { state, verdict } = pathOf({ state: 'stopped', cause: '' })
  expect(state).toMatchObject({ family: 'off', shape: 'square', word: 'Stopped' })
  expect(verdict.text).toMatch(/is stopped on purpose\. Start it to send the stream\.$/)
})
