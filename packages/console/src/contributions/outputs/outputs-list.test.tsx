import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { listOutputs, readOutputStatus } from '@trunkline/contract/contributions/output.calls'
import { afterEach, expect, test, vi } from 'vitest'
import type { FakeApi } from '../../test/fake-api.ts'
import { inputOf, outputOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openContributions } from '../contributions.fixture.ts'

afterEach(resetConsole)

function queriesOf(api: FakeApi) {
  return api.askedOf(listOutputs).map((item) => Object.fromEntries(item.query))
}

/** What the table itself asked for: suggestions and counts name no filter. */
function tableQueriesOf(api: FakeApi) {
  return queriesOf(api).filter((query) => 'page' in query && 'contributionId' in query)
}

/** Found by label: each look for a role reads the whole table. */
test('CON-OUT-04 outputs are paged, selected, searched with 12 suggestions at most, and read again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api } = await openContributions({
    path: '/dashboard/contribution?tab=outputs',
    outputs: Array.from({ length: 13 }, (_, index) => outputOf(`${index + 1}`)),
  })
  await screen.findByText('1–12 of 13')
  fireEvent.click(screen.getByLabelText('Select Output 12'))
  await screen.findByText('1 selected')
  const sizes = screen.getByLabelText<HTMLSelectElement>('Rows per page')
  const offered = [...sizes.options].map((option) => option.text)
  expect(offered).toEqual(['12', '24', '36', '50', '75', 'All'])
  fireEvent.click(screen.getByLabelText('Next page'))
  await screen.findByText('13–13 of 13')
  expect(tableQueriesOf(api).at(-1)).toMatchObject({ page: '1', rowsPerPage: '12' })
  fireEvent.change(sizes, { target: { value: '0' } })
  await waitFor(() =>
    expect(tableQueriesOf(api).at(-1)).toMatchObject({ page: '0', rowsPerPage: '0' }),
  )
  await screen.findByLabelText('Select Output 13')

  const box = screen.getByLabelText<HTMLInputElement>('Search outputs')
  fireEvent.change(box, { target: { value: 'Output' } })
  await waitFor(() =>
    expect(queriesOf(api)).toContainEqual(expect.objectContaining({ searchValue: 'Output' })),
  )
  await waitFor(() => expect(box.list?.options).toHaveLength(12))

  const before = tableQueriesOf(api).length
  fireEvent.click(screen.getByLabelText('Refresh'))
  await act(async () => vi.advanceTimersByTimeAsync(1600))
  await waitFor(() => expect(tableQueriesOf(api)).toHaveLength(before + 1))
})

test('CON-OUT-20 outputs: a refresh waits 1.5 s, a filter 1.1 s, and leaving aborts', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { user, api, row } = await openContributions({
    path: '/dashboard/contribution?tab=outputs',
    inputs: [inputOf('a'), inputOf('b')],
    outputs: [outputOf('o')],
    prepare: (fake) => fake.on(readOutputStatus).answer(async () => new Promise(() => undefined)),
  })
  const pass = async (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms))
  await row('Output o')
  const first = tableQueriesOf(api).length
  fireEvent.click(screen.getByLabelText('Refresh'))
  await pass(1000)
  expect(tableQueriesOf(api), 'not before 1.5 s').toHaveLength(first)
  await pass(700)
  await waitFor(() => expect(tableQueriesOf(api)).toHaveLength(first + 1))

  await user.click(screen.getByRole('combobox', { name: 'Input' }))
  await user.click(await screen.findByRole('option', { name: 'Input a' }))
  await user.click(screen.getByRole('combobox', { name: 'Input' }))
  await user.click(await screen.findByRole('option', { name: 'Input b' }))
  await pass(600)
  expect(tableQueriesOf(api), 'not before 1.1 s').toHaveLength(first + 1)
  await pass(700)
  await waitFor(() => expect(tableQueriesOf(api)).toHaveLength(first + 2))
  expect(tableQueriesOf(api).at(-1)).toMatchObject({ contributionId: 'b' })

  api.stream.end()
  await waitFor(() => expect(api.askedOf(readOutputStatus)).toHaveLength(1))
  await user.click(screen.getByRole('tab', { name: /Inputs/ }))
  await row('Input a')
  await waitFor(() => expect(api.askedOf(readOutputStatus)[0]?.signal?.aborted).toBe(true))
})

test('CON-OUT-06 without push the status of an output is asked for', async () => {
  const reply = { status: true, results: 'o RUNNING pid 7, uptime 0:12:34' }
  const { row, api } = await openContributions({
    path: '/dashboard/contribution?tab=outputs',
    outputs: [outputOf('o')],
    prepare: (fake) => fake.on(readOutputStatus).answer(() => reply),
  })
  await row('Output o')
  api.stream.end()
  await within(await row('Output o')).findByText('Running')
  expect(await within(await row('Output o')).findByText('0:12:34')).toBeDefined()
})
