/** Cloning an encoder: what the copy has of the original, and what it may not have twice. */
import {
  addEncoder,
  cloneEncoder,
  findEncoder,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Notice } from '../../notices.ts'
import { createPostgresDatabase } from '../../testing/databases.ts'
import { databaseContent } from '../../testing/database-content.ts'
import { palConfig } from '../../testing/encoder.fixture.ts'
import { FAKE_KEY } from '../../testing/fake-host.ts'
import type { InjectInput } from '../../testing/inject.ts'
import type { PersonName } from '../../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'
import { DATABASES, openTwoProcesses, takenAndRefused } from '../../testing/two-processes.ts'

async function openOn(kind: (typeof DATABASES)[number]): Promise<TestSite> {
  if (kind === 'SQLite') return openTestSite()
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  return openTestSite({ databaseUrl: database.url })
}

type Draft = NonNullable<InjectInput<typeof cloneEncoder>['body']>

async function clone(site: TestSite, who: PersonName, id: string, body: Draft) {
  return site.call(who, cloneEncoder, { params: { id }, body })
}

function targets(config: { output: { target: string }[] } | null): string[] {
  return (config?.output ?? []).map(({ target }) => target)
}

describe.each(DATABASES)('A clone on %s', (kind) => {
  test('clone: the copy has the settings, contact data and editors, but neither feeders nor a running program', async () => {
    await using site = await openOn(kind)
    const { id } = await addTestEncoder(site, 0)
    const contact = { location: 'Hall 2', email: 'hall@trunkline.example', contactNumber: '123' }
    await site.call('admin', updateEncoder, { body: { _id: id, ...contact } })
    await site.call('admin', saveFeeder, {
      params: { product: 'acan' },
      body: {
        _id: id,
        feederPost: {
          serverId: site.acantsId,
          input: { title: 'to Gateway', addr: '127.0.0.1:5000', port: 5000 },
          output: [{ addr: '192.0.2.10:6000', port: 6000 }],
        },
      },
    })
    const original = (await site.call('admin', findEncoder, { params: { id } })).answer.data
    const answer = await clone(site, 'northManager', id, { title: 'Camera 0 copy', 'card-idx': 1 })
    expect(answer.status).toBe(201)
    const { data } = answer.answer
    expect(data).toEqual({
      ...original,
      _id: answer.answer.id,
      id: answer.answer.id,
      name: data.name,
      title: 'Camera 0 copy',
      isEnabled: true,
      version: 1,
      config: {
        ...original.config,
        name: 'encoder1',
        title: 'Camera 0 copy',
        'card-idx': 1,
        output: [{ type: 'udp', target: 'udp://127.0.0.1:5002?ttl=12' }],
        feeder: [],
      },
    })
    expect(data.name).toMatch(/^camera-0-copy-[a-z0-9]{6}$/)
    expect(answer.answer.warnings).toContain(
      'Output 1 of the copy sends to udp://127.0.0.1:5002?ttl=12: port 5000 of 127.0.0.1 is taken on this host.',
    )
    const rows = await site.ctx.db
      .selectFrom('encoders')
      .select(['api_key_sealed as key', 'wanted_running as wanted'])
      .execute()
    expect(rows.map(({ key, wanted }) => [site.ctx.keys.open(key), wanted])).toEqual([
      [FAKE_KEY, 0],
      [FAKE_KEY, 0],
    ])
  })

  test('clone: a taken card is refused, naming its encoder to those who may know', async () => {
    await using site = await openOn(kind)
    const { id } = await addTestEncoder(site, 0)
    const other = await addTestEncoder(site, 1)
    const before = await databaseContent(site.ctx)
    const own = await clone(site, 'northManager', id, { title: 'Copy', 'card-idx': 1 })
    expect([own.status, own.failure.field]).toEqual([409, 'card-idx'])
    expect(own.failure.error).toContain("is taken by encoder 'Camera 1'. Choose another.")
    const after = await databaseContent(site.ctx)
    expect(after['encoders']).toEqual(before['encoders'])
    expect(after['port_claims']).toEqual(before['port_claims'])
    await site.call('admin', updateEncoder, { body: { _id: other.id, groupId: site.south } })
    const foreign = await clone(site, 'northManager', id, { title: 'Copy', 'card-idx': 1 })
    expect([foreign.status, foreign.failure.field]).toEqual([409, 'card-idx'])
    expect(foreign.failure.error).toContain('is taken by an encoder of another group')
    expect(foreign.text).not.toContain('Camera 1')
  })

  test('clone: copies made at the same moment have cards and ports of their own', async () => {
    await using site = await openTwoProcesses(kind)
    const { token } = site.people.admin
    const added = await site.ask(addEncoder, token, {
      body: { title: 'Camera', ip: '127.0.0.1', port: 4001, groupId: site.north, apiKey: FAKE_KEY },
    })
    const { id } = added.answer
    await site.ask(updateEncoder, token, { body: { _id: id, config: palConfig(0) } })
    const ask = async (cardIdx: number) =>
      site.ask(cloneEncoder, token, {
        params: { id },
        body: { title: `Copy ${cardIdx}`, 'card-idx': cardIdx },
      })
    const different = await Promise.all([1, 2, 3, 4, 5, 6].map(ask))
    expect(different.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
    const sentTo = different.flatMap(({ answer }) => targets(answer.data.config))
    expect(sentTo.toSorted()).toEqual(
      [5002, 5004, 5006, 5008, 5010, 5012].map((port) => `udp://127.0.0.1:${port}?ttl=12`),
    )
    const same = await Promise.all([9, 9, 9, 9].map(ask))
    expect(takenAndRefused(same)).toEqual({ taken: 1, refused: 3 })
    for (const { failure } of same.filter(({ status }) => status !== 201)) {
      expect(failure).toMatchObject({ code: 'conflict', field: 'card-idx' })
      expect(failure.error).toContain("is taken by encoder 'Copy 9'")
    }
  })
})

test('clone: the key is not sent to an address chosen by a manager; an admin sees which key the copy has', async () => {
  await using site = await openTestSite()
  const { id } = await addTestEncoder(site, 0)
  const before = await databaseContent(site.ctx)
  const body = { title: 'Copy', 'card-idx': 0, ip: '127.0.0.1', port: 4001 }
  const refused = await clone(site, 'northManager', id, body)
  expect(refused.status).toBe(403)
  expect(refused.failure.error).toContain('Only an admin may clone an encoder to an address')
  expect((await databaseContent(site.ctx))['encoders']).toEqual(before['encoders'])
  const moved = await clone(site, 'admin', id, body)
  expect(moved.status).toBe(201)
  expect(moved.answer.data).toMatchObject({ port: 4001, apiKeySet: true })
  expect(moved.answer.warnings.join(' ')).toContain('The copy has the API key of Camera 0.')
  const joining = await clone(site, 'northManager', id, { ...body, 'card-idx': 1 })
  expect(joining.status).toBe(201)
  expect(joining.answer.warnings.join(' ')).not.toContain('API key')
})

test('clone: on another port of the host, which is another agent, targets of the host still count as taken', async () => {
  await using site = await openTestSite()
  const { id } = await addTestEncoder(site, 0)
  const body = { title: 'Copy', 'card-idx': 0, port: 4001 }
  const { answer } = await clone(site, 'admin', id, body)
  expect(targets(answer.data.config)).toEqual(['udp://127.0.0.1:5002?ttl=12'])
})

test('T3 clone: a manager cannot use the host of another group', async () => {
  await using site = await openTestSite()
  const { id } = await addTestEncoder(site, 0)
  const foreign = {
    title: 'Southern',
    ip: '127.0.0.1',
    port: 4002,
    groupId: site.south,
    apiKey: FAKE_KEY,
  }
  await site.call('admin', addEncoder, { body: foreign })
  const body = { title: 'Copy', 'card-idx': 0, ip: '127.0.0.1', port: 4002 }
  const { status, failure } = await clone(site, 'northManager', id, body)
  expect([status, failure.field]).toEqual([409, 'ip'])
})

test('clone: a manager’s copy has the editors that this manager may assign', async () => {
  await using site = await openTestSite()
  const { id } = await addTestEncoder(site, 0)
  const { northEditor, southEditor } = site.people
  const users = [northEditor.id, southEditor.id]
  await site.call('admin', updateEncoder, { body: { _id: id, users } })
  const copy = await clone(site, 'northManager', id, { title: 'Copy', 'card-idx': 1 })
  expect(copy.answer.data.users).toEqual([northEditor.id])
  expect(copy.answer.warnings).toContain(
    '1 editor of another group is not assigned to the copy. An admin may assign them.',
  )
  const whole = await clone(site, 'admin', id, { title: 'Whole', 'card-idx': 2 })
  expect(whole.answer.data.users).toEqual(users.toSorted())
})

test('clone: an encoder without a configuration is copied without one, disabled or not', async () => {
  await using site = await openTestSite()
  const { answer } = await site.call('admin', addEncoder, {
    body: {
      title: 'Bare',
      ip: '127.0.0.1',
      port: site.encoderHost.port,
      groupId: site.north,
      apiKey: FAKE_KEY,
    },
  })
  const copy = await clone(site, 'northManager', answer.id, { title: 'Copy', 'card-idx': 0 })
  expect(copy.status).toBe(201)
  expect(copy.answer.data).toMatchObject({ title: 'Copy', config: null, isEnabled: true })
  expect(copy.answer.warnings).toEqual([])
})

test('clone: the copy is pushed to viewers, its host gets its program and starts nothing', async () => {
  await using site = await openTestSite()
  const { id } = await addTestEncoder(site, 0)
  const heard: Notice[] = []
  site.ctx.notices.listen((notice) => heard.push(notice))
  site.encoderHost.refusals.set('applyProgram', 'This host has no card 5.')
  const copy = await clone(site, 'admin', id, { title: 'Copy', 'card-idx': 5 })
  expect(heard).toEqual([
    { kind: 'encoder', id: copy.answer.id, change: 'added', groupIds: [site.north] },
  ])
  expect(copy.answer.warnings).toContain(
    'The host does not take these settings: This host has no card 5.',
  )
  const wanted = site.ctx.programs.wanted(`encoder-${copy.answer.id}`)
  expect(wanted).toMatchObject({ id: copy.answer.id, wanted: 'stopped' })
})

test('clone: settings that its host cannot apply give the same warnings as a save', async () => {
  await using site = await openTestSite()
  const { id } = await addTestEncoder(site, 0)
  const audio = {
    format: 'aac',
    bitrate: 64,
    lang: 'eng',
    pid: 4112,
    'aac-profile': 'he-aac-v1',
    'aac-encap': 'adts',
  } as const
  const config = { ...palConfig(0), 'audio-stream': audio }
  await site.call('admin', updateEncoder, { body: { _id: id, config } })
  const copy = await clone(site, 'northManager', id, { title: 'Copy', 'card-idx': 7 })
  expect(copy.answer.warnings).toEqual(
    expect.arrayContaining([
      'Card 7: this host has no such source. The encoder will not start.',
      'This host has no encoder for he-aac-v1 (libfdk_aac); aac-lc is used.',
    ]),
  )
})
