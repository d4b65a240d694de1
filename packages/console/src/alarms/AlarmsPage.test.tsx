import { act, screen, waitFor, within } from '@testing-library/react'
import {
  acknowledgeAlarm,
  acknowledgeAlarms,
  listAlarmHistory,
  listAlarms,
  muteAlarm,
} from '@trunkline/contract/alarms/alarm.calls'
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import type { OpenAlarms } from '@trunkline/contract/alarms/open-alarms.schema'
import type { Role } from '@trunkline/contract/roles'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { alarmOf } from './alarm.fixture.ts'
import { storage } from '../lib/storage.ts'
import { openedDialog } from '../test/opened-dialog.ts'
import { refuse, refuseOddly } from '../test/fake-api.ts'
import { snapshotOf } from '../test/fake-stream.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { comeBack } from '../test/session-steps.ts'

afterEach(resetConsole)

function openOf(alarms: readonly Alarm[], change: number): OpenAlarms {
  const unacknowledged = { critical: alarms.length, major: 0, warning: 0 }
  return { unacknowledged, quiet: 0, worst: alarms[0] ?? null, change }
}

async function open(path: string, alarms: readonly Alarm[], role: Role = 'admin') {
  const consequences = [alarmOf('x', { causedBy: 'a', title: 'Caused feed', rule: 'no-media' })]
  const scene = renderConsole({
    path,
    role,
    prepare: (api) => {
      api.on(listAlarms).answer(({ query }) => {
        const data = query.get('causedBy') ? consequences : [...alarms]
        return { status: true, data, total: data.length }
      })
      api.on(listAlarmHistory).answer(({ query }) => {
        const old = alarmOf('old', { title: 'Old feed', clearedAt: new Date().toISOString() })
        const data = query.get('severity') === 'warning' ? [] : [old]
        return { status: true, data, next: '' }
      })
      api.on(acknowledgeAlarm).answer(() => ({ status: true, data: alarmOf('a') }))
      api.on(acknowledgeAlarms).answer(() => ({
        status: true,
        data: { acknowledged: ['b'], left: ['c'] },
      }))
      api.on(muteAlarm).answer(() => refuse(409, 'Somebody else has saved this alarm.'))
      api.on(listServers).answer(() => ({ status: true, data: [], total: 0 }))
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  act(() => {
    scene.api.stream.push(snapshotOf({}))
    scene.api.stream.push({ event: 'alarms', data: openOf(alarms, 1) })
  })
  return scene
}

/** The titles of the notifications that the desktop is given from now on. */
function stubNotifications(): string[] {
  const titles: string[] = []
  vi.stubGlobal(
    'Notification',
    class extends EventTarget {
      static permission = 'granted'
      constructor(title: string) {
        super()
        titles.push(title)
      }
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  storage.alarmDesktop.write(true)
  return titles
}

test('a row says what, since when, and what it causes, and leads to its object', async () => {
  const { user } = await open('/dashboard/alarm', [alarmOf('a', { behind: 300 })])
  const row = within(await screen.findByRole('row', { name: /Feed a/ }))
  row.getByText('Critical')
  row.getByText('Not running')
  row.getByText('300 caused by this')
  expect(row.getByRole('link', { name: 'Feed a' }).getAttribute('href')).toBe(
    '/dashboard/s1/g1/contribution/input-a',
  )
  await user.click(row.getByRole('button', { name: 'Expand Feed a, Not running' }))
  await screen.findByText('Caused feed')
  await user.click(screen.getByRole('button', { name: 'History' }))
  await screen.findByRole('row', { name: /Old feed/ })
})

test('the history has no search, and says when only the severity hides its alarms', async () => {
  const { user } = await open('/dashboard/alarm', [alarmOf('a')])
  await screen.findByRole('searchbox', { name: 'Search open alarms' })
  await user.click(screen.getByRole('button', { name: 'History' }))
  await screen.findByRole('row', { name: /Old feed/ })
  expect(screen.queryByRole('searchbox')).toBeNull()
  await user.selectOptions(screen.getByLabelText('Severity'), 'Warning')
  await screen.findByText('No alarm of this severity yet')
  await user.click(screen.getByRole('button', { name: 'Show all alarms' }))
  await screen.findByRole('row', { name: /Old feed/ })
})

test('older alarms are read on demand, and a failure leaves the shown rows and says so', async () => {
  const { user, api } = await open('/dashboard/alarm', [alarmOf('a')])
  let isRefused = true
  api.on(listAlarmHistory).answer(({ query }) => {
    const isFirst = query.get('before') === ''
    if (!isFirst && isRefused) return refuse(404, 'There is no such page.')
    const title = isFirst ? 'New feed' : 'Old feed'
    return { status: true, data: [alarmOf(title, { title })], next: isFirst ? 'the next' : '' }
  })
  await user.click(await screen.findByRole('button', { name: 'History' }))
  await user.click(await screen.findByRole('button', { name: 'Show older alarms' }))
  await screen.findByText(/The history of alarms could not be read\. Shown as of/)
  screen.getByRole('row', { name: /New feed/ })
  isRefused = false
  await user.click(screen.getByRole('button', { name: 'Show older alarms' }))
  await screen.findByRole('row', { name: /Old feed/ })
  expect(screen.queryByText(/could not be read/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Show older alarms' })).toBeNull()
})

test('view, severity and sorting stand in the address, and a column that is hidden stays hidden', async () => {
  const { user, api, router } = await open('/dashboard/alarm?severity=major', [alarmOf('a')])
  await screen.findByRole('row', { name: /Feed a/ })
  expect(screen.getByLabelText('Severity')).toHaveProperty('value', 'major')
  await user.click(screen.getByRole('button', { name: 'Since' }))
  const since = () => screen.getByRole('columnheader', { name: 'Since' })
  await waitFor(() => expect(since().getAttribute('aria-sort')).toBe('ascending'))
  const asked = api.askedOf(listAlarms).map(({ query }) => query)
  expect([asked.at(-1)?.get('severity'), asked.at(-1)?.get('sort')]).toEqual(['major', 'since'])
  await user.click(screen.getByRole('button', { name: 'History' }))
  await screen.findByRole('row', { name: /Old feed/ })
  const { search } = router.state.location
  expect(search).toMatchObject({ view: 'history', severity: 'major', sort: 'since' })
  expect(within(since()).queryByRole('button')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Open' }))
  await user.click(await screen.findByRole('button', { name: 'Columns of Alarms' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Since' }))
  const hiddenOf = (name: string) => screen.getByRole('table', { name }).dataset['hidden']
  await waitFor(() => expect(hiddenOf('Alarms')).toBe('5'))
  await user.click(screen.getByRole('button', { name: 'History' }))
  await screen.findByRole('row', { name: /Old feed/ })
  expect(hiddenOf('History of alarms')).toBe('5')
})

test('however they were sorted before, open alarms begin with the worst', async () => {
  const { user, router, api } = await open('/dashboard/alarm', [alarmOf('a')])
  await user.click(await screen.findByRole('button', { name: 'Object' }))
  const asked = () => api.askedOf(listAlarms).at(-1)?.query.get('sort')
  await waitFor(() => expect(asked()).toBe('title'))
  await act(async () => router.navigate({ to: '/dashboard/server' }))
  await act(async () => router.navigate({ to: '/dashboard/alarm' }))
  await screen.findByRole('row', { name: /Feed a/ })
  expect(asked()).toBeNull()
})

test('an alarm leads to what it is about', async () => {
  const kinds = ['encoder', 'feeder', 'input', 'output', 'server', 'channel'] as const
  const ids = { objectId: 'o', serverId: 's', groupId: 'g', ownerId: 'e' }
  await open(
    '/dashboard/alarm',
    kinds.map((kind) => alarmOf(kind, { kind, title: `A ${kind}`, ...ids })),
  )
  await screen.findByRole('link', { name: 'A channel' })
  const hrefs = kinds.map((kind) => {
    return screen.getByRole('link', { name: `A ${kind}` }).getAttribute('href')
  })
  expect(hrefs).toEqual([
    '/dashboard/edit_encoder/o',
    '/dashboard/edit_encoder/e?tab=feeder&open=o',
    '/dashboard/s/g/contribution/o',
    '/dashboard/s/output_edit/o',
    '/dashboard/server',
    '/dashboard/channel?open=o',
  ])
})

test('a acknowledges the focused row with a note, and a refusal is shown', async () => {
  const alarms = [alarmOf('a'), alarmOf('b')]
  const { user, api } = await open('/dashboard/alarm', alarms)
  await screen.findByRole('row', { name: /Feed b/ })
  await user.keyboard('jja')
  const dialog = within(await openedDialog())
  dialog.getByText('Feed b')
  await user.type(dialog.getByLabelText('Note'), 'On my way{Enter}')
  await waitFor(() => expect(api.askedOf(acknowledgeAlarm)).toHaveLength(1))
  const [asked] = api.askedOf(acknowledgeAlarm)
  expect(asked).toMatchObject({ body: { note: 'On my way', version: 3 } })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.keyboard('m')
  const mute = within(await openedDialog())
  expect(document.activeElement).toBe(mute.getByLabelText('Mute for'))
  await user.click(mute.getByRole('button', { name: 'Mute' }))
  await mute.findByText('Somebody else has saved this alarm.')
})

test('a note stays in its dialog when another operator was first, and is saved over theirs', async () => {
  const { user, api } = await open('/dashboard/alarm', [alarmOf('a')])
  const acknowledged = { at: new Date().toISOString(), by: 'Ann Lee', note: 'On my way' }
  const current = alarmOf('a', { version: 4, acknowledged })
  const error = 'Somebody else has saved this alarm.'
  const conflict = { status: false, error, msg: error, code: 'conflict', current }
  api
    .on(acknowledgeAlarm)
    .answer(({ body }) =>
      (body as { version: number }).version === 3
        ? refuseOddly(409, { ...conflict, changed: ['acknowledged.by', 'acknowledged.note'] })
        : { status: true, data: current },
    )
  await screen.findByRole('row', { name: /Feed a/ })
  await user.keyboard('ja')
  const dialog = within(await openedDialog())
  await user.type(dialog.getByLabelText('Note'), 'Called Lyon{Enter}')
  const alert = within(await dialog.findByRole('alert'))
  await alert.findByText(/Differs: Acknowledged by, Note\./)
  expect(dialog.getByLabelText<HTMLInputElement>('Note').value).toBe('Called Lyon')
  await user.click(alert.getByRole('button', { name: 'Save mine' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const notes = api.askedOf(acknowledgeAlarm).map(({ body }) => body)
  expect(notes).toEqual([3, 4].map((version) => ({ note: 'Called Lyon', version })))
})

test('a note that is being written outlives the end of the session', async () => {
  const scene = await open('/dashboard/alarm', [alarmOf('a')])
  const ask = async () => {
    await screen.findByRole('row', { name: /Feed a/ })
    await scene.user.keyboard('ja')
    return screen.findByLabelText<HTMLInputElement>('Note')
  }
  await scene.user.type(await ask(), 'Called Lyon')
  await comeBack(scene, 'admin')
  expect((await ask()).value).toBe('Called Lyon')
})

test('every page has the worst alarm in a strip, and the tab says how many there are', async () => {
  const alarms = [alarmOf('a', { behind: 2 }), alarmOf('b')]
  const { user, api } = await open('/dashboard/server', alarms)
  const strip = within(await screen.findByRole('region', { name: 'Worst alarm' }))
  strip.getByText('Feed a')
  strip.getByText(/2 caused by this/)
  await waitFor(() => expect(document.title).toMatch(/^\(2\) Servers/))
  await user.click(strip.getByRole('button', { name: '1 more' }))
  await screen.findByRole('heading', { name: 'Alarms' })
  expect(screen.queryByRole('region', { name: 'Worst alarm' })).toBeNull()
  act(() => api.stream.push({ event: 'alarms', data: openOf([], 2) }))
  await waitFor(() => expect(document.title).toMatch(/^Alarms/))
})

test('an alarm that is over says so until it is cleared, and what called once does not call again', async () => {
  const older = alarmOf('a')
  const { api } = await open('/dashboard/server', [older])
  const strip = within(await screen.findByRole('region', { name: 'Worst alarm' }))
  strip.getByText('Feed a')
  const called = stubNotifications()
  const newer = alarmOf('b')
  act(() => api.stream.push({ event: 'alarms', data: openOf([newer, older], 3) }))
  await strip.findByText('Feed b')
  expect(called).toEqual(['Critical: Feed b, Not running'])
  const over = { ...newer, overSinceMs: Date.now() }
  act(() => api.stream.push({ event: 'alarms', data: openOf([over], 4) }))
  await strip.findByText('The cause is gone. The alarm clears if it stays gone.')
  act(() => api.stream.push({ event: 'alarms', data: openOf([older, over], 5) }))
  await strip.findByText('Feed a')
  expect(called).toHaveLength(1)
})

test('the header does not say All OK while an alarm is open', async () => {
  const { api } = await open('/dashboard/server', [alarmOf('a'), alarmOf('b')])
  await screen.findByText('2 alarms')
  expect(screen.queryByText('All OK')).toBeNull()
  act(() => api.stream.push({ event: 'alarms', data: openOf([], 2) }))
  await screen.findByText('All OK')
})

test('an acknowledged alarm says by whom', async () => {
  const acknowledged = { at: new Date().toISOString(), by: 'Ann Lee', note: 'On my way' }
  await open('/dashboard/alarm', [alarmOf('a', { acknowledged })])
  const row = await screen.findByRole('row', { name: /Feed a/ })
  expect(row.textContent).toContain('Acknowledged by Ann Lee')
})

test('a monitor sees alarms and is told why they cannot acknowledge', async () => {
  await open('/dashboard/alarm', [alarmOf('a', { kind: 'encoder' })], 'monitor')
  const row = within(await screen.findByRole('row', { name: /Feed a/ }))
  const button = row.getByRole('button', { name: 'Acknowledge Feed a' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
})

test('the alarms shown are acknowledged in one call, and the remaining ones are reported', async () => {
  const acknowledged = { at: new Date().toISOString(), by: 'Ann Lee', note: '' }
  const alarms = [alarmOf('a', { acknowledged }), alarmOf('b'), alarmOf('c', { severity: 'major' })]
  const { user, api } = await open('/dashboard/alarm', alarms)
  await user.click(await screen.findByRole('button', { name: 'Acknowledge the 2 shown' }))
  const dialog = within(await openedDialog())
  dialog.getByText('1 critical, 1 major')
  await user.type(dialog.getByLabelText('Note'), 'Power cut{Enter}')
  await screen.findByText('1 alarm acknowledged, 1 left')
  const named = ['b', 'c'].map((id) => ({ id, version: 3 }))
  const [asked] = api.askedOf(acknowledgeAlarms)
  expect(asked).toMatchObject({ body: { alarms: named, note: 'Power cut' } })
})
