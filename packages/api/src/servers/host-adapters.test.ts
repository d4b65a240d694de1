/** What a form of a server offers as adapters. */
import { readHostAdapters } from '@trunkline/contract/servers/host-adapters.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { expect, onTestFinished, test } from 'vitest'
import { FAKE_KEY, FakeHost } from '../testing/fake-host.ts'
import { openTestSite } from '../testing/test-site.ts'

const ADAPTERS = [
  { name: 'lo', ip: '127.0.0.1' },
  { name: 'eth0', ip: '192.0.2.10' },
]

test('the adapters that a linked host has reported are answered by its name, and none of another', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const host = await FakeHost.open({ seatKind: 'acants', capabilities: { adapters: ADAPTERS } })
  onTestFinished(async () => host[Symbol.asyncDispose]())
  const adaptersOf = async (name: string) =>
    (await site.call('admin', readHostAdapters, { query: { host: name } })).answer.data
  const { status } = await site.call('admin', addServer, {
    body: {
      title: 'Gateway',
      host: 'LOCALHOST',
      port: host.port,
      serverType: 'acants',
      apiKey: FAKE_KEY,
      groupIds: [site.north],
      adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
    },
  })
  expect(status).toBe(201)
  await site.ctx.hosts.linked({ host: 'localhost', port: host.port })
  const known = [
    { adapterName: 'lo', adapterIp: '127.0.0.1' },
    { adapterName: 'eth0', adapterIp: '192.0.2.10' },
  ]
  expect(await adaptersOf('localhost')).toEqual(known)
  expect(await adaptersOf('http://LocalHost')).toEqual(known)
  expect(await adaptersOf('192.0.2.77')).toEqual([])
  expect(await adaptersOf('')).toEqual([])
  const refused = await site.call('northManager', readHostAdapters, {
    query: { host: 'localhost' },
  })
  expect(refused.status).toBe(403)
})
