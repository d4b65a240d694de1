import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import { listOutputs } from '@trunkline/contract/contributions/output.calls'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../lib/storage.ts'
import { refuse } from '../test/fake-api.ts'
import {
  destinationOf,
  inputOf,
  linkReadingOf,
  linkStatusOf,
  outputOf,
  STOPPED,
} from '../test/link.samples.ts'
import { answerQuestion, resetConsole } from '../test/render-console.tsx'
import { actionsOf, openContributions as open, queriesOf } from './contributions.fixture.ts'

afterEach(resetConsole)

test('CON-IN-01 CON-IN-02 CON-IN-12 three mini tabs, and the columns of the inputs', async () => {
  const { row } = await open({ programs: [linkStatusOf('input', 'a')] })
  const shown = await row('Input a')
  for (const tab of ['Inputs 1', 'Outputs 0', 'Destinations 0']) {
    await screen.findByRole('tab', { name: tab })
  }
  for (const head of ['Status', 'Name', 'Server', 'Input Port', 'Uptime', 'Actions']) {
    screen.getByRole('columnheader', { name: head })
  }
  await within(shown).findByText('Running')
  within(shown).getByText('aCANFeeder')
  within(shown).getByText('gw-west-02')
  within(shown).getByText('6002')
  within(shown).getByText('Listen')
  within(shown).getByText('4,488')
  expect(within(shown).getByText(/^1:0\d$/)).toBeDefined()
})

test.each<[string, Partial<ProgramStatus>, string, string]>([
  ['Q134 fails', { state: 'fatal', cause: 'port in use' }, 'Error', 'port in use'],
  ['runs without a peer', { peer: 'disconnected' }, 'Running', 'no peer'],
])('an input that %s shows its state and the cause', async (_name, status, word, cause) => {
  const { row } = await open({ programs: [linkStatusOf('input', 'a', status)] })
  const shown = await row('Input a')
  await within(shown).findByText(word)
  expect(within(shown).getByText(cause)).toBeDefined()
})

test('CON-IN-16 CON-IN-19 Disabled and Local have nothing to start', async () => {
  const inputs = [inputOf('a', { isEnabled: false }), inputOf('b', { inputType: 'Local' })]
  const { row, user, api } = await open({ inputs })
  for (const [title, word] of [
    ['Input a', 'Disabled'],
    ['Input b', 'Local'],
  ] as const) {
    const shown = await row(title)
    within(shown).getAllByText(word)
    await user.click(within(shown).getByRole('button', { name: `Start ${title}` }))
    await user.click(within(shown).getByRole('button', { name: `Restart ${title}` }))
  }
  expect(actionsOf(api)).toEqual([])
})

test('CON-IN-21 CON-IN-22 CON-IN-24 CON-IN-27 stop asks, shows Stopping, then the real state', async () => {
  const answer = Promise.withResolvers<undefined>()
  const { row, user, api } = await open({
    inputs: [inputOf('a', { outputIds: ['x', 'y'] })],
    programs: [linkStatusOf('input', 'a')],
    prepare: (fake) =>
      fake.on(contributionAction).answer(async () => {
        await answer.promise
        return { status: true, results: 'a STOPPED' }
      }),
  })
  const shown = await row('Input a')
  await user.click(await within(shown).findByRole('button', { name: 'Stop Input a' }))
  const question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  within(question).getByText('Its 2 outputs lose the stream until it is started again.')
  expect(actionsOf(api)).toEqual([])
  await user.click(within(question).getByRole('button', { name: 'Stop input' }))
  await waitFor(() => expect(shown.getAttribute('aria-busy')).toBe('true'))
  const stop = within(shown).getByRole('button', { name: 'Stop Input a' })
  expect(stop.getAttribute('aria-disabled')).toBe('true')
  expect(actionsOf(api)).toEqual([{ id: 'a', type: 1, actionType: 'stop' }])

  answer.resolve(undefined)
  api.stream.push({ event: 'program', data: linkStatusOf('input', 'a', STOPPED) })
  await screen.findByText('Action worked success')
  await within(shown).findByText('Stopped')
  within(shown).getByRole('button', { name: 'Start Input a' })
  expect(shown.getAttribute('aria-busy')).toBeNull()
})

