import { act, waitFor, within } from '@testing-library/react'
import { linkHistory } from '@trunkline/contract/contributions/history.calls'
import { listAllEncoders, summarizeEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { refuse } from '../../test/fake-api.ts'
import { makeFakeSight } from '../../test/fake-sight.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { encoderOf, statusOf } from '../../test/samples.ts'
import {
  answerCommands,
  bodiesOf,
  commandsOf,
  openDashboard,
  STOPPED,
  summaryOf,
} from './dashboard.fixture.ts'

afterEach(resetConsole)

test('DASH-03 DASH-06 pages of 12 by default, counted from 0; the size is remembered', async () => {
  const encoders = Array.from({ length: 12 }, (_, index) => encoderOf(`e${index}`))
  const { user, screen, api } = await openDashboard({ encoders, total: 30 })
  await screen.findByText('1–12 of 30')
  expect(bodiesOf(api)[0]).toEqual({ page: 0, rows: 12, search: '', group: '' })
  const size = screen.getByRole('combobox', { name: 'Rows per page' })
  expect(
    within(size)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['12', '28', '56', '84', '112'])
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await waitFor(() =>
    expect(bodiesOf(api)).toContainEqual({ page: 1, rows: 12, search: '', group: '' }),
  )
  await user.selectOptions(size, '28')
  await waitFor(() =>
    expect(bodiesOf(api)).toContainEqual({ page: 0, rows: 28, search: '', group: '' }),
  )
  expect(storage.dashboardRowsPerPage.read()).toBe(28)
})

test('DASH-03 the sparklines of a page start from the kept history, by one call for its cards', async () => {
  const encoders = Array.from({ length: 112 }, (_, index) => encoderOf(`e${index}`))
  const atMs = Math.floor(Date.now() / 10_000) * 10_000 - 60_000
  const counts = { packets: 0, lostPackets: 0, retransmittedPackets: 0, droppedPackets: 0 }
  const bitrateKbps = { min: 1700, avg: 1800, max: 1900 }
  const points = [{ atMs, bitrateKbps, rttMs: null, ...counts }]
  const { api, card } = await openDashboard({
    encoders,
    prepare: (fake) =>
      fake.on(linkHistory).answer(({ query }) => ({
        status: true,
        fromMs: atMs,
        toMs: atMs + 10_000,
        stepMs: 10_000,
        series: (query.get('ids') ?? '').split(',').map((id) => ({ id, points })),
      })),
  })
  const name = 'Bitrate of the last 5 minutes: 1,700 to 1,900 kbit/s'
  await within(await card('Camera e111')).findByRole('img', { name })
  const asked = api.askedOf(linkHistory)
  expect(asked).toHaveLength(1)
  expect(asked[0]?.query.get('kind')).toBe('encoder')
  expect(asked[0]?.query.get('ids')?.split(',')).toHaveLength(112)
})

test('DASH-05 DASH-26 Q72 three characters ask nothing, four ask for all matches, clearing resets', async () => {
  const { user, screen, api } = await openDashboard({})
  await screen.findByRole('article')
  const asked = () => bodiesOf(api).length
  const before = asked()
  const box = screen.getByRole('searchbox', { name: 'Search encoders' })
  await user.type(box, 'har')
  expect(asked()).toBe(before)
  await user.type(box, 'b')
  await waitFor(() =>
    expect(bodiesOf(api).at(-1)).toEqual({ page: 0, rows: 0, search: 'harb', group: '' }),
  )
  expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull()
  await user.clear(box)
  await screen.findByRole('navigation', { name: 'Pages' })
})

test('Q20 Enter searches for any length; nothing found says so, and clears', async () => {
  const { user, screen, api } = await openDashboard({})
  await screen.findByRole('article')
  api
    .on(listAllEncoders)
    .answer(({ body }) =>
      (body as { search: string }).search === ''
        ? { status: true, result: [encoderOf('a')], total: 1 }
        : { status: true, result: [], total: 0 },
    )
  await user.type(screen.getByRole('searchbox', { name: 'Search encoders' }), 'xy{Enter}')
  await screen.findByText("Nothing matches 'xy'")
  const [, clear] = screen.getAllByRole('button', { name: 'Clear search' })
  await user.click(clear as HTMLElement)
  await screen.findByRole('article')
  const box = screen.getByRole('searchbox', { name: 'Search encoders' }) as HTMLInputElement
  expect(box.value).toBe('')
})

test('DASH-07 a question that is no longer asked is cancelled', async () => {
  const { user, screen, api } = await openDashboard({})
  await screen.findByRole('article')
  api.on(listAllEncoders).answer(async () => new Promise<never>(() => {}))
  const box = screen.getByRole('searchbox', { name: 'Search encoders' })
  await user.type(box, 'harb')
  await waitFor(() => expect(bodiesOf(api).at(-1)).toMatchObject({ search: 'harb' }))
  await user.type(box, 'o')
  await waitFor(() => expect(bodiesOf(api).at(-1)).toMatchObject({ search: 'harbo' }))
  const [older, newer] = api.askedOf(listAllEncoders).slice(-2)
  expect(older?.signal?.aborted).toBe(true)
  expect(newer?.signal?.aborted).toBe(false)
})

test('DASH-24 ROLE-10 a manager starts on the first group; a choice is remembered', async () => {
  const { user, screen, api } = await openDashboard({ role: 'manager' })
  await screen.findByRole('article')
  expect(bodiesOf(api)[0]).toMatchObject({ group: 'north' })
  const picker = screen.getByRole('combobox', { name: 'Group' })
  await user.selectOptions(picker, 'Sports South')
  await waitFor(() => expect(bodiesOf(api).at(-1)).toMatchObject({ group: 'south' }))
  expect(storage.dashboardGroupId.read()).toBe('south')
})

test('DASH-22 Refresh, and the key r, read the list again', async () => {
  const { user, screen, api } = await openDashboard({})
  await screen.findByRole('article')
  const before = bodiesOf(api).length
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  await waitFor(() => expect(bodiesOf(api)).toHaveLength(before + 1))
  await user.keyboard('r')
  await waitFor(() => expect(bodiesOf(api)).toHaveLength(before + 2))
})

test('j and k walk the cards, Enter then opens one', async () => {
  const { user, screen } = await openDashboard({ encoders: [encoderOf('a'), encoderOf('b')] })
  const [first, second] = await screen.findAllByRole('link', { name: /Camera/ })
  const focused = () => document.activeElement
  await user.keyboard('j')
  expect(focused()).toBe(first)
  await user.keyboard('j')
  expect(focused()).toBe(second)
  await user.keyboard('jk')
  expect(focused()).toBe(first)
})

test('STATE-09 somebody else’s change reads the list again', async () => {
  const { screen, api } = await openDashboard({})
  await screen.findByRole('article')
  const before = bodiesOf(api).length
  api.stream.push({ event: 'object', data: { kind: 'encoder', id: 'a', change: 'changed' } })
  await waitFor(() => expect(bodiesOf(api)).toHaveLength(before + 1))
})

test('trouble is lifted above the cards, with the one thing that mends it', async () => {
  const { user, screen, api } = await openDashboard({
    encoders: [encoderOf('a'), encoderOf('b'), encoderOf('c')],
    programs: [
      statusOf('a'),
      statusOf('b', { ...STOPPED, wanted: 'running' }),
      statusOf('c', { state: 'unreachable' }),
    ],
    prepare: answerCommands({ status: true, results: 'encoder0 RUNNING', state: 'running' }),
  })
  const strip = await screen.findByRole('region', { name: 'Needs attention' })
  within(strip).getByText('2 need attention')
  expect(
    within(strip)
      .getAllByRole('listitem')
      .map((listitem) => listitem.textContent),
  ).toEqual([expect.stringContaining('Camera b'), expect.stringContaining('Camera c')])
  await user.click(within(strip).getByRole('button', { name: 'Start Camera b now' }))
  await waitFor(() => expect(commandsOf(api)).toHaveLength(1))
  api.stream.push({ event: 'program', data: statusOf('b') })
  api.stream.push({ event: 'program', data: statusOf('c') })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull())
})

