import {
  acknowledgeAlarm,
  acknowledgeAlarms,
  listAlarmHistory,
  listAlarms,
  muteAlarm,
} from '@trunkline/contract/alarms/alarm.calls'
import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { listEvents } from '@trunkline/contract/events/event.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { movingSince } from '../testing/fake-host.ts'
import { openTestAlarm } from '../testing/alarm.fixture.ts'
import { addTestFeeder } from '../testing/feeder.fixture.ts'
import { addTestInput } from '../testing/input.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'
import * as alarmStore from './alarm.store.ts'
import { openAlarms } from './alarm-keeper.service.ts'

/** A keeper whose clock a test sets forward. */
function keeperOf(site: TestSite) {
  let aheadMs = 0
  const keeper = openAlarms({ ...site.ctx, clock: () => Date.now() + aheadMs })
  onTestFinished(async () => keeper[Symbol.asyncDispose]())
  const pass = async (ms: number) => {
    aheadMs += ms
    await keeper.written()
  }
  const open = async () => {
    await keeper.written()
    return (await site.call('admin', listAlarms, {})).answer.data
  }
  const until = async (rules: readonly string[]) =>
    vi.waitFor(async () => {
      await pass(2000)
      const found = await open()
      expect(found.map(({ rule }) => rule)).toEqual(rules)
      return found
    }, 60_000)
  return { keeper, pass, open, until }
}

test.each(BOTH_DATABASES)(
  'an alarm is raised, acknowledged once, outlasts a restart and is cleared, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id } = await addTestInput(site, 6100)
    const programId = `input-${id}`
    await site.call('northManager', contributionAction, {
      body: { id, type: 1, actionType: 'start' },
    })
    const first = keeperOf(site)
    const [fresh] = await first.until(['never-connected'])
    const { status } = await site.call('northManager', acknowledgeAlarm, {
      params: { id: fresh?.id ?? '' },
      body: { version: fresh?.version },
    })
    expect(status).toBe(200)
    const cause = 'Port 6100 is in use.'
    site.linkHost.change(programId, { state: 'backoff', pid: null, cause })
    const [alarm] = await first.until(['program-down'])
    expect(alarm).toMatchObject({
      kind: 'input',
      objectId: id,
      title: 'Feed 6100',
      severity: 'critical',
    })
    expect(alarm?.sentence).toContain(cause)
    const [params, version] = [{ id: alarm?.id ?? '' }, alarm?.version ?? 0]
    const body = { note: 'On my way', version }
    const acknowledged = await site.call('northManager', acknowledgeAlarm, { params, body })
    expect(acknowledged.answer.data.acknowledged).toMatchObject({ note: 'On my way' })
    const late = await site.call('admin', muteAlarm, { params, body: { minutes: 5, version } })
    expect(late.status).toBe(409)
    const refusals = await site.call('superadmin', listAudit, { query: { result: 'refused' } })
    expect(refusals.answer.data, 'the refusal names what the alarm is about').toMatchObject([
      { call: 'alarms.mute', object: { kind: 'input', _id: id, title: 'Feed 6100' } },
    ])
    await first.keeper[Symbol.asyncDispose]()

    const second = keeperOf(site)
    const [kept] = await second.until(['program-down'])
    expect(kept?.acknowledged).toMatchObject({ by: 'Test northManager' })
    const observed = movingSince(0)
    site.linkHost.change(programId, {
      state: 'running',
      pid: 7,
      cause: '',
      peer: 'connected',
      observed,
    })
    await second.until([])
    const history = await site.call('northManager', listAlarmHistory, {
      query: { kind: 'input', id },
    })
    expect(history.answer.data.map((each) => [each.rule, each.clearedAt !== null])).toEqual([
      ['program-down', true],
    ])
    const query = { kind: 'input' as const, id, show: 'alarm,saved' }
    const { answer } = await site.call('northManager', listEvents, { query })
    const events = answer.data.map((event) => `${event.kind} ${event.state}`.trim())
    expect(events.toSorted()).toEqual([
      'alarm acknowledged',
      'alarm cleared',
      'alarm raised',
      'saved',
    ])
  },
)

test('a dead host raises one alarm, which causes those of what runs on it; they stand alone only when they stay', async () => {
  await using site = await openTestSite()
  const ids: string[] = []
  for (const port of [6100, 6102, 6104]) ids.push((await addTestInput(site, port)).id)
  for (const id of ids) {
    await site.call('northManager', contributionAction, {
      body: { id, type: 1, actionType: 'start' },
    })
  }
  const { until, pass, open } = keeperOf(site)
  site.pollFast()
  await site.linkHost[Symbol.asyncDispose]()
  const [alarm] = await until(['host-unreachable'])
  await vi.waitFor(async () => {
    await pass(2000)
    expect((await open())[0]).toMatchObject({ kind: 'server', behind: 3 })
  }, 60_000)
  const query = { causedBy: alarm?.id ?? '' }
  const caused = (await site.call('northManager', listAlarms, { query })).answer
  expect(caused.data.map(({ objectId }) => objectId).toSorted()).toEqual(ids.toSorted())
})

