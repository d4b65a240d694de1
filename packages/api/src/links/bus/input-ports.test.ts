/** Ports and groups of inputs: each is one owner's, whoever that is, and a refused save touches nothing. */
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  addInput,
  askNextMulticast,
  nextMulticast,
  removeInput,
  updateInput,
} from '@trunkline/contract/contributions/input.calls'
import { nextFeederPort } from '@trunkline/contract/encoders/feeder.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { FakeHost } from '../../testing/fake-host.ts'
import { addTestFeeder } from '../../testing/feeder.fixture.ts'
import {
  addTestInput,
  addTestOutput,
  testInput,
  type InputBody,
} from '../../testing/input.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'
import { DATABASES, openTwoProcesses, takenAndRefused } from '../../testing/two-processes.ts'
import { addGateway, gatewayDraft } from '../../testing/server.fixture.ts'

/** Its host is 127.0.0.1 too, so that every port below is one of the same host. */
async function openTakenSite(): Promise<TestSite> {
  const site = await openTestSite()
  // Sends to 127.0.0.1:6500; its feeder reads port 5000.
  const encoder = await addTestEncoder(site, 0)
  await addTestFeeder(site, encoder.id, 5000)
  await addTestInput(site, 6000, { title: 'Stadium' })
  await addTestInput(site, 6010, {
    title: 'Simple',
    inputType: 'RIST',
    config: { port: 6010, profile: 1 },
  })
  const { id } = await addTestInput(site, 6020, { title: 'Source' })
  await addTestOutput(site, id, {
    title: 'Far end',
    config: { mode: 'Listen', host: '', port: 7000 },
  })
  site.linkHost.takenPorts.add(6030)
  return site
}

async function startedInput(site: TestSite): Promise<string> {
  const { id } = await addTestInput(site, 6100)
  const body = { id, type: 1, actionType: 'start' } as const
  await site.call('admin', contributionAction, { body })
  return id
}

const REFUSED: readonly [string, Partial<InputBody>, string, string][] = [
  ['another input', { config: { port: 6000 } }, 'config.port', "input 'Stadium'"],
  ['the control port of RIST Simple', { config: { port: 6011 } }, 'config.port', "input 'Simple'"],
  ['an output that listens', { config: { port: 7000 } }, 'config.port', "output 'Far end'"],
  ['the bus of another input', { config: { port: 20_000 } }, 'config.port', "input 'Stadium'"],
  ['a feeder', { config: { port: 5000 } }, 'config.port', 'Camera 0'],
  ['a foreign program', { config: { port: 6030 } }, 'config.port', 'another program'],
  [
    'an input, as a bus port',
    { config: { port: 6040, multicastPort: 6000 } },
    'config.multicastPort',
    "input 'Stadium'",
  ],
  [
    'a foreign program, as a bus port',
    { config: { port: 6040, multicastPort: 6030 } },
    'config.multicastPort',
    'another program',
  ],
  [
    'a bus, by the control port',
    { inputType: 'RIST', config: { port: 5998, profile: 1, multicastPort: 5999 } },
    'config.multicastPort',
    'outer leg',
  ],
  [
    'another input, as a group',
    { config: { port: 6040, multicast: '239.255.0.1' } },
    'config.multicast',
    'another input',
  ],
]