test('Keep running sends nothing', async () => {
  const { row, user, api } = await open({ programs: [linkStatusOf('input', 'a')] })
  await user.click(
    await within(await row('Input a')).findByRole('button', { name: 'Stop Input a' }),
  )
  await user.click(await screen.findByRole('button', { name: 'Keep running' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(actionsOf(api)).toEqual([])
})

test('CON-IN-27 a refused action says why', async () => {
  const sentence = 'Port 6002 is taken on the host.'
  const { row, user } = await open({
    programs: [linkStatusOf('input', 'a', STOPPED)],
    prepare: (fake) =>
      fake.on(contributionAction).answer(() => ({ status: false, results: '', error: sentence })),
  })
  const shown = await row('Input a')
  await user.click(await within(shown).findByRole('button', { name: 'Start Input a' }))
  expect(await screen.findByText(sentence)).toBeDefined()
})

test('CON-IN-27 an action that fails without a message', async () => {
  const { row, user } = await open({
    programs: [linkStatusOf('input', 'a')],
    prepare: (fake) => fake.on(contributionAction).answer(() => ({ status: false, results: '' })),
  })
  const shown = await row('Input a')
  await user.click(await within(shown).findByRole('button', { name: 'Restart Input a' }))
  await answerQuestion('Restart input')
  expect(await screen.findByText('Something went wrong')).toBeDefined()
})

const LOG = [
  'Media path: srt -> udp',
  'SRT source disconnected',
  'Accepted SRT source connection',
  'rexmit 3',
].join('\n')

test('CON-IN-03 CON-IN-26 a row opens to its target status, read from the tail', async () => {
  const { row, user, api } = await open({
    programs: [linkStatusOf('input', 'a', { peer: '' })],
    prepare: (fake) => fake.on(contributionAction).answer(() => ({ status: true, results: LOG })),
  })
  await row('Input a')
  await user.click(screen.getByRole('button', { name: 'Expand Input a' }))
  await screen.findByText(/TARGET STATUS: CONNECTED/)
  screen.getByText('Accepted SRT source connection')
  expect(actionsOf(api)[0]).toEqual({ id: 'a', type: 12, actionType: 'tail' })
  const received = screen.getByRole('group', { name: 'Received' })
  within(received).getByText('4,488')
  within(screen.getByRole('group', { name: 'RTT' })).getByText('18')
  within(screen.getByRole('group', { name: 'Recovered' })).getByText('1.9')
  within(screen.getByRole('group', { name: 'Dropped' })).getByText('10')

  const lost = linkStatusOf('input', 'a', { peer: 'disconnected', reading: linkReadingOf() })
  act(() => api.stream.push({ event: 'program', data: lost }))
  await screen.findByText(/TARGET STATUS: DISCONNECTED/)
  await user.click(screen.getByRole('button', { name: 'Collapse Input a' }))
  expect(screen.queryByText(/TARGET STATUS/)).toBeNull()
})

test('right opens a row, left closes it', async () => {
  const { row, user } = await open({
    prepare: (fake) => fake.on(contributionAction).answer(() => ({ status: true, results: '' })),
  })
  await row('Input a')
  await user.keyboard('j{ArrowRight}')
  await screen.findByText(/TARGET STATUS/)
  await user.keyboard('{ArrowLeft}')
  expect(screen.queryByText(/TARGET STATUS/)).toBeNull()
})

test('the log of an input', async () => {
  const { row, user } = await open({
    prepare: (fake) => fake.on(contributionAction).answer(() => ({ status: true, results: LOG })),
  })
  await user.click(within(await row('Input a')).getByRole('button', { name: 'Log of Input a' }))
  const dialog = await screen.findByRole('dialog', { name: 'Input log' })
  expect(await within(dialog).findByText('SRT source disconnected')).toBeDefined()
})

const thirteen = Array.from({ length: 13 }, (_, index) => inputOf(`${index + 1}`))

test('CON-IN-07 CON-IN-08 CONST-04 pages of 12, and all of them as 0', async () => {
  const { row, user, api } = await open({ inputs: thirteen })
  await row('Input 12')
  screen.getByText('1–12 of 13')
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await row('Input 13')
  const rows = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Rows per page' })
  expect([...rows.options].map((option) => option.text)).toEqual([
    '12',
    '24',
    '36',
    '50',
    '75',
    'All',
  ])
  await user.selectOptions(rows, 'All')
  await row('Input 1')
  expect(queriesOf(api).at(-1)).toMatchObject({ page: '0', rowsPerPage: '0' })
  expect(storage.rowsPerPage.read()).toBe(0)
})

test('CON-IN-04 CON-IN-42 STORE-06 a filter applies after 1.1 s, the last change wins', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { row, user, api } = await open({})
  await row('Input a')
  const before = queriesOf(api).length
  const group = screen.getByRole('combobox', { name: 'Group' })
  await user.selectOptions(group, 'Sports North')
  await user.selectOptions(group, 'Sports South')
  await act(async () => vi.advanceTimersByTimeAsync(700))
  expect(queriesOf(api)).toHaveLength(before)
  await act(async () => vi.advanceTimersByTimeAsync(500))
  await waitFor(() => expect(queriesOf(api)).toHaveLength(before + 1))
  await act(async () => vi.advanceTimersByTimeAsync(3000))
  expect(queriesOf(api), 'one request').toHaveLength(before + 1)
  expect(queriesOf(api).at(-1)).toMatchObject({ groupId: 'south' })
  expect(storage.groupId.read()).toBe('south')
})

test('CON-IN-06 CON-IN-40 refresh waits 1.5 s, then reads again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { row, user, api } = await open({})
  await row('Input a')
  const before = queriesOf(api).length
  const refresh = screen.getByRole('button', { name: 'Refresh' })
  await user.click(refresh)
  expect(refresh.getAttribute('aria-disabled')).toBe('true')
  expect(queriesOf(api)).toHaveLength(before)
  await act(async () => vi.advanceTimersByTimeAsync(1600))
  await waitFor(() => expect(queriesOf(api)).toHaveLength(before + 1))
})

test('CON-IN-05 CON-IN-43 CONST-05 search fires past three characters, with suggestions', async () => {
  const { row, user, api } = await open({ inputs: thirteen })
  await row('Input 1')
  const box = screen.getByRole<HTMLInputElement>('combobox', { name: 'Search inputs' })
  await user.type(box, 'Inp')
  expect(queriesOf(api).at(-1)).toMatchObject({ searchValue: '' })
  await user.type(box, 'ut')
  await waitFor(() => expect(queriesOf(api).at(-1)).toMatchObject({ searchValue: 'Input' }))
  await waitFor(() => expect(box.list?.options).toHaveLength(12))
  await user.clear(box)
  await row('Input 1')
})

test('CON-IN-43 Q20 suggestions and list are asked for from the fourth character, after the pause, once', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { row, api } = await open({ inputs: thirteen })
  await row('Input 1')
  const box = screen.getByRole<HTMLInputElement>('combobox', { name: 'Search inputs' })
  const before = api.askedOf(listInputs).length
  const type = (value: string) => fireEvent.change(box, { target: { value } })
  const asked = () =>
    api
      .askedOf(listInputs)
      .slice(before)
      .map(({ query }) => query.get('searchValue'))
  for (const text of ['I', 'In', 'Inp']) type(text)
  await act(async () => vi.advanceTimersByTimeAsync(2000))
  expect(asked()).toEqual([])
  for (const text of ['Inpu', 'Input', 'Input 1']) type(text)
  expect(asked()).toEqual([])
  await act(async () => vi.advanceTimersByTimeAsync(2000))
  expect(asked(), 'one of the list, one of the suggestions').toEqual(['Input 1', 'Input 1'])
  await waitFor(() => expect(box.list?.options).toHaveLength(5))
  type('Inp')
  await waitFor(() => expect(box.list?.options).toHaveLength(0))
  type('')
  await row('Input 2')
})