test('the views count and filter by state', async () => {
  const { user, screen } = await openDashboard({
    encoders: [encoderOf('a'), encoderOf('b'), encoderOf('c', { isEnabled: false })],
    programs: [statusOf('a'), statusOf('b', { state: 'fatal' })],
  })
  const views = screen.getByRole('group', { name: 'Show' })
  await within(views).findByRole('button', { name: 'Need attention 1' })
  await user.click(within(views).getByRole('button', { name: 'Off 1' }))
  expect(screen.getAllByRole('article')).toHaveLength(1)
  screen.getByRole('article', { name: 'Camera c' })
  await user.click(within(views).getByRole('button', { name: 'All 3' }))
  expect(screen.getAllByRole('article')).toHaveLength(3)
})

test('Q72 of many matches those near the screen are drawn, the others keep their place', async () => {
  const sight = makeFakeSight()
  const encoders = Array.from({ length: 200 }, (_, at) => encoderOf(`e${at}`))
  const { user, screen } = await openDashboard({
    prepare: (api) =>
      api.on(listAllEncoders).answer(({ body }) => {
        const { rows } = body as { rows: number }
        const result = rows === 0 ? encoders : encoders.slice(0, rows)
        return { status: true, result, total: encoders.length }
      }),
  })
  await screen.findByRole('button', { name: 'Start Camera e11' })
  await user.type(screen.getByRole('searchbox', { name: 'Search encoders' }), 'Camera')
  const far = await screen.findByRole('article', { name: 'Camera e199' })
  expect(screen.getAllByRole('article')).toHaveLength(200)
  expect(screen.queryByRole('button', { name: /^Start / })).toBeNull()
  const slot = far.parentElement
  if (slot === null) throw new Error('A card has its place.')
  act(() => sight.set(slot, true))
  await screen.findByRole('button', { name: 'Start Camera e199' })
  act(() => sight.set(slot, false))
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Start / })).toBeNull())
})

