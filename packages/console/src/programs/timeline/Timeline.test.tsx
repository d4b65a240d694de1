import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { listEvents, readAvailability } from '@trunkline/contract/events/event.calls'
import type { TimelineEvent } from '@trunkline/contract/events/event.schema'
import { afterEach, expect, test, vi } from 'vitest'
import { Providers } from '../../app/providers.tsx'
import { makeQueryClient } from '../../lib/query-client.ts'
import { makeFakeApi, refuse } from '../../test/fake-api.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { Timeline } from './Timeline.tsx'
import { eventOf } from './timeline.fixture.ts'
import { TimelineSection } from './TimelineSection.tsx'

const saved = vi.hoisted(() => vi.fn<(name: string, type: string, text: string) => void>())
vi.mock('../../lib/save-file.ts', () => ({ saveTextFile: saved }))

afterEach(() => {
  resetConsole()
  saved.mockReset()
})

const OBJECT = { kind: 'input', id: 'a', title: 'Marathon km 30' } as const

const DOWN = eventOf({ kind: 'down', cause: 'Port 5000 is in use.' })
const UP = eventOf({ at: '2026-11-23T08:00:00.000Z' })

function open(api = makeFakeApi()) {
  const draw = (cue: string) => (
    <Providers queryClient={client} nonce="">
      <Timeline object={OBJECT} cue={cue} />
    </Providers>
  )
  const client = makeQueryClient()
  const { rerender } = render(draw('running'))
  return {
    api,
    user: userEvent.setup(),
    cue: (next: string) => rerender(draw(next)),
    readAgain: async () => client.refetchQueries(),
  }
}

function answering(events: readonly TimelineEvent[]) {
  const api = makeFakeApi()
  api.on(listEvents).answer(({ query }) => {
    const show = query.get('show') ?? ''
    const data = events.filter(({ kind }) => show === '' || show.split(',').includes(kind))
    return { status: true, data, next: '' }
  })
  return api
}

test('events stand under their days, newest first, with cause and exact time', async () => {
  const { user } = open(answering([DOWN, UP]))
  const lists = await screen.findAllByRole('list')
  expect(lists.map((list) => within(list).getAllByRole('listitem').length)).toEqual([1, 1])
  screen.getByRole('heading', { name: 'Mon 23 Nov 2026' })
  screen.getByText('Port 5000 is in use.')
  await user.hover(screen.getByRole('button', { name: '10:00:00' }))
  await screen.findByText('2026-11-25 10:00:00.123 UTC')
})

test('events are filtered by kind; what matches nothing says so', async () => {
  const { api, user } = open(answering([DOWN, UP]))
  await screen.findByText('Down')
  const filter = screen.getByRole('combobox', { name: 'Events' })
  await user.selectOptions(filter, 'Peer')
  await screen.findByText('No events match the filter.')
  await user.selectOptions(filter, 'States')
  await screen.findByText('Running')
  expect(api.askedOf(listEvents).map(({ query }) => query.get('show'))).toEqual([
    '',
    'connected,disconnected',
    'up,down,off,unreachable,reachable,restarted',
  ])
})

test('an object without events says so; a fault can be tried again', async () => {
  const api = makeFakeApi()
  api.on(listEvents).answer(() => refuse(500, 'no'))
  const { user } = open(api)
  await screen.findByText('The timeline could not be read. no')
  api.on(listEvents).answer(() => ({ status: true, data: [], next: '' }))
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('No events yet.')
  expect(screen.queryByText(/could not be read/)).toBeNull()
})

test('events that cannot be read again stay, and say as of when they are', async () => {
  const { api, readAgain } = open(answering([UP]))
  await screen.findByText('Running')
  api.on(listEvents).answer(() => refuse(500, 'no'))
  await readAgain()
  await screen.findByText(/^The timeline could not be read\. Shown as of .+ UTC\.$/)
  expect(screen.queryByText('Running')).not.toBeNull()
})