describe('issue 5 item 9: taken ports', () => {
  /** Of all tests: each proves that it has left everything as it was. */
  let site: TestSite
  let startedId: string
  beforeAll(async () => {
    site = await openTakenSite()
    startedId = await startedInput(site)
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  test.each(REFUSED)(
    'an input is not added on a port or group of %s',
    async (_, change, field, words) => {
      const before = await databaseContent(site.ctx)
      const { status, failure } = await site.call('admin', addInput, {
        body: testInput(site, 6040, change),
      })
      expect([409, 422]).toContain(status)
      expect(failure.field).toBe(field)
      expect(failure.error).toContain(words)
      expect(await databaseContent(site.ctx)).toEqual(before)
    },
  )

  test.each(REFUSED)(
    'a running input is not moved onto a port or group of %s',
    async (_, change, field) => {
      const [before, report] = [
        await databaseContent(site.ctx),
        site.linkHost.programs.get(`input-${startedId}`),
      ]
      const calls = site.linkHost.calls.length
      const { failure } = await site.call('admin', updateInput, {
        params: { id: startedId },
        body: testInput(site, 6100, change),
      })
      expect(failure.field).toBe(field)
      expect(await databaseContent(site.ctx)).toEqual(before)
      const asked = site.linkHost.calls.slice(calls).map(({ call }) => call)
      expect(
        asked.filter((call) => call !== 'probePort'),
        'the host is only asked',
      ).toEqual([])
      expect(site.linkHost.programs.get(`input-${startedId}`)).toEqual(report)
    },
  )

  test('a port that an encoder of the host sends to is not listened on', async () => {
    await using own = await openTakenSite()
    const [target] = await own.ctx.db
      .selectFrom('port_claims')
      .select('port')
      .where('leg', '=', 'target')
      .where('host_key', '=', '127.0.0.1 to 127.0.0.1')
      .execute()
    const port = target?.port ?? 0
    await own.ctx.db.deleteFrom('port_claims').where('owner_kind', '=', 'feeder').execute()
    const { status, failure } = await own.call('admin', addInput, { body: testInput(own, port) })
    expect(status).toBe(409)
    expect(failure.error).toContain("encoder 'Camera 0'")
  })

  test('an invalid save never asks the host of a running input', async () => {
    const before = await databaseContent(site.ctx)
    const calls = site.linkHost.calls.length
    for (const change of [
      { title: '' },
      { config: { port: 6100, mode: 'Push' as const } },
      { encryption: { selection: 'yes' as const, passphrase: 'short' } },
      { inputType: 'RIST' as const, config: { port: 6101, profile: 1 as const } },
      { config: { port: 6100, adapterIp: '192.0.2.77' } },
      { serverId: 'nowhere' },
      { groupId: 'nowhere' },
    ]) {
      const body = testInput(site, 6100, change)
      const { status } = await site.call('admin', updateInput, { params: { id: startedId }, body })
      expect(status, JSON.stringify(change)).toBeGreaterThanOrEqual(400)
    }
    expect(site.linkHost.calls).toHaveLength(calls)
    expect(await databaseContent(site.ctx)).toEqual(before)
  })
})

test('a program may return to a port that it still uses itself', async () => {
  await using site = await openTestSite()
  const id = await startedInput(site)
  site.linkHost.takenPorts.add(6100)
  const save = async (port: number) =>
    site.call('admin', updateInput, { params: { id }, body: testInput(site, port) })
  expect((await save(6100)).status, 'its port is asked of nobody').toBe(200)
  expect((await save(6102)).status).toBe(200)
  expect((await save(6100)).status, 'it runs there still').toBe(200)
})

describe('API-48 API-49 Q159 the next group of the local bus', () => {
  let site: TestSite
  beforeEach(async () => {
    site = await openTestSite()
    onTestFinished(async () => site[Symbol.asyncDispose]())
  })

  test('is the lowest that nobody has, in both dialects, and is not kept', async () => {
    const lines = await site.ctx.db.selectFrom('audit').selectAll().execute()
    const query = { serverId: site.acantsId }
    const next = async () => (await site.call('northManager', nextMulticast, { query })).answer
    expect(await next()).toEqual({ status: true, data: '239.255.0.1', multicast: '239.255.0.1' })
    const asked = await site.call('northManager', askNextMulticast, { body: query })
    expect(asked.answer).toEqual(await next())
    expect(await site.ctx.db.selectFrom('audit').selectAll().execute()).toEqual(lines)
    const { id } = await addTestInput(site, 6000)
    await addTestInput(site, 6002)
    expect((await next()).data).toBe('239.255.0.3')
    await site.call('admin', removeInput, { params: { id } })
    expect((await next()).data).toBe('239.255.0.1')
  })

  test('is offered without a server too, in both dialects, and then no host is asked', async () => {
    await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
    site.linkHost.takenGroups.add('239.255.0.2')
    await addTestInput(site, 6000)
    const probes = site.linkHost.paramsOf('probePort').length
    const offer = { status: true, data: '239.255.0.2', multicast: '239.255.0.2' }
    for (const input of [{}, { query: { serverId: '' } }]) {
      expect((await site.call('northManager', nextMulticast, input)).answer).toEqual(offer)
    }
    for (const input of [{}, { body: {} }, { body: { serverId: '' } }]) {
      expect((await site.call('northManager', askNextMulticast, input)).answer).toEqual(offer)
    }
    expect(site.linkHost.paramsOf('probePort')).toHaveLength(probes)
  })

  test('the group is not one that another program of the host has joined', async () => {
    await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
    for (const last of [1, 2]) site.linkHost.takenGroups.add(`239.255.0.${last}`)
    const query = { serverId: site.acantsId }
    const { answer } = await site.call('northManager', nextMulticast, { query })
    expect(answer.data).toBe('239.255.0.3')
    expect((await addTestInput(site, 6000)).config.multicast).toBe('239.255.0.3')
    for (let last = 3; last < 255; last++) site.linkHost.takenGroups.add(`239.255.0.${last}`)
    const asked = site.linkHost.paramsOf('probePort').length
    expect((await addTestInput(site, 6002)).config.multicast).toBe('239.255.0.52')
    expect(site.linkHost.paramsOf('probePort').length - asked).toBeLessThan(60)
  })

  test('is refused for a server that is not there, or runs no inputs', async () => {
    const of = async (serverId: string) =>
      (await site.call('admin', nextMulticast, { query: { serverId } })).status
    expect(await of('nowhere')).toBe(404)
    expect(await of(site.channelServerId)).toBe(422)
  })

  test('409 when every group is in use', async () => {
    const { id } = await addTestInput(site, 6000)
    const groups = Array.from({ length: 254 * 256 }, (_, index) => index + 1)
      .map((number) => `239.255.${number >> 8}.${number & 255}`)
      .filter((ip) => ip !== '239.255.0.1')
    for (let at = 0; at < groups.length; at += 5000) {
      const rows = groups.slice(at, at + 5000).map((ip) => ({ ip, input_id: id }))
      await site.ctx.db.insertInto('bus_groups').values(rows).execute()
    }
    const query = { serverId: site.acantsId }
    const { status, failure } = await site.call('admin', nextMulticast, { query })
    expect(status).toBe(409)
    expect(failure.error).toContain('in use')
    const before = await databaseContent(site.ctx)
    const added = await site.call('admin', addInput, { body: testInput(site, 6002) })
    expect([added.status, added.failure.field]).toEqual([409, 'config.multicast'])
    expect(await databaseContent(site.ctx)).toEqual(before)
  })
})

test('Q160 a port behind the group is not its own', async () => {
  await using site = await openTestSite()
  const config = { port: 6000, multicast: '239.255.7.7:6000' }
  expect((await addTestInput(site, 6000, { config })).config.multicast).toBe('239.255.7.7')
})

describe('API-50 Q158 the next port to listen on', () => {
  async function offered(site: TestSite): Promise<number> {
    const query = { serverId: site.acantsId }
    return (await site.call('northManager', nextFeederPort, { query })).answer.port
  }

  test('is even, and neither taken, nor sent to by a feeder, nor in use on the host', async () => {
    await using site = await openTestSite()
    await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
    expect(await offered(site)).toBe(6000)
    const encoder = await addTestEncoder(site, 0)
    await addTestFeeder(site, encoder.id, 5000)
    expect(await offered(site), 'its feeder sends to 6000').toBe(6002)
    await addTestInput(site, 6002)
    site.linkHost.takenPorts.add(6004)
    const { id } = await addTestInput(site, 6200)
    await addTestOutput(site, id, { config: { mode: 'Listen', host: '', port: 6006 } })
    expect(await offered(site)).toBe(6008)
    await addTestInput(site, 6008, { inputType: 'RIST', config: { port: 6008, profile: 1 } })
    expect(await offered(site)).toBe(6010)
  })

  test('for an unreachable host only the database counts', async () => {
    await using site = await openTestSite()
    await addTestInput(site, 6000)
    site.linkHost.takenPorts.add(6002)
    await site.linkHost[Symbol.asyncDispose]()
    await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
    expect(await offered(site)).toBe(6002)
  })

  test('is another on another host', async () => {
    await using site = await openTestSite()
    await using host = await FakeHost.open({ seatKind: 'acants' })
    await addTestInput(site, 6000)
    const serverId = await addGateway(site, { host: 'localhost', port: host.port })
    const query = { serverId }
    expect((await site.call('admin', nextFeederPort, { query })).answer.port).toBe(6000)
  })
})

test.each(BOTH_DATABASES)(
  'F12 of twenty adds of one offered port one is taken, the others get the owner, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
    const query = { serverId: site.acantsId }
    const { port } = (await site.call('admin', nextFeederPort, { query })).answer
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () =>
        site.call('admin', addInput, { body: testInput(site, port, { title: 'The one' }) }),
      ),
    )
    expect(takenAndRefused(answers)).toEqual({ taken: 1, refused: 19 })
    for (const { failure } of answers.filter(({ status }) => status !== 201)) {
      expect(failure).toMatchObject({ code: 'conflict', field: 'config.port' })
      expect(failure.error).toContain("input 'The one'")
    }
    const again = (await site.call('admin', nextFeederPort, { query })).answer
    expect(again.port).toBe(port + 2)
  },
)