test('of a fleet that is larger than a page only the cards in sight and in trouble are asked for', async () => {
  const encoders = Array.from({ length: 40 }, (_, at) => encoderOf(`e${at}`))
  const { user, screen, api } = await openDashboard({
    programs: encoders.map(({ _id }, at) =>
      statusOf(_id, at >= 20 && at < 35 ? { state: 'fatal' } : {}),
    ),
    prepare: (fake) => {
      fake.on(summarizeEncoders).answer(() => ({ status: true, data: summaryOf(encoders) }))
      fake.on(listAllEncoders).answer(({ body }) => {
        const { page, rows, ids } = body as { page: number; rows: number; ids?: string[] }
        const result = ids
          ? encoders.filter((encoder) => ids.includes(encoder._id))
          : encoders.slice(page * rows, (page + 1) * rows)
        return { status: true, result, total: encoders.length }
      })
    },
  })
  const strip = await screen.findByRole('region', { name: 'Needs attention' })
  await within(strip).findByText('Camera e23')
  within(strip).getByText('15 need attention')
  within(strip).getByRole('button', { name: '11 more' })
  const views = screen.getByRole('group', { name: 'Show' })
  within(views).getByRole('button', { name: 'Well 25' })
  await user.click(within(views).getByRole('button', { name: 'Need attention 15' }))
  await screen.findByRole('article', { name: 'Camera e31' })
  expect(screen.getAllByRole('article')).toHaveLength(12)
  screen.getByText('1–12 of 15')
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await screen.findByRole('article', { name: 'Camera e34' })
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(3))
  const asked = bodiesOf(api) as { rows: number; ids?: string[] }[]
  expect(asked.filter(({ rows, ids }) => rows === 0 && ids === undefined)).toEqual([])
})

test('an empty site says what will be here', async () => {
  const { screen } = await openDashboard({ encoders: [] })
  await screen.findByText('No encoders yet')
  expect(screen.queryByRole('article')).toBeNull()
})

test('ERR-03 a list that fails to load says it in place, and can be asked again', async () => {
  const { screen, api, user } = await openDashboard({
    prepare: (fake) => fake.on(listAllEncoders).answer(() => refuse(500, 'The database is away.')),
  })
  await screen.findByText('The database is away.')
  api.on(listAllEncoders).answer(() => ({ status: true, result: [encoderOf('a')], total: 1 }))
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('article', { name: 'Camera a' })
  expect(screen.queryByText('The database is away.')).toBeNull()
})
