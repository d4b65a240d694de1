/** Saving an input: what is kept, and who may. What holds for outputs too is in link-save.test.ts. */
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { listInputs, readInput, updateInput } from '@trunkline/contract/contributions/input.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { expect, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { FakeHost } from '../../testing/fake-host.ts'
import { PLANTED_SECRETS, type InjectInput } from '../../testing/inject.ts'
import { addTestInput, addTestOutput, testInput } from '../../testing/input.fixture.ts'
import type { PersonName } from '../../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import { addGateway } from '../../testing/server.fixture.ts'

type Body = NonNullable<InjectInput<typeof updateInput>['body']>

async function save(site: TestSite, id: string, body: Body, who: PersonName = 'admin') {
  return site.call(who, updateInput, { params: { id }, body })
}

async function act(site: TestSite, id: string, actionType: 'start' | 'restart') {
  const body = { id, type: 1, actionType } as const
  const { answer } = await site.call('admin', contributionAction, { body })
  expect(answer).toMatchObject({ status: true })
}

async function read(site: TestSite, id: string): Promise<Input> {
  return (await site.call('admin', readInput, { params: { id } })).answer.data
}

test.each(BOTH_DATABASES)(
  'API-42 API-43 an input is saved whole and read again, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id, version, config } = await addTestInput(site, 6000)
    const body = testInput(site, 6002, {
      title: 'Stadium',
      groupId: site.south,
      config: { port: 6002, latency: 300, adapterIp: '127.0.0.1', maxBandWidth: 0 },
      advanced: [{ key: 'mss', value: '1400' }],
    })
    const { status, answer } = await save(site, id, { ...body, version })
    expect(status).toBe(200)
    expect(answer.warnings).toEqual([])
    const data = await read(site, id)
    expect(answer.data).toEqual(data)
    expect(data).toMatchObject({
      ...body,
      version: version + 1,
      config: { latency: 300, port: '6002' },
    })
    expect(data.config.multicast, 'the place on the bus stays').toBe(config.multicast)
    expect(data.config.multicastPort).toBe(config.multicastPort)
    const again = await site.call('admin', readInput, { params: { id } })
    expect(again.answer.contribution).toEqual(data)
    const found = await site.call('southManager', listInputs, { query: { searchValue: 'stadium' } })
    expect(found.answer.total, 'found by its new title, in its new group').toBe(1)
  },
)

test('IN-FORM-24 decisions 39 every number may come as text, and empty text is the default', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6000)
  const config = {
    port: '6002',
    latency: '300',
    profile: '2',
    logLevel: '3',
    ttl: '',
    bufferMin: '',
  }
  const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: '256' } as const
  const { status, answer } = await save(site, id, testInput(site, 6002, { config, encryption }))
  expect(status).toBe(200)
  expect(answer.data.config).toMatchObject({ latency: 300, profile: 2, logLevel: 3, ttl: 1 })
  expect(answer.data.config).not.toHaveProperty('bufferMin')
  expect(answer.data.encryption.type).toBe(256)
})

test('decisions 18 a reply that is sent back unchanged is accepted, and changes only the version', async () => {
  await using site = await openTestSite()
  const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 256 } as const
  const { id } = await addTestInput(site, 6000, { encryption })
  const before = await read(site, id)
  const { status, answer } = await save(site, id, before)
  expect(status).toBe(200)
  expect(answer.data).toEqual({ ...before, version: before.version + 1 })
  expect(site.linkHost.paramsOf('applyProgram')).toHaveLength(1)
})

