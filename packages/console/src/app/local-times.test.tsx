/** Times of an account that has chosen local ones, in a browser nine hours ahead of UTC. */
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { listEvents } from '@trunkline/contract/events/event.calls'
import {
  listNotificationDeliveries,
  listNotificationRules,
} from '@trunkline/contract/notifications/notification.calls'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { boundsOf } from '../audit/activity-period.rules.ts'
import { ActivityRow } from '../audit/ActivityRow.tsx'
import { makeQueryClient } from '../lib/query-client.ts'
import { Timeline } from '../programs/timeline/Timeline.tsx'
import { eventOf } from '../programs/timeline/timeline.fixture.ts'
import { lineOf } from '../test/audit.samples.ts'
import { makeFakeApi } from '../test/fake-api.ts'
import { deliveryOf } from '../test/notification.samples.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { Providers } from './providers.tsx'

const page = vi.hoisted(() => {
  const zone = process.env['TZ']
  process.env['TZ'] = 'Asia/Tokyo'
  const times = document.createElement('meta')
  times.setAttribute('property', 'account-times')
  times.content = 'local'
  document.head.append(times)
  return { zone, times }
})
// The real module, loaded for this file alone: it reads once what the page says.
vi.mock('../lib/locale/time-zone.ts', async (original) => original())

afterEach(resetConsole)
afterAll(() => {
  page.times.remove()
  if (page.zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = page.zone
})

/** In Tokyo it is 03:30:05 of the next day. */
const AT = '2026-11-26T18:30:05.000Z'

test('design 9 the time of an event is by the same clock as the day that it stands under', async () => {
  const api = makeFakeApi()
  api.on(listEvents).answer(() => ({ status: true, data: [eventOf({ at: AT })], next: '' }))
  render(
    <Providers queryClient={makeQueryClient()} nonce="">
      <Timeline object={{ kind: 'input', id: 'a', title: 'Marathon km 30' }} cue="" />
    </Providers>,
  )
  await screen.findByRole('heading', { name: 'Fri 27 Nov 2026' })
  expect(screen.getByText('03:30:05').getAttribute('datetime')).toBe(AT)
})

test('design 9 sent notifications have the times that the heading names', async () => {
  renderConsole({
    path: '/dashboard/notification',
    role: 'admin',
    prepare: (api) => {
      api
        .on(listNotificationRules)
        .answer(() => ({ status: true, data: [], snmpEngineId: '80001f88050102030405060708' }))
      api
        .on(listNotificationDeliveries)
        .answer(() => ({ status: true, data: [deliveryOf({ createdAt: AT })], next: '' }))
    },
  })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Sent' }))
  await screen.findByRole('columnheader', { name: 'Time (local time)' })
  const row = within(await screen.findByRole('row', { name: /Test of Night shift/ }))
  expect(row.getAllByRole('cell').map((cell) => cell.textContent)).toContain('11-27 03:30:05')
})

test('design 9 an activity has date and time by the same clock', () => {
  render(
    <Providers queryClient={makeQueryClient()} nonce="">
      <table>
        <tbody>
          <ActivityRow entry={lineOf('a', { at: AT })} />
        </tbody>
      </table>
    </Providers>,
  )
  screen.getByRole('button', { name: /03:30:05/ })
  expect(screen.getByText('03:30:05').parentElement?.textContent).toContain('2026-11-27')
})

test('design 9 T20 the days of the activity filter begin and end at midnight of the same clock', () => {
  const period = { kind: 'days' as const, fromDay: '2026-11-27', toDay: '2026-11-27' }
  expect(boundsOf(period, '2026-11-28')).toEqual({
    from: '2026-11-26T15:00:00.000Z',
    to: '2026-11-27T15:00:00.000Z',
  })
})
