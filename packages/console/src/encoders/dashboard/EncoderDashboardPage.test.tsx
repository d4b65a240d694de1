import { act, waitFor, within } from '@testing-library/react'
import { linkHistory } from '@trunkline/contract/contributions/history.calls'
import { countEncoders, listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { noFamilies } from '@trunkline/contract/fleet/show.rules'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { refuse } from '../../test/fake-api.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { encoderOf, statusOf } from '../../test/samples.ts'
import {
  answerCommands,
  bodiesOf,
  commandsOf,
  openDashboard,
  STOPPED,
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
  storage.dashboardRowsPerPage.write(112)
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

test('problems are listed above the cards, each with the action that solves it', async () => {
  const { user, screen, api, tell } = await openDashboard({
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
  const texts = () =>
    within(strip)
      .queryAllByRole('listitem')
      .map((listitem) => listitem.textContent)
  await waitFor(() =>
    expect(texts()).toEqual([
      expect.stringContaining('Camera b'),
      expect.stringContaining('Camera c'),
    ]),
  )
  await user.click(within(strip).getByRole('button', { name: 'Start Camera b now' }))
  await waitFor(() => expect(commandsOf(api)).toHaveLength(1))
  tell(statusOf('b'), statusOf('c'))
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
  await screen.findByRole('article', { name: 'Camera c' })
  expect(screen.getAllByRole('article')).toHaveLength(1)
  await user.click(within(views).getByRole('button', { name: 'All 3' }))
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(3))
})

test('a search is counted by itself, and narrowed to states within what it found', async () => {
  const { user, screen, api } = await openDashboard({
    encoders: [encoderOf('a'), encoderOf('b')],
    programs: [statusOf('a'), statusOf('b', { state: 'fatal' })],
    prepare: (fake) =>
      fake.on(countEncoders).answer(() => ({
        status: true,
        data: { families: { ...noFamilies(), bad: 1 }, total: 1, worst: ['b'] },
      })),
  })
  await user.type(screen.getByRole('searchbox', { name: 'Search encoders' }), 'Camera b')
  const views = screen.getByRole('group', { name: 'Show' })
  await within(views).findByRole('button', { name: 'All 1' })
  await user.click(within(views).getByRole('button', { name: 'Need attention 1' }))
  const asked = { page: 0, rows: 0, search: 'Camera b', group: '', show: 'attention' }
  await waitFor(() => expect(bodiesOf(api)).toContainEqual(asked))
  expect(api.askedOf(countEncoders)[0]?.query.get('search')).toBe('Camera b')
})

test('a page by state keeps its cards under the pointer, and is read again when it has left', async () => {
  const { user, screen, card, tell } = await openDashboard({
    encoders: [encoderOf('a'), encoderOf('b')],
    programs: [statusOf('a', { state: 'fatal' }), statusOf('b', { state: 'fatal' })],
  })
  const views = screen.getByRole('group', { name: 'Show' })
  await user.click(await within(views).findByRole('button', { name: 'Need attention 2' }))
  await user.hover(await card('Camera a'))
  tell(statusOf('a'))
  await within(views).findByRole('button', { name: 'Need attention 1' })
  await screen.findByText('States have changed since this page was read.')
  within(await card('Camera a')).getByText('Running')
  await user.hover(views)
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Camera a' })).toBeNull())
  screen.getByRole('article', { name: 'Camera b' })
  expect(screen.queryByText('States have changed since this page was read.')).toBeNull()
})

test('a page by state that is read by its button does not wait for the pointer to leave', async () => {
  const { user, screen, card, tell } = await openDashboard({
    encoders: [encoderOf('a'), encoderOf('b')],
    programs: [statusOf('a', { state: 'fatal' }), statusOf('b', { state: 'fatal' })],
  })
  const views = screen.getByRole('group', { name: 'Show' })
  await user.click(await within(views).findByRole('button', { name: 'Need attention 2' }))
  ;(await card('Camera a')).querySelector<HTMLElement>('a')?.focus()
  tell(statusOf('a'))
  await user.click(await screen.findByRole('button', { name: 'Show again' }))
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Camera a' })).toBeNull())
})

test('Q72 of many matches only those near the screen are drawn, and the others keep their place', async () => {
  const encoders = Array.from({ length: 2000 }, (_, at) => encoderOf(`e${at}`))
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
  const grid = () => screen.getByRole('region', { name: 'Encoders' })
  await waitFor(() => expect(heightOf(grid())).toBeGreaterThan(100_000))
  const drawn = screen.getAllByRole('article').length
  expect(drawn).toBeGreaterThan(5)
  expect(drawn).toBeLessThan(100)

  scrollToEnd(grid())
  await screen.findByRole('button', { name: 'Start Camera e1999' })
  expect(screen.queryByRole('button', { name: 'Start Camera e11' })).toBeNull()
  expect(screen.getAllByRole('article').length).toBeLessThan(100)
})

/** Of what stands in it, drawn or not. */
function heightOf(section: HTMLElement): number {
  return Number.parseFloat(section.querySelector<HTMLElement>(':scope > div')?.style.height ?? '0')
}

function scrollToEnd(section: HTMLElement): void {
  const topPx = heightOf(section) - window.innerHeight
  act(() => {
    window.scrollTo({ top: topPx })
    window.dispatchEvent(new Event('scroll'))
  })
}

test('for a fleet larger than a page only visible cards and cards with problems are requested', async () => {
  const encoders = Array.from({ length: 40 }, (_, at) => encoderOf(`e${at}`))
  const { user, screen, api } = await openDashboard({
    encoders,
    programs: encoders.map(({ _id }, at) =>
      statusOf(_id, at >= 20 && at < 35 ? { state: 'fatal' } : {}),
    ),
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
  expect(api.askedOf(countEncoders), 'they are pushed').toEqual([])
})

test('a page that empties as its encoders become well gives way to the last one that has some', async () => {
  const encoders = Array.from({ length: 14 }, (_, at) => encoderOf(`e${at}`))
  const { user, screen, tell } = await openDashboard({
    encoders,
    programs: encoders.map(({ _id }) => statusOf(_id, { state: 'fatal' })),
  })
  const views = screen.getByRole('group', { name: 'Show' })
  await user.click(await within(views).findByRole('button', { name: 'Need attention 14' }))
  await user.click(await screen.findByRole('button', { name: 'Next page' }))
  await screen.findByRole('article', { name: 'Camera e13' })
  tell(...encoders.slice(3).map(({ _id }) => statusOf(_id)))
  await screen.findByRole('article', { name: 'Camera e2' })
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(3))
})

test('an empty site says what will be here', async () => {
  const { screen } = await openDashboard({ encoders: [] })
  await screen.findByText('No encoders yet')
  expect(screen.queryByRole('article')).toBeNull()
})

test('an empty group says so, and leads to all groups', async () => {
  storage.dashboardGroupId.write('north')
  const { screen, user } = await openDashboard({ encoders: [] })
  await screen.findByText('No encoders in this group')
  await user.click(screen.getByRole('button', { name: 'Show all groups' }))
  await screen.findByText('No encoders yet')
  expect(storage.dashboardGroupId.read()).toBe('')
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