test('a list that fails keeps what it had, and says how old that is', async () => {
  let isUp = true
  const { row, user } = await open({
    prepare: (fake) =>
      fake
        .on(listInputs)
        .answer(() =>
          isUp
            ? { status: true, contributions: [inputOf('a')], total: 1 }
            : refuse(500, 'The database is locked.'),
        ),
  })
  await row('Input a')
  isUp = false
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByText(/The list of inputs could not be read\. Shown as of/)
  expect(await row('Input a')).toBeDefined()
})

test('CON-OUT-01 CON-OUT-07 CON-OUT-08 outputs: their input, their destination, type 2', async () => {
  const { row, user, api } = await open({
    path: '/dashboard/contribution?tab=outputs',
    outputs: [outputOf('o')],
    programs: [linkStatusOf('output', 'o')],
    prepare: (fake) => fake.on(contributionAction).answer(() => ({ status: true, results: 'ok' })),
  })
  const shown = await row('Output o')
  for (const head of ['Status', 'Name', 'Input', 'Destination', 'Uptime', 'Actions']) {
    screen.getByRole('columnheader', { name: head })
  }
  within(shown).getByText('Input i')
  within(shown).getByText('203.0.113.80:7016')
  await user.click(await within(shown).findByRole('button', { name: 'Restart Output o' }))
  await screen.findByText('Its destination gets no stream for a few seconds.')
  expect(actionsOf(api)).toEqual([])
  await answerQuestion('Restart output')
  await screen.findByText('Action worked success')
  expect(actionsOf(api)).toEqual([{ id: 'o', type: 2, actionType: 'restart' }])
})

