import {
  addEncoder,
  controlEncoder,
  findEncoder,
  listAllEncoders,
  listEncoders,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { palConfig } from '../testing/encoder.fixture.ts'
import { FAKE_KEY, FakeHost } from '../testing/fake-host.ts'
import { PLANTED_SECRETS } from '../testing/inject.ts'
import type { PersonName } from '../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'

let site: TestSite
beforeEach(async () => {
  site = await openTestSite()
})
afterEach(async () => site[Symbol.asyncDispose]())

function draft(title: string, more: object = {}) {
  const { port } = site.encoderHost
  return { title, ip: '127.0.0.1', port, groupId: site.north, ...more }
}

async function names(who: PersonName, body: object = {}) {
  const { answer } = await site.call(who, listAllEncoders, { body })
  return { titles: answer.result.map(({ title }) => title), total: answer.total }
}

test('ROLE-11 F who sees which encoders', async () => {
  await addTestEncoder(site, 0)
  await site.call('admin', addEncoder, { body: draft('Southern', { groupId: site.south }) })
  const all = ['Camera 0', 'Southern']
  expect((await names('superadmin')).titles).toEqual(all)
  expect((await names('northManager')).titles).toEqual(['Camera 0'])
  expect((await names('northMonitor')).titles).toEqual(['Camera 0'])
  expect((await names('northEditor')).titles).toEqual(['Camera 0'])
  expect((await names('southManager')).titles).toEqual(['Southern'])
  expect(await names('southEditor')).toEqual({ titles: [], total: 0 })
  expect(await names('loneManager')).toEqual({ titles: [], total: 0 })
})

test('DASH-04 the list is cut by group, search and page', async () => {
  for (const title of ['Alpha', 'Élan 100%', 'Gamma']) {
    await site.call('admin', addEncoder, { body: draft(title, { apiKey: FAKE_KEY }) })
  }
  await site.call('admin', addEncoder, { body: draft('Delta', { groupId: site.south }) })
  expect(await names('admin', { rows: 2, page: 1 })).toEqual({
    titles: ['Gamma', 'Delta'],
    total: 4,
  })
  expect((await names('admin', { rows: 0 })).titles).toHaveLength(4)
  expect((await names('admin', { group: site.south })).titles).toEqual(['Delta'])
  expect((await names('admin', { search: 'elan' })).titles).toEqual(['Élan 100%'])
  expect((await names('admin', { search: '100%' })).titles).toEqual(['Élan 100%'])
  expect((await names('admin', { search: '%' })).titles).toEqual(['Élan 100%'])
  expect((await names('admin', { search: 'south' })).titles).toEqual(['Delta'])
  expect((await names('northManager', { group: site.south })).titles).toEqual([])
})

test('ENC-03 the manager’s list has the same encoders as the dashboard’s', async () => {
  await addTestEncoder(site, 0)
  await site.call('admin', addEncoder, { body: draft('Southern', { groupId: site.south }) })
  const listed = await site.call('admin', listEncoders, { query: {} })
  const all = await site.call('admin', listAllEncoders, { body: {} })
  expect(listed.answer).toEqual({ status: true, encoders: all.answer.result, total: 2 })
  const titles = async (who: PersonName, query: Record<string, string | number>) => {
    const { answer } = await site.call(who, listEncoders, { query })
    return [answer.encoders.map(({ title }) => title), answer.total]
  }
  expect(await titles('admin', { rowsPerPage: 1, page: 1 })).toEqual([['Southern'], 2])
  expect(await titles('admin', { searchValue: 'camera' })).toEqual([['Camera 0'], 1])
  expect(await titles('admin', { groupId: site.south })).toEqual([['Southern'], 1])
  expect(await titles('northEditor', {})).toEqual([['Camera 0'], 1])
  expect(await titles('southManager', { groupId: site.north })).toEqual([[], 0])
})

test.each([
  ['page', { page: '-1' }],
  ['rowsPerPage', { rowsPerPage: '501' }],
  ['searchValue', { searchValue: 'x'.repeat(201) }],
  ['groupId', { groupId: 'x'.repeat(65) }],
  ['sort', { sort: 'uptime' }],
])('API-21 a wrong %s is named', async (field, query) => {
  const { status, failure } = await site.call('admin', listEncoders, { query: query as object })
  expect([status, failure.field]).toEqual([400, field])
})

test('API-77 an encoder is answered completely, and its key never', async () => {
  const { id } = await addTestEncoder(site, 0)
  const { answer, text } = await site.call('admin', findEncoder, { params: { id } })
  expect(answer.data).toEqual(answer.encoder)
  expect(answer.data).toMatchObject({
    _id: id,
    id,
    title: 'Camera 0',
    groupInfo: { _id: site.north, title: 'North' },
    users: [site.people.northEditor.id],
    isEnabled: true,
    apiKeySet: true,
    config: { name: 'encoder0', 'card-idx': 0, feeder: [] },
  })
  expect(answer.data.name).toMatch(/^camera-0-[a-z0-9]{6}$/)
  expect(text).not.toContain(FAKE_KEY)
})

test('decisions 7: a second encoder of a host shares its key, another key is refused', async () => {
  await addTestEncoder(site, 0)
  const second = await site.call('northManager', addEncoder, { body: draft('Second') })
  expect(second.status).toBe(201)
  const rows = await site.ctx.db.selectFrom('encoders').select('api_key_sealed').execute()
  expect(rows.map((row) => site.ctx.keys.open(row.api_key_sealed))).toEqual([FAKE_KEY, FAKE_KEY])
  const third = await site.call('admin', addEncoder, {
    body: draft('Third', { apiKey: 'quite-another-key' }),
  })
  expect(third.status).toBe(409)
  expect(third.failure.field).toBe('apiKey')
})

test('T11 API-24 an encoder whose host is enrolled next needs no key, and gets one of its own', async () => {
  const before = await databaseContent(site.ctx)
  for (const more of [{}, { enrols: false }]) {
    const { status, failure } = await site.call('admin', addEncoder, { body: draft('New', more) })
    expect([status, failure.field]).toEqual([400, 'apiKey'])
  }
  expect(await databaseContent(site.ctx)).toEqual(before)
  for (const title of ['First', 'Second']) {
    const { status } = await site.call('admin', addEncoder, {
      body: draft(title, { enrols: true }),
    })
    expect(status).toBe(201)
  }
  const rows = await site.ctx.db.selectFrom('encoders').select('api_key_sealed').execute()
  const keys = rows.map((row) => site.ctx.keys.open(row.api_key_sealed))
  expect(keys[0]).toMatch(/^.{20,}$/)
  expect(keys[1]).toBe(keys[0])
})

test('T3 a manager cannot use a host by the key of another group', async () => {
  await addTestEncoder(site, 0)
  const before = await databaseContent(site.ctx)
  const answer = await site.call('southManager', addEncoder, {
    body: draft('Mine now', { groupId: site.south }),
  })
  expect(answer.status).toBe(409)
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('ROLE-11 K only an admin sets a key', async () => {
  const body = draft('Keyed', { apiKey: PLANTED_SECRETS[0] })
  const { status, failure } = await site.call('northManager', addEncoder, { body })
  expect(status).toBe(403)
  expect(failure.error).toContain('Leave apiKey empty')
  expect((await site.call('admin', addEncoder, { body })).status).toBe(201)
})

test('ROLE-11 K T4 no manager has the stored key sent to an address of their choice', async () => {
  const { id } = await addTestEncoder(site, 0)
  const other = await addTestEncoder(site, 1)
  const before = await databaseContent(site.ctx)
  const body = { _id: id, ip: '127.0.0.1', port: 4001 }
  const refused = await site.call('northManager', updateEncoder, { body })
  expect(refused.status).toBe(403)
  expect(refused.failure.error).toContain('Only an admin may move an encoder')
  expect((await databaseContent(site.ctx))['encoders']).toEqual(before['encoders'])
  expect((await site.call('admin', updateEncoder, { body })).status).toBe(200)
  const joining = { _id: other.id, ip: '127.0.0.1', port: 4001 }
  expect((await site.call('northManager', updateEncoder, { body: joining })).status).toBe(200)
})

test('an editor may send the whole record back with a new configuration, and nothing else new', async () => {
  const { id } = await addTestEncoder(site, 0)
  const { data } = (await site.call('northEditor', findEncoder, { params: { id } })).answer
  const { _id, title, users, groupId, version, apiKeySet, groupInfo, isEnabled, name } = data
  const echoed = { _id, title, users, groupId, version, apiKeySet, groupInfo, isEnabled, name, id }
  const config = { ...palConfig(0), title: 'New title' }
  const saved = await site.call('northEditor', updateEncoder, { body: { ...echoed, config } })
  expect(saved.answer.data.config?.title).toBe('New title')
  const refused = await site.call('northEditor', updateEncoder, { body: { _id, users: [] } })
  expect(refused.status).toBe(403)
  expect(refused.failure.error).toContain('users')
})

test('decisions 16: an old version is refused with the current object; a save without a version is taken', async () => {
  const { id, version } = await addTestEncoder(site, 0)
  const mine = { _id: id, version, title: 'Mine', location: 'Hall 2' }
  await site.call('admin', updateEncoder, { body: { _id: id, title: 'Theirs' } })
  const before = await databaseContent(site.ctx)
  const { status, failure } = await site.call('admin', updateEncoder, { body: mine })
  expect(status).toBe(409)
  expect(failure.current).toMatchObject({ title: 'Theirs', version: version + 1 })
  expect(failure.changed).toEqual(['title', 'location'])
  expect(await databaseContent(site.ctx)).toEqual(before)
  const { version: _, ...unversioned } = mine
  expect((await site.call('admin', updateEncoder, { body: unversioned })).status).toBe(200)
})

test('Q68 a card of a host has one encoder', async () => {
  await addTestEncoder(site, 0)
  const { answer } = await site.call('admin', addEncoder, { body: draft('Second') })
  const { status, failure } = await site.call('admin', updateEncoder, {
    body: { _id: answer.id, config: palConfig(0, 'udp://127.0.0.1:5100?ttl=1') },
  })
  expect(status).toBe(409)
  expect(failure.error).toContain('card')
})

test('decisions 11: a target of a host has one sender, who is named to those who may know', async () => {
  await addTestEncoder(site, 0)
  const target = 'udp://127.0.0.1:5000?ttl=12'
  const { answer } = await site.call('northManager', addEncoder, { body: draft('Second') })
  const body = { _id: answer.id, config: palConfig(1, target) }
  const { status, failure } = await site.call('northManager', updateEncoder, { body })
  expect(status).toBe(409)
  expect(failure).toMatchObject({ field: 'config.output.0.target' })
  expect(failure.error).toContain("encoder 'Camera 0'")
  await site.call('admin', updateEncoder, { body: { _id: answer.id, groupId: site.south } })
  const foreign = await site.call('southManager', updateEncoder, { body })
  expect(foreign.status).toBe(409)
  expect(foreign.failure.error).toContain("another group's encoder")
  expect(foreign.failure.error).not.toContain('Camera 0')
})

test.each([
  ['width', { 'video-stream': { width: 1920 } }, 422, 'config.video-stream.width', '720 or 1024'],
  [
    'equal PIDs',
    { 'audio-stream': { pid: 512 } },
    422,
    'config.audio-stream.pid',
    'the video PID already',
  ],
  ['PID range', { muxer: { 'pmt-pid': 8190 } }, 400, 'config.muxer.pmt-pid', '32 and 8186'],
  ['choice', { 'video-stream': { profile: 'wide' } }, 400, 'config.video-stream.profile', 'main'],
  ['no room', { muxer: { 'ts-muxrate': 210_000 } }, 422, 'config.muxer.ts-muxrate', 'at least'],
] as const)(
  'CFG-40 a configuration with a wrong %s is refused',
  async (_, change, status, field, words) => {
    const { id } = await addTestEncoder(site, 0)
    const before = await databaseContent(site.ctx)
    const base = palConfig(0) as Record<string, unknown>
    const [[part, values]] = Object.entries(change) as [[string, object]]
    const config = { ...base, [part]: { ...(base[part] as object), ...values } }
    const answer = await site.call('admin', updateEncoder, {
      body: { _id: id, config: config as ReturnType<typeof palConfig> },
    })
    expect(answer.status).toBe(status)
    expect(answer.failure.field).toBe(field)
    expect(answer.failure.error).toContain(words)
    expect(await databaseContent(site.ctx)).toEqual(before)
  },
)

test('decisions 30: a save warns what the host will do differently', async () => {
  const { id } = await addTestEncoder(site, 0)
  const config = palConfig(0)
  const busy = {
    ...config,
    'video-stream': { ...config['video-stream'], bitrate: 5000, 'vbv-maxrate': 5000 },
  }
  const { answer } = await site.call('admin', updateEncoder, { body: { _id: id, config: busy } })
  expect(answer.warnings.join(' ')).toContain('room for')
})

test('settings that the host refuses give a warning, and are saved', async () => {
  const { id } = await addTestEncoder(site, 0)
  site.encoderHost.refusals.set('applyProgram', 'This host has no card 5.')
  const { status, answer } = await site.call('admin', updateEncoder, {
    body: { _id: id, config: palConfig(5) },
  })
  expect(status).toBe(200)
  expect(answer.warnings).toContain(
    'The host does not take these settings: This host has no card 5.',
  )
  expect(answer.data.config?.name).toBe('encoder5')
})

test('CFG-23 pmt-period is taken and not kept', async () => {
  const { id } = await addTestEncoder(site, 0)
  const config = palConfig(0)
  const { answer } = await site.call('admin', updateEncoder, {
    body: { _id: id, config: { ...config, muxer: { ...config.muxer, 'pmt-period': 100 } } },
  })
  expect(answer.data.config?.muxer).not.toHaveProperty('pmt-period')
})

test('ROLE-11 M only editors are assigned, by a manager only their own', async () => {
  const { id } = await addTestEncoder(site, 0)
  const assign = async (who: PersonName, ...people: PersonName[]) => {
    const users = people.map((name) => site.people[name].id)
    return (await site.call(who, updateEncoder, { body: { _id: id, users } })).status
  }
  expect(await assign('admin', 'northMonitor')).toBe(400)
  expect(await assign('northManager', 'southEditor')).toBe(400)
  expect(await assign('admin', 'northEditor', 'southEditor')).toBe(200)
  // Whom an admin has assigned, a manager may leave assigned.
  expect(await assign('northManager', 'northEditor', 'southEditor')).toBe(200)
  expect((await names('southEditor')).titles).toEqual(['Camera 0'])
})

test('an encoder that moves to another host leaves the old one', async () => {
  const { id } = await addTestEncoder(site, 0)
  expect(site.encoderHost.programs.has(`encoder-${id}`)).toBe(true)
  await using next = await FakeHost.open({ seatKind: 'encoder' })
  const { status } = await site.call('admin', updateEncoder, { body: { _id: id, port: next.port } })
  expect(status).toBe(200)
  expect(site.encoderHost.programs.has(`encoder-${id}`)).toBe(false)
  await next.asked('applyProgram')
  expect(next.programs.has(`encoder-${id}`)).toBe(true)
})

test('moving an encoder away from an unreachable host warns what may still run there', async () => {
  const { id } = await addTestEncoder(site, 0)
  await site.encoderHost[Symbol.asyncDispose]()
  await using next = await FakeHost.open({ seatKind: 'encoder' })
  const { answer } = await site.call('admin', updateEncoder, { body: { _id: id, port: next.port } })
  expect(answer.warnings.join(' ')).toContain('was not stopped')
  const { port, programs } = site.encoderHost
  await using back = await FakeHost.open({ seatKind: 'encoder', port })
  for (const [programId, report] of programs) back.programs.set(programId, report)
  await back.asked('removeProgram')
  expect(back.paramsOf('removeProgram')).toEqual([{ programId: `encoder-${id}` }])
})

test('Q87, Q90 another card leaves one program on the host, which goes on until it is restarted', async () => {
  const { id } = await addTestEncoder(site, 0)
  const programId = `encoder-${id}`
  const control = async (name: string, command: 'start' | 'restart') =>
    site.call('admin', controlEncoder, { params: { id }, body: { data: { name, command } } })
  await control('encoder0', 'start')
  const pid = site.encoderHost.programs.get(programId)?.pid
  await site.call('admin', updateEncoder, { body: { _id: id, config: palConfig(1) } })
  expect([...site.encoderHost.programs.keys()]).toEqual([programId])
  expect(site.encoderHost.programs.get(programId)?.pid).toBe(pid)
  expect(site.ctx.board.program(programId)).toMatchObject({ waitsForRestart: true })
  const { answer } = await control('encoder1', 'restart')
  expect(answer.results).toContain('encoder1 RUNNING')
  expect(site.ctx.board.program(programId)).toMatchObject({ waitsForRestart: false })
  expect([...site.encoderHost.programs.keys()]).toEqual([programId])
})

test('a new key is tried at once, for every encoder of that host', async () => {
  const { id } = await addTestEncoder(site, 0)
  await addTestEncoder(site, 1)
  site.encoderHost.key = PLANTED_SECRETS[1]
  await site.call('admin', updateEncoder, { body: { _id: id, apiKey: PLANTED_SECRETS[1] } })
  const rows = await site.ctx.db.selectFrom('encoders').select('api_key_sealed').execute()
  expect(new Set(rows.map((row) => site.ctx.keys.open(row.api_key_sealed))).size).toBe(1)
  const address = { host: '127.0.0.1', port: site.encoderHost.port }
  expect((await site.ctx.hosts.linked(address))?.online).toBe(true)
})

test('T7 a host out of bounds is refused by name', async () => {
  const guarded = { ...site.ctx.config, allowLocalHosts: false }
  Object.assign(site.ctx, { config: guarded })
  const { status, failure } = await site.call('admin', addEncoder, { body: draft('Local') })
  expect(status).toBe(400)
  expect(failure.field).toBe('ip')
})