test('older events come page by page', async () => {
  const api = makeFakeApi()
  api.on(listEvents).answer(({ query }) => {
    const isFirst = query.get('before') === ''
    return { status: true, data: [isFirst ? DOWN : UP], next: isFirst ? 'the next' : '' }
  })
  const { user } = open(api)
  await user.click(await screen.findByRole('button', { name: 'Show older events' }))
  await screen.findByText('Running')
  expect(api.askedOf(listEvents).at(-1)?.query.get('before')).toBe('the next')
  expect(screen.queryByRole('button', { name: 'Show older events' })).toBeNull()
})

test('a change of the object is read a moment later, many changes once', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { api, cue } = open(answering([UP]))
    await screen.findByText('Running')
    const before = api.askedOf(listEvents).length
    cue('exited')
    cue('running again')
    await vi.advanceTimersByTimeAsync(2500)
    await waitFor(() => expect(api.askedOf(listEvents)).toHaveLength(before + 1))
  } finally {
    vi.useRealTimers()
  }
})

test('what the filter shows is saved as CSV, all pages of it', async () => {
  const api = makeFakeApi()
  api.on(listEvents).answer(({ query }) => {
    const isFirst = query.get('before') === ''
    return { status: true, data: [isFirst ? DOWN : UP], next: isFirst ? 'the next' : '' }
  })
  const { user } = open(api)
  await user.click(await screen.findByRole('button', { name: 'Save as CSV' }))
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  const [name, type, text] = saved.mock.lastCall ?? []
  expect(name).toMatch(/^timeline-Marathon-km-30-.*\.csv$/)
  expect([type, text?.split('\r\n')]).toEqual([
    'text/csv',
    [
      expect.stringMatching(/^\uFEFFtime,kind,/),
      expect.stringContaining('Port 5000 is in use.'),
      expect.stringMatching(/^2026-11-23T08:00:00.000Z,up,Running/),
      '',
    ],
  ])
})

test('availability by day, with what is not known', async () => {
  const api = answering([])
  const fromMs = Date.parse('2026-11-23T00:00:00Z')
  api.on(readAvailability).answer(() => ({
    status: true,
    data: [
      {
        fromMs,
        toMs: fromMs + 86_400_000,
        upMs: 75_000,
        downMs: 25_000,
        unknownMs: 60_000,
        counted: {
          packets: 9986,
          lostPackets: 120,
          retransmittedPackets: 106,
          droppedPackets: 14,
        },
      },
    ],
  }))
  const { user, readAgain } = open(api)
  await user.click(screen.getByRole('button', { name: 'Availability' }))
  const row = await screen.findByRole('row', { name: /Mon 23 Nov 2026/ })
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['75.00 %', '0:25', '1:00', '1.20 % lost, 14 for good'])
  api.on(readAvailability).answer(() => refuse(503, 'The database is busy.'))
  await readAgain()
  await screen.findByText(/^The availability could not be read\. Shown as of \d\d:/)
  expect(row.isConnected).toBe(true)
})

test('the days of the availability are sorted, the worst first', async () => {
  const api = answering([])
  const firstMs = Date.parse('2026-11-23T00:00:00Z')
  const dayOf = (index: number, upMs: number) => ({
    fromMs: firstMs - index * 86_400_000,
    toMs: firstMs + (1 - index) * 86_400_000,
    upMs,
    downMs: 100 - upMs,
    unknownMs: 0,
    counted: null,
  })
  api.on(readAvailability).answer(() => ({ status: true, data: [dayOf(0, 90), dayOf(1, 50)] }))
  const { user } = open(api)
  await user.click(screen.getByRole('button', { name: 'Availability' }))
  const table = within(await screen.findByRole('table', { name: 'Availability' }))
  await user.click(table.getByRole('button', { name: 'Availability' }))
  const cells = table.getAllByRole('row').slice(1)
  expect(cells.map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual([
    '50.00 %',
    '90.00 %',
  ])
})

test('in an opened row nothing is read until the timeline is opened', async () => {
  const api = answering([UP])
  render(
    <Providers queryClient={makeQueryClient()} nonce="">
      <TimelineSection object={OBJECT} cue="" />
    </Providers>,
  )
  const opener = screen.getByRole('button', { name: 'Timeline of Marathon km 30' })
  expect([opener.getAttribute('aria-expanded'), api.askedOf(listEvents)]).toEqual(['false', []])
  await userEvent.setup().click(opener)
  await screen.findByText('Running')
})