test('decisions 17 an empty passphrase keeps the stored key, no encryption clears it', async () => {
  await using site = await openTestSite()
  const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 128 } as const
  const { id } = await addTestInput(site, 6000, { encryption })
  const keyed = await save(
    site,
    id,
    testInput(site, 6000, { encryption: { selection: 'yes', type: 256 } }),
  )
  expect(keyed.answer.data.encryption).toMatchObject({
    passphrase: '',
    passphraseSet: true,
    type: 256,
  })
  expect(site.linkHost.paramsOf('applyProgram').at(-1)?.spec).toMatchObject({
    outer: { key: { passphrase: PLANTED_SECRETS[1], bits: 256 } },
  })
  const clear = await save(site, id, testInput(site, 6000))
  expect(clear.answer.data.encryption).toEqual({
    selection: 'no',
    passphrase: '',
    type: 128,
    passphraseSet: false,
  })
  expect(site.linkHost.paramsOf('applyProgram').at(-1)?.spec).toMatchObject({
    outer: { key: null },
  })
  const before = await databaseContent(site.ctx)
  const missing = await save(site, id, testInput(site, 6000, { encryption: { selection: 'yes' } }))
  expect(missing.failure).toMatchObject({ field: 'encryption.passphrase' })
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('API-43 the server is not changed by saving', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6000)
  const before = await databaseContent(site.ctx)
  const other = await save(site, id, testInput(site, 6000, { serverId: site.channelServerId }))
  expect(other.status).toBe(422)
  expect(other.failure).toMatchObject({ field: 'serverId' })
  expect(other.failure.error).toContain('Change server')
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('T2 T3 another group’s input is not found, and none is moved into another group', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6000)
  const before = await databaseContent(site.ctx)
  expect((await save(site, id, testInput(site, 6000), 'southManager')).status).toBe(404)
  const moved = await save(site, id, testInput(site, 6000, { groupId: site.south }), 'northManager')
  expect(moved.status).toBe(404)
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('Q177 from SRT to Local: the program goes, its ports are free, its outputs read the stream itself', async () => {
  await using site = await openTestSite()
  const { id, config } = await addTestInput(site, 6000)
  await addTestOutput(site, id)
  await act(site, id, 'start')
  const local = testInput(site, 5500, {
    inputType: 'Local',
    config: { port: 5500, multicast: '239.1.2.3' },
  })
  const { answer } = await save(site, id, local)
  expect(answer.data).toMatchObject({
    inputType: 'Local',
    config: { multicast: '239.1.2.3', port: 5500 },
  })
  expect(site.linkHost.programs.has(`input-${id}`)).toBe(false)
  expect(site.linkHost.paramsOf('applyProgram').at(-1)?.spec).toMatchObject({
    kind: 'sender',
    local: { ip: '239.1.2.3', port: 5500 },
  })
  const { port_claims: claims, bus_groups: groups } = await databaseContent(site.ctx)
  expect([claims, groups]).toEqual([[], []])
  // Back again it is given a place, and is not started by itself.
  const back = await save(
    site,
    id,
    testInput(site, 6000, { config: { ...answer.data.config, port: 6000 } }),
  )
  expect(back.answer.data.config).toMatchObject({
    multicast: config.multicast,
    multicastPort: config.multicastPort,
  })
  expect(site.linkHost.programs.get(`input-${id}`)).toMatchObject({ state: 'stopped' })
  expect(site.linkHost.paramsOf('applyProgram').at(-1)?.spec).toMatchObject({
    local: { ip: config.multicast, port: config.multicastPort },
  })
})

test('Q179 an input that was SRT cannot be Local without the group of its stream', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6000)
  const { failure } = await save(site, id, testInput(site, 5500, { inputType: 'Local' }))
  expect(failure).toMatchObject({ field: 'config.multicast' })
})

