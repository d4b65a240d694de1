/** The status of inputs while nothing is pushed: asked for, and read from what the answer says. */
import { act, within } from '@testing-library/react'
import { readInputStatus } from '@trunkline/contract/contributions/input.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { refuse } from '../../test/fake-api.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { inputOf, linkStatusOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { actionsOf, openContributions as open } from '../contributions.fixture.ts'

afterEach(resetConsole)

test('CON-IN-18 CON-IN-19 CON-IN-20 without push the status is asked for, but not of what is off or Local', async () => {
  const off = inputOf('c', { isEnabled: false })
  const inputs = [inputOf('a'), inputOf('b'), off, inputOf('d', { inputType: 'Local' })]
  const { row, api } = await open({
    inputs,
    prepare: (fake) =>
      fake
        .on(readInputStatus)
        .answer(({ path }) =>
          path.endsWith('/a')
            ? { status: true, results: 'a RUNNING pid 7, uptime 5 days, 7:18:14', state: 'running' }
            : refuse(500, 'no'),
        ),
  })
  await row('Input a')
  api.stream.end()
  await within(await row('Input a')).findByText('5 days, 7:18:14')
  await within(await row('Input b')).findByText('status not read')
  const asked = api.askedOf(readInputStatus).map(({ path }) => path.slice(-1))
  expect([...new Set(asked)].toSorted()).toEqual(['a', 'b'])
  within(await row('Input d')).getAllByText('Local')
})

test('CON-IN-16 without push an input that the API calls Disabled is shown as Disabled', async () => {
  const { row, user, api } = await open({
    prepare: (fake) =>
      fake
        .on(readInputStatus)
        .answer(() => ({ status: false, error: 'Disabled', results: '', state: 'disabled' })),
  })
  await row('Input a')
  api.stream.end()
  await within(await row('Input a')).findByText('Disabled')
  const start = within(await row('Input a')).getByRole('button', { name: 'Start Input a' })
  await user.click(start)
  expect(actionsOf(api)).toEqual([])
})

test('shows no uptime once the state is stale', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { row, api } = await open({
    programs: [linkStatusOf('input', 'a', { startedAtMs: Date.now() - 60_000 })],
    prepare: (fake) =>
      fake
        .on(readInputStatus)
        .answer(() => Promise.withResolvers<{ status: false; results: string }>().promise),
  })
  const shown = within(await row('Input a'))
  await shown.findByText('Running')
  shown.getByText(/^1:0\d$/)
  api.stream.end()
  await act(async () => vi.advanceTimersByTimeAsync(25_000))
  await shown.findByText('stale')
  expect(shown.queryByText(/^1:\d\d$/)).toBeNull()
})

test('Q134 without push the error of a status with the specified fields alone is the cause', async () => {
  const reply = { status: false, results: '', error: 'exit status 255' }
  const { row, api } = await open({
    prepare: (fake) => fake.on(readInputStatus).answer(() => reply),
  })
  await row('Input a')
  api.stream.end()
  const shown = await row('Input a')
  await within(shown).findByText('exit status 255')
  expect(await within(shown).findByText('Error')).toBeDefined()
})

test('CON-IN-17 a state that is not loaded yet shows a spinner, whose place the state takes', async () => {
  const { row, api } = await open({ isUnread: true })
  const shown = await row('Input a')
  within(shown).getByText('Reading')
  const spinners = () => shown.querySelectorAll('[data-shape="arc"]')
  expect(spinners()).toHaveLength(1)
  act(() => api.stream.push(snapshotOf({ programs: [linkStatusOf('input', 'a')] })))
  await within(shown).findByText('Running')
  expect(spinners()).toHaveLength(0)
})
