import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { removeEncoder } from '@trunkline/contract/encoders/encoder.calls'
import {
  addSchedule,
  listScheduleMarks,
  listScheduleRuns,
  listSchedules,
  removeSchedule,
  updateSchedule,
} from '@trunkline/contract/schedules/schedule.calls'
import type { ScheduleDraft } from '@trunkline/contract/schedules/schedule.schema'
import { expect, test } from 'vitest'
import { addTestInput } from '../testing/input.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

function stopIn(hours: number, kind: ScheduleDraft['object']['kind'], id: string) {
  const times = { repeats: 'once' as const, at: inHours(hours), timeZone: 'Europe/Paris' }
  return { object: { kind, id }, command: 'stop' as const, times }
}

async function listed(site: TestSite, who: PersonName, query: object = {}) {
  const { answer } = await site.call(who, listSchedules, { query })
  return answer.data.map(({ object, note }) => `${object.title} ${note}`.trim())
}

test.each(BOTH_DATABASES)(
  'a schedule is added, changed, disabled and deleted, each recorded, on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { id } = await addTestEncoder(site, 0)
    const body = { ...stopIn(2, 'encoder', id), note: 'After the match' }
    const added = await site.call('northEditor', addSchedule, { body })
    expect(added.status).toBe(201)
    expect(added.answer.data).toMatchObject({
      object: { kind: 'encoder', id, title: 'Camera 0' },
      command: 'stop',
      times: body.times,
      alsoOnAir: false,
      isEnabled: true,
      by: 'Test northEditor',
      nextAt: body.times.at,
      lastRun: null,
      version: 1,
    })
    const params = { id: added.answer.id }
    const times = {
      repeats: 'weekly' as const,
      days: ['fri' as const],
      time: '18:00',
      timeZone: 'Europe/Paris',
    }
    const changed = await site.call('northManager', updateSchedule, {
      params,
      body: { times, version: 1 },
    })
    expect(changed.answer.data).toMatchObject({
      times,
      note: 'After the match',
      by: 'Test northManager',
      version: 2,
    })
    const late = { params, body: { note: 'Mine', version: 1 } }
    const refused = await site.call('northEditor', updateSchedule, late)
    expect([refused.status, refused.failure.code]).toEqual([409, 'conflict'])
    expect(refused.failure).toMatchObject({ changed: ['note'], current: { version: 2 } })

    const off = { params, body: { isEnabled: false } }
    const disabled = await site.call('northEditor', updateSchedule, off)
    expect(disabled.answer.data).toMatchObject({ isEnabled: false, nextAt: null })
    expect((await site.call('northEditor', removeSchedule, { params })).status).toBe(200)
    expect((await site.call('northEditor', removeSchedule, { params })).status).toBe(404)
    const activity = await site.call('admin', listAudit, { query: { objectKind: 'encoder' } })
    const calls = activity.answer.data.map(({ call, result }) => `${call} ${result}`)
    expect(calls.slice(0, 5)).toEqual([
      'schedules.remove done',
      'schedules.update done',
      'schedules.update done',
      'schedules.add done',
      'encoders.update done',
    ])
  },
)

test('the list has the next to come first, in pages, of one object or of all that one may see', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const input = await addTestInput(site, 6000)
  const add = async (body: ReturnType<typeof stopIn>, note: string) =>
    site.call('admin', addSchedule, { body: { ...body, note } })
  await add(stopIn(3, 'encoder', id), 'third')
  await add(stopIn(1, 'encoder', id), 'first')
  await add(stopIn(2, 'input', input.id), 'second')
  const all = await listed(site, 'admin')
  expect(all.map((text) => text.split(' ').at(-1))).toEqual(['first', 'second', 'third'])
  expect(await listed(site, 'admin', { page: 1, rowsPerPage: 2 })).toEqual([all[2]])
  expect(await listed(site, 'admin', { kind: 'encoder', id })).toEqual([all[0], all[2]])
  expect(await listed(site, 'northEditor')).toEqual([all[0], all[2]])
  expect(await listed(site, 'southManager')).toEqual([])
  const marks = await site.call('northEditor', listScheduleMarks, {})
  expect(marks.answer.data).toMatchObject([
    { kind: 'encoder', id, next: { command: 'stop', timeZone: 'Europe/Paris' }, problem: null },
  ])
  const half = await site.call('admin', listSchedules, { query: { kind: 'encoder' } })
  expect([half.status, half.failure.field]).toEqual([400, 'id'])
})

test('only who may command an object may schedule it', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const input = await addTestInput(site, 6000)
  const add = async (who: PersonName, kind: 'encoder' | 'input', objectId: string) =>
    (await site.call(who, addSchedule, { body: stopIn(1, kind, objectId) })).status
  expect(await add('northMonitor', 'encoder', id)).toBe(403)
  expect(await add('southManager', 'encoder', id)).toBe(404)
  expect(await add('northEditor', 'input', input.id)).toBe(404)
  expect(await add('northManager', 'input', input.id)).toBe(201)
  const { answer } = await site.call('admin', listSchedules, {})
  const params = { id: answer.data[0]?.id ?? '' }
  for (const who of ['northEditor', 'southManager'] as const) {
    expect((await site.call(who, listScheduleRuns, { params })).status).toBe(404)
    const body = { isEnabled: false }
    expect((await site.call(who, updateSchedule, { params, body })).status).toBe(404)
    expect((await site.call(who, removeSchedule, { params })).status).toBe(404)
  }
})

test('what can never be carried out is refused by its field', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const local = await addTestInput(site, 6000, {
    inputType: 'Local',
    config: { port: 6000, multicast: '239.9.9.9' },
  })
  const good = stopIn(1, 'encoder', id)
  const weekly = { repeats: 'weekly', days: ['fri'], time: '18:00', timeZone: 'Europe/Paris' }
  const field = async (change: object) => {
    const body = { ...good, ...change } as ScheduleDraft
    const { status, failure } = await site.call('admin', addSchedule, { body })
    expect(status).toBe(400)
    return failure.field
  }
  expect(await field({ times: { ...good.times, at: inHours(-1) } })).toBe('times.at')
  expect(await field({ times: { ...weekly, days: [] } })).toBe('times.days')
  expect(await field({ times: { ...weekly, time: '24:00' } })).toBe('times.time')
  expect(await field({ times: { ...weekly, timeZone: 'Europe/Nowhere' } })).toBe('times.timeZone')
  expect(await field({ command: 'switch' })).toBe('command')
  expect(await field({ source: { index: 0, url: 'srt://:1' } })).toBe('source')
  expect(await field({ object: { kind: 'input', id: local.id } })).toBe('object')
  expect(await listed(site, 'admin')).toEqual([])
})

test('a schedule and its runs go with their object', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const added = await site.call('admin', addSchedule, { body: stopIn(1, 'encoder', id) })
  expect(added.status).toBe(201)
  expect((await site.call('admin', removeEncoder, { params: { id } })).status).toBe(200)
  expect(await listed(site, 'admin')).toEqual([])
})
