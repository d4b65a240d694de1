import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  controlEncoder,
  enableEncoder,
  findEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { describe, expect, test } from 'vitest'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { FakeHost } from '../testing/fake-host.ts'
import { addTestFeeder } from '../testing/feeder.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'

async function enable(site: TestSite, id: string, isEnabled: boolean) {
  return site.call('northManager', enableEncoder, { params: { id }, body: { isEnabled } })
}

async function start(site: TestSite, id: string) {
  const body = { data: { name: 'encoder0', command: 'start' as const } }
  return site.call('admin', controlEncoder, { params: { id }, body })
}

async function startFeeder(site: TestSite, id: string, feederName: string) {
  const body = { id, type: 10 as const, actionType: 'start' as const, feederName }
  return site.call('admin', contributionAction, { body })
}

/** An encoder and its feeder, both running. */
async function addRunning(site: TestSite) {
  const { id } = await addTestEncoder(site, 0)
  const feeder = await addTestFeeder(site, id, 5000)
  await start(site, id)
  await startFeeder(site, id, feeder)
  const { data } = (await site.call('admin', findEncoder, { params: { id } })).answer
  return { id, feeder, version: data.version }
}

async function stored(site: TestSite, id: string) {
  const encoder = await site.ctx.db
    .selectFrom('encoders')
    .select(['is_enabled', 'wanted_running', 'version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const feeders = await site.ctx.db.selectFrom('feeders').select('wanted_running').execute()
  return { ...encoder, feeders: feeders.map((row) => row.wanted_running) }
}

async function auditLines(site: TestSite) {
  const lines = site.ctx.db.selectFrom('audit').selectAll().where('call', '=', 'encoders.enable')
  return lines.orderBy('at').execute()
}

describe.each(BOTH_DATABASES)('enabling and disabling on %s', (kind) => {
  test('Q65 disabling ends the encoder and its feeders; enabling starts nothing', async () => {
    const site = await openSiteOn(kind)
    const { id, feeder, version } = await addRunning(site)
    const heard: Notice[] = []
    site.ctx.notices.listen((notice) => heard.push(notice))
    const before = site.encoderHost.calls.length
    const disabled = await enable(site, id, false)
    expect(disabled.answer).toMatchObject({
      status: true,
      isEnabled: false,
      data: { id, isEnabled: false, version: version + 1 },
    })
    const calls = site.encoderHost.calls.slice(before)
    expect(calls.map(({ call }) => call)).toEqual(['removeProgram', 'removeProgram'])
    expect(site.encoderHost.programs.size).toBe(0)
    expect(await stored(site, id)).toMatchObject({
      is_enabled: 0,
      wanted_running: 0,
      feeders: [0],
    })
    expect(heard).toEqual([{ kind: 'encoder', id, change: 'changed', groupIds: [site.north] }])
    const enabled = await enable(site, id, true)
    expect(enabled.answer).toMatchObject({ isEnabled: true, data: { version: version + 2 } })
    const states = [...site.encoderHost.programs.values()].map((program) => [
      program.programId,
      program.state,
    ])
    expect(new Map(states as [string, string][])).toEqual(
      new Map([
        [`encoder-${id}`, 'stopped'],
        [`feeder-${feeder}`, 'stopped'],
      ]),
    )
    expect(await stored(site, id)).toMatchObject({ wanted_running: 0, feeders: [0] })
  })

  test('Q65 a start at the moment of disabling leaves nothing running and nothing wanted', async () => {
    const site = await openSiteOn(kind)
    const { id } = await addTestEncoder(site, 0)
    const feeder = await addTestFeeder(site, id, 5000)
    for (let round = 0; round < 5; round++) {
      await enable(site, id, true)
      await Promise.all([start(site, id), enable(site, id, false), startFeeder(site, id, feeder)])
      await site.ctx.programs.refresh({ by: 'encoder', id })
      expect(site.encoderHost.programs.size).toBe(0)
      expect(await stored(site, id)).toMatchObject({ wanted_running: 0, feeders: [0] })
    }
  })

  test('several operators disable it at once: each succeeds, and it is done once', async () => {
    const site = await openSiteOn(kind)
    const { id, version } = await addTestEncoder(site, 0)
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => enable(site, id, false)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(await stored(site, id)).toMatchObject({ is_enabled: 0, version: version + 1 })
    expect(await auditLines(site)).toHaveLength(1)
  })
})

test('T20 who disabled it is written down, once', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  await enable(site, id, false)
  await enable(site, id, false)
  const [line, ...others] = await auditLines(site)
  expect(others).toEqual([])
  expect(line).toMatchObject({
    actor_id: site.people.northManager.id,
    object_id: id,
    object_title: 'Camera 0',
    result: 'done',
  })
})

test('Q66 a disabled encoder and its feeders take no command', async () => {
  const site = await openSiteOn('SQLite')
  const { id, feeder } = await addRunning(site)
  await enable(site, id, false)
  for (const answer of [await start(site, id), await startFeeder(site, id, feeder)]) {
    expect([answer.status, answer.failure.error]).toEqual([409, 'Disabled'])
  }
  expect(site.encoderHost.programs.size).toBe(0)
})

test('Q66 a command that another process overtook by disabling is refused before the host hears it', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const before = site.encoderHost.calls.length
  const isDisabled = Promise.withResolvers<void>()
  const earlier = site.ctx.programs.exclusive(`encoder-${id}`, async () => isDisabled.promise)
  const command = start(site, id)
  await site.ctx.db.updateTable('encoders').set({ is_enabled: 0 }).where('id', '=', id).execute()
  isDisabled.resolve()
  await earlier
  expect((await command).failure.error).toBe('Disabled')
  expect(site.encoderHost.calls.slice(before)).toEqual([])
})

test('decisions 9: an unreachable host does not prevent it, and ends its programs when it is back', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addRunning(site)
  const { port, programs } = site.encoderHost
  await site.encoderHost[Symbol.asyncDispose]()
  expect((await enable(site, id, false)).answer).toMatchObject({ isEnabled: false })
  await using back = await FakeHost.open({ seatKind: 'encoder', port })
  for (const [programId, report] of programs) back.programs.set(programId, report)
  await back.asked('removeProgram', 2)
  await site.ctx.programs.refresh({ by: 'encoder', id })
  expect(back.programs.size).toBe(0)
  expect(back.paramsOf('controlProgram')).toEqual([])
})

test.each([
  ['nothing', {}, 'isEnabled', 'isEnabled is missing. Add it.'],
  ['text', { isEnabled: 'no' }, 'isEnabled', 'isEnabled must be true or false, not text.'],
  ['more', { isEnabled: true, title: 'x' }, 'title', "There is no field 'title' here. Remove it."],
])('API-29 %s for a body is refused by name', async (_, body, field, sentence) => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const before = await databaseContent(site.ctx)
  const { status, failure } = await site.call('admin', enableEncoder, {
    params: { id },
    body: body as { isEnabled: boolean },
  })
  expect([status, failure.field, failure.error]).toEqual([400, field, sentence])
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('API-29 an unknown encoder is a 404', async () => {
  const site = await openSiteOn('SQLite')
  expect((await enable(site, 'nowhere', false)).status).toBe(404)
})
