import { afterEach, expect, test } from 'vitest'
import { renderHookAt } from '../../test/render-at.tsx'
import { resetConsole } from '../../test/render-console.tsx'
import {
  useInputFilter,
  useOutputFilter,
  type InputFilter,
  type OutputFilter,
} from './list-filter.hook.ts'

afterEach(resetConsole)

test.each<[string, (filter: InputFilter) => void]>([
  ['group', ({ setGroupId }) => setGroupId('north')],
  ['server', ({ setServerId }) => setServerId('gateway-1')],
  ['search', ({ setSearch }) => setSearch('Rhein')],
])('CON-IN-04 inputs of another %s are shown from the first page on', async (_, change) => {
  const { result, change: apply } = await renderHookAt('/', () => useInputFilter(true))
  await apply(({ setPage }) => setPage(3))
  expect(result.current.list.page).toBe(3)
  await apply(change)
  expect(result.current.list.page).toBe(0)
})

test.each<[string, (filter: OutputFilter) => void]>([
  ['input', ({ setInputId }) => setInputId('a')],
  ['destination', ({ setDestinationId }) => setDestinationId('paris')],
  ['search', ({ setSearch }) => setSearch('Paris')],
])('CON-OUT-02 outputs of another %s are shown from the first page on', async (_, change) => {
  const { result, change: apply } = await renderHookAt('/', () => useOutputFilter(true))
  await apply(({ setPage }) => setPage(3))
  expect(result.current.list.page).toBe(3)
  await apply(change)
  expect(result.current.list.page).toBe(0)
})