test('a restart does not start what somebody has stopped while its question was open', async () => {
  const { row, user, api } = await open({
    path: '/dashboard/contribution?tab=outputs',
    outputs: [outputOf('o')],
    programs: [linkStatusOf('output', 'o')],
  })
  const shown = await row('Output o')
  await user.click(await within(shown).findByRole('button', { name: 'Restart Output o' }))
  api.stream.push({ event: 'program', data: linkStatusOf('output', 'o', STOPPED) })
  await within(shown).findByText('Stopped')
  await answerQuestion('Restart output')
  await screen.findByText('Somebody has stopped it meanwhile. Start it if it is to run.')
  expect(actionsOf(api)).toEqual([])
})

test('CON-OUT-10 a disabled output shows Disabled', async () => {
  const { row } = await open({
    path: '/dashboard/contribution?tab=outputs',
    outputs: [outputOf('o', { isEnabled: false })],
  })
  expect(within(await row('Output o')).getByText('Disabled')).toBeDefined()
})

test('CON-OUT-02 CON-OUT-03 CON-OUT-05 CONST-06 the input filter is asked for and remembered', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { row, user, api } = await open({
    path: '/dashboard/contribution?tab=outputs',
    outputs: [outputOf('o')],
  })
  await row('Output o')
  const filter = screen.getByRole('combobox', { name: 'Input' })
  const choices = api.askedOf(listInputs).map((item) => Object.fromEntries(item.query))
  expect(choices).toContainEqual({ page: '0', rowsPerPage: '12', searchValue: '' })
  await user.click(filter)
  await user.click(await screen.findByRole('option', { name: 'Input a' }))
  await act(async () => vi.advanceTimersByTimeAsync(1200))
  await waitFor(() =>
    expect(api.askedOf(listOutputs).at(-1)?.query.get('contributionId')).toBe('a'),
  )
  expect(storage.outputFilterInputId.read()).toBe('a')
})

test('the tabs are walked by arrow keys and by Alt and a digit', async () => {
  const { row, user } = await open({
    outputs: [outputOf('o')],
    destinations: [destinationOf('d')],
  })
  await row('Input a')
  screen.getByRole('tab', { name: /Inputs/ }).focus()
  await user.keyboard('{ArrowRight}')
  await row('Output o')
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: /Outputs/ }))
  await user.keyboard('{Alt>}[Digit3]{/Alt}')
  await row('Destination d')
})

test.each([
  ['inputs', 'Add Input'],
  ['outputs', 'Add Output'],
  ['destinations', 'Add Destination'],
])('an empty list of %s offers to add the first', async (tab, label) => {
  const { user } = await open({
    path: `/dashboard/contribution?tab=${tab}`,
    inputs: [],
  })
  const place = (await screen.findByText(/^No (in|out)puts here$|^No destinations yet$/))
    .parentElement
  await user.click(within(place ?? document.body).getByRole('button', { name: label }))
  const dialog = await screen.findByRole('dialog', { name: new RegExp(`^${label}|^Destination`) })
  expect(dialog).toBeDefined()
})
