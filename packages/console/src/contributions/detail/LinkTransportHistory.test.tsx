import { screen, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  TRANSPORT_STEPS,
  transportHistory,
  type TransportSpan,
} from '@trunkline/contract/contributions/transport-history.calls'
import type { ErrorSpan } from '@trunkline/contract/fleet/transport-history.schema'
import { afterEach, expect, test, vi } from 'vitest'
import type { ChartProps } from '../../programs/history/Chart.tsx'
import {
  TRANSPORT_HISTORY_CLEAN,
  TRANSPORT_HISTORY_FAILED,
  TRANSPORT_HISTORY_LABEL,
  TRANSPORT_HISTORY_NONE,
} from '../../programs/transport/transport-history.messages.ts'
import { type Asked, type FakeApi, refuse } from '../../test/fake-api.ts'
import { linkStatusOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { transportPointAt } from '../../test/transport.samples.ts'
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

/** A quarter past two in the afternoon of this day. */
const TO_MS = Date.parse('2026-11-27T14:15:30Z')

function reply({ query }: Asked, parts: { errors?: ErrorSpan[]; followedMs?: number } = {}) {
  const { lengthMs, stepMs } = TRANSPORT_STEPS[query.get('span') as TransportSpan]
  const { errors = [], followedMs = 0 } = parts
  const newestMs = Math.floor(TO_MS / stepMs) * stepMs - stepMs
  const points = Array.from({ length: 10 }, (_, at) =>
    transportPointAt(newestMs - (9 - at) * stepMs, {
      followedMs,
      lookedMs: Math.max(4000, followedMs),
    }),
  )
  const data = { fromMs: TO_MS - lengthMs, toMs: TO_MS, stepMs, points, errors }
  return { status: true as const, data: { ...data, errorCount: errors.length } }
}

function spanAt(time: string, parts: Partial<ErrorSpan> = {}): ErrorSpan {
  const fromMs = Date.parse(`2026-11-27T${time}Z`)
  return {
    fromMs,
    toMs: fromMs + 2000,
    lookedMs: 2000,
    everyMs: 30_180,
    faults: [{ kind: 'continuity', pid: 256, count: 17, longestMs: null }],
    ...parts,
  }
}

async function openRow(prepare: (api: FakeApi) => void) {
  const scene = await openContributions({
    programs: [linkStatusOf('input', 'a')],
    prepare: (api) => {
      api.on(contributionAction).answer(() => ({ status: true, results: '' }))
      prepare(api)
    },
  })
  await scene.row('Input a')
  await scene.user.click(screen.getByRole('button', { name: 'Expand Input a' }))
  const shown = within(await screen.findByRole('group', { name: TRANSPORT_HISTORY_LABEL }))
  return { ...scene, shown }
}

test('the windows with errors are listed with their time, their errors and how much was looked at', async () => {
  const errors = [
    spanAt('14:02:10'),
    spanAt('13:30:00', {
      toMs: Date.parse('2026-11-27T13:40:00Z'),
      lookedMs: 42_000,
      everyMs: null,
      faults: [
        { kind: 'no-pat', pid: 0, count: null, longestMs: null },
        { kind: 'black', pid: null, count: null, longestMs: null },
      ],
    }),
  ]
  const { shown } = await openRow((api) =>
    api.on(transportHistory).answer((asked) => reply(asked, { errors })),
  )
  const table = within(await shown.findByRole('table', { name: 'Past errors' }))
  const rows = table.getAllByRole('row').slice(1)
  const cellsOf = (row: HTMLElement) => [...row.children].map((cell) => cell.textContent)
  expect(rows.map(cellsOf)).toEqual([
    [
      '14:02:10 to 14:02:12',
      '17 continuity errors on PID 256: packets are missing or out of order.',
      '2 s of 30 s',
    ],
    [
      '13:30:00 to 13:40:00',
      'No PAT: receivers cannot find the programs. Black picture.',
      '42 s of 10:00',
    ],
  ])
  expect(shown.getByRole('region', { name: 'Past errors' }).tabIndex).toBe(0)
  shown.getByText(
    'Checked 0:40 of 10:30 since 14:05:00 UTC (6.3 %): errors between two samples are not seen.',
  )
})

test('a stream without errors that is read without gaps says since when, and draws its figures', async () => {
  const { shown } = await openRow((api) =>
    api.on(transportHistory).answer((asked) => reply(asked, { followedMs: 60_000 })),
  )
  await shown.findByText(
    'Checked 10:00 of 10:30 since 14:05:00 UTC (95 %), without gaps since 14:05:00 UTC.',
  )
  shown.getByText(TRANSPORT_HISTORY_CLEAN)
  await waitFor(() => expect(shown.getAllByTestId('chart')).toHaveLength(3), { timeout: 20_000 })
})

test('the span is chosen, and every step is reached by keyboard and described in text', async () => {
  const { shown, user, api } = await openRow((fake) =>
    fake.on(transportHistory).answer((asked) => reply(asked)),
  )
  const slider = await shown.findByRole('slider', { name: 'Moment' })
  expect(slider.getAttribute('aria-valuetext')).toBe(
    '14:14:00 UTC: 0 continuity errors, PCR jitter 2.4 ms, PCR interval 38 ms, PAT interval 101 ms, PMT interval 102 ms, checked 4 s of 1:00',
  )
  slider.focus()
  await user.keyboard('{Home}')
  expect(slider.getAttribute('aria-valuetext')).toBe('13:16:00 UTC: not checked')
  await user.click(shown.getByRole('button', { name: '7 d' }))
  await waitFor(() => expect(api.askedOf(transportHistory).at(-1)?.query.get('span')).toBe('7d'), {
    timeout: 20_000,
  })
  const week = await shown.findByRole('slider', { name: 'Moment' })
  week.focus()
  await user.keyboard('{Home}')
  expect(week.getAttribute('aria-valuetext')).toBe('20 Nov 15:00:00 UTC: not checked')
})

test('an empty history and a failed read show a message, and the read can be retried', async () => {
  const { shown } = await openRow(() => undefined)
  await shown.findByText(TRANSPORT_HISTORY_NONE)
  resetConsole()
  const again = await openRow((fake) =>
    fake.on(transportHistory).answer(() => refuse(500, 'Something went wrong.')),
  )
  await again.shown.findByText(`${TRANSPORT_HISTORY_FAILED} Something went wrong.`)
  again.api.on(transportHistory).answer((asked) => reply(asked))
  await again.user.click(again.shown.getByRole('button', { name: 'Retry' }))
  const clean = await again.shown.findByText(TRANSPORT_HISTORY_CLEAN)
  expect(clean.isConnected).toBe(true)
})
