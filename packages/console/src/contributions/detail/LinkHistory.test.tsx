import { screen, waitFor, within } from '@testing-library/react'
import {
  HISTORY_STEPS,
  type HistorySpan,
  linkHistory,
  type LinkPoint,
} from '@trunkline/contract/contributions/history.calls'
import { afterEach, expect, test, vi } from 'vitest'
import type { ChartProps } from '../../programs/history/Chart.tsx'
import { HISTORY_FAILED, HISTORY_NONE } from '../../programs/history/history.messages.ts'
import { type Asked, type FakeApi, refuse } from '../../test/fake-api.ts'
import { inputOf, linkReadingOf, linkStatusOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openContributions } from '../contributions.fixture.ts'

// A canvas is what a test has not: it sees what would be drawn.
vi.mock('../../programs/history/Chart.tsx', () => ({
  Chart: ({ lines, atMs }: ChartProps) => (
    <div data-testid="chart">
      {atMs.length} steps, {lines.length} lines
    </div>
  ),
}))

afterEach(resetConsole)

function pointAt(atMs: number): LinkPoint {
  return {
    atMs,
    bitrateKbps: { min: 4000, avg: 4400, max: 9000 },
    rttMs: 20,
    packets: 4000,
    lostPackets: 3,
    retransmittedPackets: 2,
    droppedPackets: 1,
  }
}

/** A reply with this many newest steps of each link that is asked for. */
function reply({ query }: Asked, count: number) {
  const { lengthMs, stepMs } = HISTORY_STEPS[query.get('span') as HistorySpan]
  const toMs = Date.now()
  const last = Math.floor(toMs / stepMs) * stepMs - stepMs
  const points = Array.from({ length: count }, (_, at) => pointAt(last - (count - 1 - at) * stepMs))
  const ids = (query.get('ids') ?? '').split(',')
  return {
    status: true as const,
    fromMs: toMs - lengthMs,
    toMs,
    stepMs,
    series: ids.map((id) => ({ id, points })),
  }
}

async function openRow(prepare: (api: FakeApi) => void) {
  const scene = await openContributions({ programs: [linkStatusOf('input', 'a')], prepare })
  await scene.row('Input a')
  await scene.user.click(screen.getByRole('button', { name: 'Expand Input a' }))
  const shown = within(await screen.findByRole('group', { name: 'History of Input a' }))
  return { ...scene, shown }
}

test('the sparklines are filled when the page opens, by one call for all rows', async () => {
  const inputs = ['a', 'b', 'c'].map((id) => inputOf(id))
  const { api, row } = await openContributions({
    inputs,
    prepare: (fake) => fake.on(linkHistory).answer((asked) => reply(asked, 29)),
  })
  const line = await within(await row('Input b')).findByRole('img', { name: /Bitrate/ })
  expect(line.getAttribute('aria-label')).toBe(
    'Bitrate of the last 5 minutes: 4,000 to 9,000 kbit/s',
  )
  const asked = api.askedOf(linkHistory)
  expect(asked.map(({ query }) => query.get('ids'))).toEqual(['a,b,c'])
  expect(asked[0]?.query.get('kind')).toBe('input')
})

test('the opened row charts the span that is chosen, and says where its history begins', async () => {
  const { shown, user, api } = await openRow((fake) =>
    fake.on(linkHistory).answer((asked) => reply(asked, 12)),
  )
  await waitFor(() => expect(shown.getAllByTestId('chart')).toHaveLength(3))
  shown.getByText(/^history starts \d\d:\d\d:\d\d UTC$/)
  expect(shown.getByRole('row', { name: /^Bitrate/ }).textContent).toContain('9,000')
  await user.click(shown.getByRole('button', { name: '24 h' }))
  await waitFor(() => {
    expect(api.askedOf(linkHistory).at(-1)?.query.get('span')).toBe('24h')
    expect(shown.getAllByTestId('chart')[0]?.textContent).toMatch(/^1,?4\d\d steps, 3 lines$/)
  })
})

test('the figures of the span scroll sideways, so the keyboard reaches them', async () => {
  const { shown } = await openRow((fake) =>
    fake.on(linkHistory).answer((asked) => reply(asked, 12)),
  )
  const region = await shown.findByRole('region', { name: 'Whole period' })
  expect(region.tabIndex).toBe(0)
})

test('every moment is reached by keyboard and described in text', async () => {
  const { shown, user } = await openRow((fake) =>
    fake.on(linkHistory).answer((asked) => reply(asked, 12)),
  )
  const slider = await shown.findByRole('slider', { name: 'Moment' })
  const valueText = () => slider.getAttribute('aria-valuetext')
  const newest = valueText()
  expect(newest).toContain('4,400 kbit/s (4,000 to 9,000), RTT 20 ms, 1 dropped, 2 retransmitted')
  slider.focus()
  await user.keyboard('{ArrowLeft}')
  expect(valueText()).not.toBe(newest)
  shown.getByText(valueText() ?? '')
  await user.keyboard('{Home}')
  expect(valueText()).toContain('no reading')
  await user.keyboard('{Escape}')
  expect(valueText()).toBe(newest)
})

test('the tiles draw the last five minutes, and the header shows the age of the readings', async () => {
  const { api } = await openRow((fake) => fake.on(linkHistory).answer((asked) => reply(asked, 12)))
  const tile = within(screen.getByRole('group', { name: 'RTT' }))
  await tile.findByRole('img', { name: 'RTT of the last 5 minutes: 20 to 20 ms' })
  within(screen.getByRole('group', { name: 'Dropped' })).getByRole('img', {
    name: 'Dropped of the last 5 minutes: 1.0 to 1.0 packets',
  })
  const atMs = Date.now()
  const status = linkStatusOf('input', 'a')
  api.stream.push({ event: 'program', data: { ...status, reading: { ...linkReadingOf(), atMs } } })
  const head = within(screen.getByRole('columnheader', { name: 'Status' }))
  expect((await head.findByText(/^read \d+ s ago$/)).isConnected).toBe(true)
})

test('an empty history and a failed read show a message, and the read can be retried', async () => {
  const first = await openRow((fake) => fake.on(linkHistory).answer((asked) => reply(asked, 0)))
  await first.shown.findByText(HISTORY_NONE)
  resetConsole()
  const { shown, user, api } = await openRow((fake) =>
    fake.on(linkHistory).answer(() => refuse(500, 'Something went wrong.')),
  )
  await shown.findByText(`${HISTORY_FAILED} Something went wrong.`)
  api.on(linkHistory).answer((asked) => reply(asked, 12))
  await user.click(shown.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(shown.getAllByTestId('chart')).toHaveLength(3))
})
