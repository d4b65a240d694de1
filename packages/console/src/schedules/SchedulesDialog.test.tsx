import { screen, waitFor, within } from '@testing-library/react'
import {
  addSchedule,
  listScheduleMarks,
  listSchedules,
  removeSchedule,
  updateSchedule,
} from '@trunkline/contract/schedules/schedule.calls'
import type { Schedule, ScheduleMark } from '@trunkline/contract/schedules/schedule.schema'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, test } from 'vitest'
import { openDashboard } from '../encoders/dashboard/dashboard.fixture.ts'
import { refuse } from '../test/fake-api.ts'
import { answerQuestion, findNotice, resetConsole } from '../test/render-console.tsx'
import { statusOf } from '../test/samples.ts'

afterEach(resetConsole)

const LIMIT = { timeout: 10_000 }
const STOP: Schedule = {
  _id: 's1',
  id: 's1',
  version: 4,
  object: { kind: 'encoder', id: 'a', title: 'Camera a' },
  command: 'stop',
  source: null,
  times: { repeats: 'weekly', days: ['mon', 'fri'], time: '18:00', timeZone: 'Europe/Paris' },
  alsoOnAir: false,
  isEnabled: true,
  note: 'After the news',
  by: 'Ann Lee',
  nextAt: '2026-11-27T17:00:00.000Z',
  lastRun: {
    dueAt: '2026-11-23T17:00:00.000Z',
    endedAt: '2026-11-23T17:00:01.000Z',
    outcome: 'missed',
    sentence: 'No API process ran at that time.',
  },
}
const MARK: ScheduleMark = {
  kind: 'encoder',
  id: 'a',
  next: { command: 'stop', at: '2026-11-27T17:00:00.000Z', timeZone: 'Europe/Paris' },
  problem: {
    command: 'start',
    dueAt: '2026-11-27T05:00:00.000Z',
    timeZone: 'Europe/Paris',
    outcome: 'refused',
    sentence: "It would have interrupted 'Live', which was on air.",
  },
}

async function openScene(
  schedules: readonly Schedule[],
  role: Role = 'manager',
  mark: ScheduleMark = MARK,
) {
  const list = [...schedules]
  const scene = await openDashboard({
    role,
    programs: [statusOf('a', {})],
    prepare: (api) => {
      api.on(listScheduleMarks).answer(() => ({ status: true, data: [mark] }))
      api.on(listSchedules).answer(() => ({ status: true, data: list, total: list.length }))
    },
  })
  return { ...scene, list, shown: await scene.card('Camera a') }
}