test('each person sees and counts their own objects, and only the health of a cause in another group', async () => {
  await using site = await openTestSite()
  const { id: encoderId } = await addTestEncoder(site, 0)
  const { alarms } = site.ctx
  const server = { kind: 'server', id: 'elsewhere' } as const
  const root = await openTestAlarm(site.ctx, server, { title: 'Secret', severity: 'major' })
  const camera = { kind: 'encoder', id: encoderId } as const
  await openTestAlarm(site.ctx, camera, { causedBy: root })
  const seen = (await site.call('northMonitor', listAlarms, {})).answer.data
  expect(seen).toMatchObject([{ id: root, title: '', objectId: '', severity: 'major', behind: 1 }])
  const params = { id: root }
  const refused = await site.call('northManager', acknowledgeAlarm, { params, body: {} })
  expect(refused.status).toBe(403)
  expect((await site.call('southManager', listAlarms, {})).answer.total).toBe(0)
  const admin = { ...site.people.admin, role: 'admin', groupIds: [] } as never
  expect(alarms.of(admin)).toMatchObject({
    unacknowledged: { critical: 0, major: 1, warning: 0 },
    worst: { title: 'Secret', behind: 1 },
  })
  const acknowledged = { atMs: 0, by: 'Ann Lee', note: '' }
  await openTestAlarm(site.ctx, { kind: 'server', id: site.acantsId }, { acknowledged })
  const listed = (await site.call('admin', listAlarms, {})).answer.data
  expect(listed.map(({ severity }) => severity)).toEqual(['major', 'critical'])
})

test('what lasts is shown before what is over and only open until that has lasted', async () => {
  await using site = await openTestSite()
  const ids: string[] = []
  for (const at of [0, 1]) ids.push((await addTestEncoder(site, at)).id)
  const [loud = '', faint = ''] = ids
  const { alarms } = site.ctx
  const worst = () =>
    alarms.of({ ...site.people.admin, role: 'admin', groupIds: [] } as never).worst
  const over = await openTestAlarm(site.ctx, { kind: 'encoder', id: loud })
  alarms.noteOver(over, 7000)
  expect(worst()).toMatchObject({ objectId: loud, overSinceMs: 7000 })
  await openTestAlarm(site.ctx, { kind: 'encoder', id: faint }, { severity: 'warning' })
  expect(worst()).toMatchObject({ objectId: faint, overSinceMs: null })
  alarms.noteOver(over, null)
  expect(worst()).toMatchObject({ objectId: loud, overSinceMs: null })
})

test('open alarms are sorted by severity, title or time; what is in another group comes after the titles', async () => {
  await using site = await openTestSite()
  const ids: string[] = []
  for (const at of [0, 1, 2]) ids.push((await addTestEncoder(site, at)).id)
  const [first = '', second = '', third = ''] = ids
  const open = async (id: string, title: string, more: Partial<alarmStore.StoredAlarm>) =>
    openTestAlarm(site.ctx, { kind: 'encoder', id }, { title, ...more })
  await open(first, 'Camera 10', { severity: 'warning', raisedAtMs: 3000 })
  const acknowledged = { atMs: 0, by: 'Ann Lee', note: '' }
  await open(second, 'camera 9', { severity: 'critical', raisedAtMs: 1000, acknowledged })
  const server = { kind: 'server', id: 'elsewhere' } as const
  const root = await openTestAlarm(site.ctx, server, {
    title: 'A',
    severity: 'major',
    raisedAtMs: 2000,
  })
  await open(third, 'Camera 11', { causedBy: root })
  const listed = async (sort: '' | 'severity' | 'title' | '-title' | '-since') => {
    const query = { sort }
    const { data } = (await site.call('northManager', listAlarms, { query })).answer
    return data.map(({ title, severity }) => title || severity).join()
  }
  expect(await listed('')).toBe('major,Camera 10,camera 9')
  expect(await listed('severity')).toBe('camera 9,major,Camera 10')
  expect(await listed('title')).toBe('camera 9,Camera 10,major')
  expect(await listed('-title')).toBe('Camera 10,camera 9,major')
  expect(await listed('-since')).toBe('Camera 10,major,camera 9')
})

test('alarms name what they are about by its own title', async () => {
  await using site = await openTestSite()
  const { id: encoder } = await addTestEncoder(site, 0)
  const { id: input } = await addTestInput(site, 6100)
  const feeder = await addTestFeeder(site, encoder, 27_100)
  const titles = await alarmStore.titlesOfAll(site.ctx.db, [
    { kind: 'encoder', id: encoder },
    { kind: 'feeder', id: feeder },
    { kind: 'input', id: input },
  ])
  expect([...titles.values()]).toEqual(['Camera 0', 'to Gateway', 'Feed 6100'])
})

test.each(BOTH_DATABASES)(
  'several are acknowledged at once, those that changed or are foreign stay, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const ids: string[] = []
    for (const at of [0, 1, 2]) {
      const { id } = await addTestEncoder(site, at)
      ids.push(await openTestAlarm(site.ctx, { kind: 'encoder', id }))
    }
    const foreign = await openTestAlarm(site.ctx, { kind: 'server', id: 'elsewhere' })
    const [first = '', second = '', third = ''] = ids
    await site.call('northManager', muteAlarm, { params: { id: second }, body: { minutes: 5 } })
    const alarms = [first, second, third, foreign].map((id) => ({ id, version: 1 }))
    const body = { alarms, note: 'Power is back soon' }
    const { answer } = await site.call('northManager', acknowledgeAlarms, { body })
    const { acknowledged: done, left } = answer.data
    expect(done.toSorted()).toEqual([first, third].toSorted())
    expect(left).toEqual([second, foreign])
    const listed = (await site.call('admin', listAlarms, {})).answer.data
    const acknowledged = listed.filter((alarm) => alarm.acknowledged !== null)
    expect(acknowledged.map(({ id }) => id).toSorted()).toEqual([first, third].toSorted())
    const query = { objectKind: 'encoder' as const, searchText: 'alarms.acknowledgeSeveral' }
    const lines = (await site.call('admin', listAudit, { query })).answer.data
    expect(lines.map(({ reason }) => reason)).toEqual([body.note, body.note])
  },
)
