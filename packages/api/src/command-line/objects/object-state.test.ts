import { expect, test } from 'vitest'
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { hostKey } from '@trunkline/contract/fleet/watch-key.rules'
import type { Listed } from './listed-objects.ts'
import { longState, shortState, stateOf } from './object-state.ts'

test('a cause of several sentences is cut short in a table', () => {
  expect(shortState({ word: 'Running', cause: '' })).toBe('Running')
  const text = shortState({
    word: 'Online',
    cause: 'Every user of this host can read it. '.repeat(9).trimEnd(),
  })
  expect(text).toHaveLength(60)
  expect(text).toMatch(/^Online\. Every user .*…$/)
})

test('a cause in sentences follows the time, a phrase stands before it', () => {
  const since = '2026-12-03T08:52:43.129Z'
  const host = { family: 'ok', word: 'Online', cause: 'It is not encrypted.', since } as const
  expect(longState(host)).toBe(`Online since ${since}. It is not encrypted.`)
  expect(longState({ ...host, since: null })).toBe('Online. It is not encrypted.')
  const program = { family: 'warn', word: 'Running', cause: 'waiting for media', since } as const
  expect(longState(program)).toBe(`Running, waiting for media since ${since}`)
})

test('a server whose connection is not encrypted says so, as its row in the console does', () => {
  const id = 'gateway'
  const key = hostKey('server', id)
  const host: HostStatus = {
    id,
    kind: 'server',
    online: true,
    sinceMs: 1000,
    heardAtMs: 1000,
    fault: null,
    cause: '',
    isEncrypted: false,
  }
  const wire: Server = {
    _id: id,
    id,
    title: 'Gateway',
    host: '192.0.2.10',
    port: 8010,
    serverType: 'acants',
    apiKeySet: true,
    description: '',
    location: '',
    groupIds: [],
    groupInfo: [],
    adapterIps: [],
    version: 1,
  }
  const server: Listed = { kind: 'server', wire, id, title: 'Gateway', where: '', watchKeys: [key] }
  const states = { programs: new Map(), hosts: new Map([[key, host]]), streams: new Map() }
  const { family, word, cause } = stateOf(server, states, 2000)
  expect([family, word]).toEqual(['ok', 'Online'])
  expect(cause).toContain('Connection is not encrypted')
})