async function openDialog(scene: Awaited<ReturnType<typeof openScene>>) {
  const { user, shown } = scene
  await user.click(within(shown).getByRole('button', { name: 'More for Camera a' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Schedules…' }, LIMIT))
  return screen.findByRole('dialog', { name: /^Schedules/ }, LIMIT)
}

test('what comes within a day and what was not carried out stand beside the object in words', async () => {
  const { shown, user } = await openScene([])
  await user.hover(await within(shown).findByText('Start refused', {}, LIMIT))
  const detail = await screen.findByText(
    "Start refused, scheduled for Fri 27 Nov 06:00 Europe/Paris (05:00 UTC). It would have interrupted 'Live', which was on air. Stops Fri 27 Nov 18:00 Europe/Paris (17:00 UTC).",
    {},
    LIMIT,
  )
  expect(detail).toBeTruthy()
})

test('the list has the next moment in its zone and in UTC, and how the last run went', async () => {
  const dialog = await openDialog(await openScene([STOP]))
  const item = await within(dialog).findByRole('listitem', {}, LIMIT)
  expect(item.textContent).toContain('Stop Mon, Fri 18:00 Europe/Paris')
  within(item).getByText(
    'Next Fri 27 Nov 18:00 Europe/Paris (17:00 UTC). After the news. Saved by Ann Lee.',
  )
  within(item).getByText(
    'Last run: missed, Mon 23 Nov 18:00 Europe/Paris (17:00 UTC). No API process ran at that time.',
  )
})

test('schedules that could not be read again say as of when they are', async () => {
  const scene = await openScene([STOP])
  const dialog = within(await openDialog(scene))
  await dialog.findByRole('list', { name: 'Schedules' }, LIMIT)
  scene.api.on(listSchedules).answer(() => refuse(500, 'The database is busy.'))
  scene.api.stream.push({
    event: 'object',
    data: { kind: 'schedule', id: 's1', change: 'changed' },
  })
  await dialog.findByText(
    /^The schedules could not be read\. Shown as of \d\d:\d\d:\d\d UTC\.$/,
    {},
    LIMIT,
  )
  expect(dialog.getByText('After the news', { exact: false })).toBeDefined()
})

test('a schedule that is over says so, and is not switched on as it is', async () => {
  const over: Schedule = {
    ...STOP,
    times: { repeats: 'once', at: '2026-11-23T17:00:00.000Z', timeZone: 'UTC' },
    nextAt: null,
  }
  const scene = await openScene([over])
  const dialog = await openDialog(scene)
  const name = 'Enabled: Stop, Mon 23 Nov 17:00 UTC'
  const enabled = await within(dialog).findByRole('switch', { name }, LIMIT)
  expect(enabled.getAttribute('aria-checked')).toBe('false')
  expect(enabled.getAttribute('aria-disabled')).toBe('true')
  within(dialog).getByText('Over. After the news. Saved by Ann Lee.')
  within(dialog).getByText('Last run: missed. No API process ran at that time.')
})

test('a schedule is added by the form, which says its first moment and what is wrong', async () => {
  const scene = await openScene([])
  const { user, api } = scene
  api.on(addSchedule).answer(() => ({ status: true, data: STOP, id: 's1' }))
  const dialog = await openDialog(scene)
  await within(dialog).findByText('Nothing scheduled', {}, LIMIT)
  await user.click(within(dialog).getByRole('button', { name: 'Add schedule' }))
  const form = await screen.findByRole('dialog', { name: /^Add schedule/ }, LIMIT)
  await within(form).findByText(/^On \w+ \d+ \w+ /, {}, LIMIT)
  await user.selectOptions(within(form).getByLabelText('What'), 'stop')
  await user.selectOptions(within(form).getByLabelText('When'), 'weekly')
  const time = within(form).getByLabelText('Time')
  await user.clear(time)
  await user.type(time, '18:00')
  await user.click(within(form).getByRole('button', { name: 'Add' }))
  await within(form).findByText('Days must have at least one day.', {}, LIMIT)
  expect(api.askedOf(addSchedule)).toHaveLength(0)
  await user.click(within(form).getByLabelText('Fri'))
  await within(form).findByText(/^First on Fri \d+ \w+ 18:00 /, {}, LIMIT)
  await user.selectOptions(within(form).getByLabelText('While on air'), 'yes')
  await user.click(within(form).getByRole('button', { name: 'Add' }))
  await findNotice('Schedule added')
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  expect(api.askedOf(addSchedule)[0]?.body).toEqual({
    object: { kind: 'encoder', id: 'a' },
    command: 'stop',
    source: null,
    times: { repeats: 'weekly', days: ['fri'], time: '18:00', timeZone },
    alsoOnAir: true,
    note: '',
  })
  const again = await screen.findByRole('dialog', { name: /^Schedules/ }, LIMIT)
  const add = within(again).getByRole('button', { name: 'Add schedule' })
  await waitFor(() => expect(document.activeElement).toBe(add))
})

test('a schedule at the same minute as another is warned of, and is added all the same', async () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const scene = await openScene([
    { ...STOP, times: { repeats: 'weekly', days: ['fri'], time: '18:00', timeZone } },
  ])
  const { user, api } = scene
  api.on(addSchedule).answer(() => ({ status: true, data: STOP, id: 's2' }))
  const dialog = await openDialog(scene)
  await user.click(within(dialog).getByRole('button', { name: 'Add schedule' }))
  const form = within(await screen.findByRole('dialog', { name: /^Add schedule/ }, LIMIT))
  await user.selectOptions(form.getByLabelText('When'), 'weekly')
  await user.click(form.getByLabelText('Fri'))
  const time = form.getByLabelText('Time')
  await user.clear(time)
  await user.type(time, '18:00')
  await form.findByText(
    /^'Stop, Fri 18:00 \S+' is due at the same minute, Fri \d+ \w+ 18:00 /,
    {},
    LIMIT,
  )
  await user.type(time, '{Backspace}1')
  await waitFor(() => expect(form.queryByText(/is due at the same minute/)).toBeNull(), LIMIT)
  await user.type(time, '{Backspace}0')
  await user.click(form.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(api.askedOf(addSchedule)).toHaveLength(1), LIMIT)
})

test('a schedule is changed at its version, switched off, and deleted after a question', async () => {
  const scene = await openScene([STOP])
  const { user, api, list } = scene
  api.on(updateSchedule).answer(() => ({ status: true, data: STOP }))
  api.on(removeSchedule).answer(() => {
    list.length = 0
    return { status: true, id: 's1' }
  })
  const dialog = await openDialog(scene)
  const name = 'Stop, Mon, Fri 18:00 Europe/Paris'
  await user.click(await within(dialog).findByRole('switch', { name: `Enabled: ${name}` }, LIMIT))
  await findNotice('Schedule disabled')
  expect(api.askedOf(updateSchedule)[0]?.body).toEqual({ isEnabled: false })

  await user.click(within(dialog).getByRole('button', { name: `Change ${name}` }))
  const form = await screen.findByRole('dialog', { name: /^Change schedule/ }, LIMIT)
  const note = within(form).getByLabelText('Note')
  await user.clear(note)
  await user.type(note, 'Late news')
  await user.click(within(form).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(api.askedOf(updateSchedule)).toHaveLength(2), LIMIT)
  expect(api.askedOf(updateSchedule)[1]?.body).toMatchObject({ note: 'Late news', version: 4 })

  const again = await screen.findByRole('dialog', { name: /^Schedules/ }, LIMIT)
  const change = await within(again).findByRole('button', { name: `Change ${name}` }, LIMIT)
  await waitFor(() => expect(document.activeElement).toBe(change))
  await user.click(within(again).getByRole('button', { name: `Delete ${name}` }))
  await answerQuestion('Delete schedule')
  await findNotice('Schedule deleted')
  await within(again).findByText('Nothing scheduled', {}, LIMIT)
})

test('who may not command an object gets no dialog, and sees what is scheduled', async () => {
  const { shown, user } = await openScene([], 'monitor', { ...MARK, problem: null })
  await within(shown).findByText('Stops 17:00 UTC', {}, LIMIT)
  await user.click(within(shown).getByRole('button', { name: 'More for Camera a' }))
  await screen.findByRole('menuitem', { name: 'Signal path' }, LIMIT)
  expect(screen.queryByRole('menuitem', { name: 'Schedules…' })).toBeNull()
})
