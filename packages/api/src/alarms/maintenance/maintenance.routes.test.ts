import { listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import {
  addMaintenance,
  listMaintenance,
  removeMaintenance,
  updateMaintenance,
} from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import {
  WEEKDAYS,
  type MaintenanceDraft,
  type WindowTimes,
} from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openTestAlarm } from '../../testing/alarm.fixture.ts'
import { makeServer } from '../../testing/role-walk/things.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { addTestEncoder, openTestSite } from '../../testing/test-site.ts'
import * as maintenanceStore from './maintenance.store.ts'
import { openMaintenance } from './maintenance.service.ts'

const HOUR_MS = 3_600_000

function draftOver(covers: MaintenanceDraft['covers'], fromMs = Date.now() - HOUR_MS) {
  const [from, until] = [fromMs, fromMs + 2 * HOUR_MS].map((ms) => new Date(ms).toISOString())
  const times = { repeats: 'once' as const, from: from ?? '', until: until ?? '' }
  return { title: 'Firmware', covers, times }
}

test.each(BOTH_DATABASES)(
  'while a group is in maintenance its alarms are quiet, also after a restart, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id } = await addTestEncoder(site, 0)
    await openTestAlarm(site.ctx, { kind: 'encoder', id })
    const admin = { ...site.people.admin, role: 'admin', groupIds: [] } as never
    const loud = () => site.ctx.alarms.of(admin).unacknowledged.critical
    expect(loud()).toBe(1)

    const body = draftOver({ kind: 'group', id: site.north })
    const added = await site.call('northManager', addMaintenance, { body })
    expect(added.answer.data).toMatchObject({
      covers: { title: 'North' },
      activeUntil: body.times.until,
      nextFrom: null,
    })
    expect(loud()).toBe(0)
    const [alarm] = (await site.call('northMonitor', listAlarms, {})).answer.data
    expect(alarm?.maintenanceUntil).toBe(body.times.until)

    site.ctx.maintenance.replace([])
    expect(loud()).toBe(1)
    const reader = openMaintenance(site.ctx)
    onTestFinished(async () => reader[Symbol.asyncDispose]())
    await vi.waitFor(() => expect(loud()).toBe(0), 20_000)

    const params = { id: added.answer.id }
    expect((await site.call('northManager', removeMaintenance, { params })).status).toBe(200)
    expect(loud()).toBe(1)
  },
)

test('windows are listed with those that are on first, or by their titles', async () => {
  await using site = await openTestSite()
  const covers = { kind: 'group', id: site.north } as const
  for (const [title, fromMs] of [
    ['Rack 10', Date.now() + HOUR_MS],
    ['Rack 9', Date.now() + 2 * HOUR_MS],
    ['Aerial', Date.now() - HOUR_MS],
  ] as const)
    await site.call('northManager', addMaintenance, {
      body: { ...draftOver(covers, fromMs), title },
    })
  const listed = async (sort: '' | 'title' | '-title') => {
    const { data } = (await site.call('admin', listMaintenance, { query: { sort } })).answer
    return data.map(({ title }) => title).join()
  }
  expect(await listed('')).toBe('Aerial,Rack 10,Rack 9')
  expect(await listed('title')).toBe('Aerial,Rack 9,Rack 10')
  expect(await listed('-title')).toBe('Rack 10,Rack 9,Aerial')
})

test('of two who change a window the second is told what the first has saved', async () => {
  await using site = await openTestSite()
  const body = draftOver({ kind: 'group', id: site.north })
  const { id } = (await site.call('northManager', addMaintenance, { body })).answer
  const params = { id }
  const change = { title: 'Cabling', version: 1 }
  const first = await site.call('northManager', updateMaintenance, { params, body: change })
  expect(first.answer.data).toMatchObject({ title: 'Cabling', version: 2 })
  const late = await site.call('admin', updateMaintenance, {
    params,
    body: { title: 'Power', version: 1 },
  })
  expect(late).toMatchObject({
    status: 409,
    answer: { current: { title: 'Cabling' }, changed: ['title'] },
  })
})

test('a manager plans nothing for what also belongs to another group, or is not there', async () => {
  await using site = await openTestSite()
  const groups = [site.north, site.south]
  const shared = await makeServer(site, 'Shared', 'acants', 19_001, groups)
  const asked = async (covers: MaintenanceDraft['covers']) =>
    (await site.call('northManager', addMaintenance, { body: draftOver(covers) })).status
  expect(await asked({ kind: 'server', id: shared })).toBe(403)
  expect(await asked({ kind: 'server', id: site.acantsId })).toBe(201)
  expect(await asked({ kind: 'group', id: site.south })).toBe(404)
  expect(await asked({ kind: 'input', id: 'nowhere' })).toBe(404)
})

test('a window that is over cannot be planned, and is listed last', async () => {
  await using site = await openTestSite()
  const covers = { kind: 'group' as const, id: site.north }
  const over = draftOver(covers, Date.now() - 3 * HOUR_MS)
  const refused = await site.call('admin', addMaintenance, { body: over })
  expect(refused).toMatchObject({ status: 400, answer: { field: 'times.until' } })
  const stored = { id: 'over', version: 1, createdAt: new Date().toISOString() }
  await maintenanceStore.insert(site.ctx.db, { ...stored, ...over })
  const inThreeDays = new Date(Date.now() + 3 * 24 * HOUR_MS).getUTCDay()
  const days = WEEKDAYS.filter((_, day) => day === inThreeDays)
  const times: WindowTimes = { repeats: 'weekly', days, startsAt: '02:00', minutes: 60 }
  await site.call('admin', addMaintenance, {
    body: { ...draftOver(covers, Date.now() + 8 * 24 * HOUR_MS), title: 'Later' },
  })
  await site.call('admin', addMaintenance, { body: { title: 'Weekly', covers, times } })
  await site.call('admin', addMaintenance, { body: { ...draftOver(covers), title: 'Now' } })
  const { answer } = await site.call('northMonitor', listMaintenance, {})
  expect(answer.data.map(({ title }) => title)).toEqual(['Now', 'Weekly', 'Later', 'Firmware'])
  expect((await site.call('southManager', listMaintenance, {})).answer.total).toBe(0)
})