test('decisions 2 a Local input with two outputs cannot run on a server whose bus feeds one', async () => {
  await using site = await openTestSite()
  const localBus = { works: false, reason: 'It has no multicast on its loopback.' }
  await using host = await FakeHost.open({ seatKind: 'acants', capabilities: { localBus } })
  const serverId = await addGateway(site, { port: host.port })
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: host.port })
  const config = { port: 5500, multicast: '239.1.2.3' }
  const { id } = await addTestInput(site, 5500, { inputType: 'Local', serverId, config })
  await addTestOutput(site, id)
  const srt = testInput(site, 6000, { serverId })
  expect((await save(site, id, srt)).status, 'one reader').toBe(200)
  await save(site, id, testInput(site, 5500, { inputType: 'Local', serverId, config }))
  await addTestOutput(site, id)
  const before = await databaseContent(site.ctx)
  const { status, failure } = await save(site, id, srt)
  expect([status, failure.field]).toEqual([422, 'inputType'])
  expect(failure.error).toContain('no multicast')
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('decisions 9 an unreachable host does not prevent saving: the input waits for it', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6000)
  await site.linkHost[Symbol.asyncDispose]()
  const { status, answer } = await save(site, id, testInput(site, 6002, { title: 'Meanwhile' }))
  expect([status, answer.warnings]).toEqual([200, []])
  expect(site.ctx.board.program(`input-${id}`)).toMatchObject({ waitsForHost: true })
})

test('Q159 another group is taken, and the one before is free again', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6000)
  const config = { port: 6000, multicast: '239.255.9.9', multicastPort: 21_000 }
  const { answer } = await save(site, id, testInput(site, 6000, { config }))
  expect(answer.data.config).toMatchObject({ multicast: '239.255.9.9', multicastPort: 21_000 })
  expect((await addTestInput(site, 6002)).config).toMatchObject({
    multicast: '239.255.0.1',
    multicastPort: 20_000,
  })
})

test('Q176 advanced parameters go with SRT', async () => {
  await using site = await openTestSite()
  const advanced = [{ key: 'mss', value: '1400' }] as const
  const { id } = await addTestInput(site, 6000, { advanced: [...advanced] })
  const rist = testInput(site, 6000, { inputType: 'RIST', advanced: [...advanced] })
  expect((await save(site, id, rist)).answer.data.advanced).toEqual([])
})

test('an adapter that its server has lost meanwhile is kept, another must be one of the server', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6000, { config: { port: 6000, adapterIp: '127.0.0.1' } })
  await site.ctx.db
    .updateTable('servers')
    .set({ adapters: '[]' })
    .where('id', '=', site.acantsId)
    .execute()
  const kept = testInput(site, 6000, {
    title: 'Kept',
    config: { port: 6000, adapterIp: '127.0.0.1' },
  })
  expect((await save(site, id, kept)).status).toBe(200)
  const other = testInput(site, 6000, { config: { port: 6000, adapterIp: '127.0.0.2' } })
  expect((await save(site, id, other)).failure).toMatchObject({ field: 'config.adapterIp' })
})

test('M6 a cap below the current bitrate gives a warning', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6000)
  await act(site, id, 'start')
  site.linkHost.change(`input-${id}`, {
    reading: {
      kind: 'link',
      protocol: 'srt',
      direction: 'receive',
      atMs: site.linkHost.nowMs(),
      bitrateKbps: 8100,
      rttMs: 20,
      packets: 1000,
      lostPackets: 0,
      retransmittedPackets: 0,
      droppedPackets: 0,
    },
  })
  // Its answer comes after the earlier reports of the host.
  const address = { host: '127.0.0.1', port: site.linkHost.port }
  await site.ctx.hosts.call(address, 'probePort', { port: 9000 })
  const warnings = async (config: object, more: object = {}) => {
    const body = testInput(site, 6000, { config: { port: 6000, ...config }, ...more })
    return (await save(site, id, body)).answer.warnings
  }
  expect(await warnings({})).toEqual([
    'maxBandWidth 625000 bytes/s caps this link at 5.0 Mbit/s; it carries 8.1 now. Set it above that, or to 0 for no cap.',
  ])
  expect(await warnings({ maxBandWidth: 0 })).toEqual([])
  expect(await warnings({ maxBandWidth: 2_000_000 })).toEqual([])
  const named = { advanced: [{ key: 'maxbw', value: '100000' }] }
  expect(await warnings({ maxBandWidth: 0 }, named)).toEqual([
    'maxbw 100000 bytes/s caps this link at 0.8 Mbit/s; it carries 8.1 now. Set it above that, or to -1 for no cap.',
  ])
})
