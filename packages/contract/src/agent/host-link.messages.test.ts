import { expect, test } from 'vitest'
import { HostMessage } from './host-link.messages.ts'

const DISK = { path: '/srv', freeBytes: 5e8, totalBytes: 1e9, state: 'ok' }
const CAPABILITIES = {
  agentVersion: '9.0.0',
  tools: {},
  encoders: [],
  sources: [],
  adapters: [],
  localBus: { works: true, reason: '' },
}

function hello(health: unknown) {
  const programs: unknown[] = []
  return {
    type: 'hello',
    seatKind: 'acants',
    nowMs: 1,
    capabilities: CAPABILITIES,
    programs,
    health,
  }
}

test('accepts the hello of a newer agent whose disk state is unknown, and keeps the other health', () => {
  const health = { disk: { ...DISK, state: 'failing' }, supervisorSilent: true }
  const message = HostMessage.parse(hello(health))
  expect(message).toMatchObject({ type: 'hello', health: { disk: DISK, supervisorSilent: true } })
  expect(HostMessage.parse({ type: 'health', health })).toEqual({
    type: 'health',
    health: { disk: DISK, supervisorSilent: true },
  })
})

test.each([
  ['none', undefined],
  ['one of another shape', { disks: [DISK] }],
  ['one with sizes that are no numbers', { disk: { ...DISK, freeBytes: '5e8' } }],
])('accepts a hello whose health is %s, as if the agent did not report it', (_, health) => {
  const message = HostMessage.parse(hello(health))
  expect(message).toMatchObject({ type: 'hello', nowMs: 1 })
  expect(message.type === 'hello' && message.health).toBeUndefined()
})

test('treats a failure code that is unknown as failed, and keeps its message', () => {
  const failure = { code: 'quota_exceeded', message: 'The quota of this host is used up.' }
  expect(HostMessage.parse({ type: 'failure', id: 1, failure })).toEqual({
    type: 'failure',
    id: 1,
    failure: { ...failure, code: 'failed' },
  })
})

test('accepts readings of an older agent, and passes over a transport stream of a newer one', () => {
  const older = { type: 'readings', nowMs: 1, readings: [] }
  expect(HostMessage.parse(older)).toEqual(older)
  const report = { state: 'unread', reason: 'unicast', atMs: 1 }
  const transports = [
    { programId: 'input-a', report: { state: 'postponed' } },
    { programId: 'input-b', report },
    { programId: 'input-c', report: null },
  ]
  expect(HostMessage.parse({ ...older, transports })).toMatchObject({
    transports: [
      { programId: 'input-b', report },
      { programId: 'input-c', report: null },
    ],
  })
})