test.each(DATABASES)(
  'F12 operators of two processes never get one port or group twice, on %s',
  async (kind) => {
    await using site = await openTwoProcesses(kind)
    const { token } = site.people.admin
    const server = await site.ask(addServer, token, { body: gatewayDraft([site.north]) })
    const draft = (port: number) => ({
      title: `Feed ${port}`,
      inputType: 'SRT' as const,
      serverId: server.answer.data.id,
      groupId: site.north,
      config: { port },
    })
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        site.ask(addInput, token, { body: draft(6000 + 2 * (index % 10)) }),
      ),
    )
    expect(takenAndRefused(answers), answers.map(({ text }) => text).join('\n')).toEqual({
      taken: 10,
      refused: 10,
    })
    const added = answers.filter(({ status }) => status === 201).map(({ answer }) => answer.data)
    expect(new Set(added.map(({ config }) => config.multicast)).size).toBe(10)
    expect(new Set(added.map(({ config }) => config.multicastPort)).size).toBe(10)
  },
)

test('T12 a host that calls every port busy is not asked for ever', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  for (let port = 20_000; port < 30_000; port++) site.linkHost.takenPorts.add(port)
  const { config } = await addTestInput(site, 6000)
  expect(config.multicastPort).toBe(20_050)
  expect(site.linkHost.paramsOf('probePort').length).toBeLessThan(60)
})
