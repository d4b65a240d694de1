/** Sorting of rows that are all in the browser. */
import { afterEach, expect, test } from 'vitest'
import { beginSession } from '../../lib/session.ts'
import { renderHookAt } from '../../test/render-at.tsx'
import { resetConsole } from '../../test/render-console.tsx'
import { userOf } from '../../test/samples.ts'
import { useSortedPage, useSortedRows } from './sorted-rows.hook.ts'
import { sortRows } from '@trunkline/contract/search/sorted-rows.rules'

afterEach(resetConsole)

interface Line {
  title: string
  size: number | null
}
const LINES: readonly Line[] = [
  { title: 'north', size: 3 },
  { title: 'Élan', size: null },
  { title: 'East', size: 12 },
  { title: 'elan', size: 3 },
]
const VALUES = { title: ({ title }: Line) => title, size: ({ size }: Line) => size }
const OPTIONS = { table: 'backups', values: VALUES } as const

function titles(rows: readonly Line[]): string[] {
  return rows.map(({ title }) => title)
}

test.each([
  ['', ['north', 'Élan', 'East', 'elan']],
  ['title', ['East', 'Élan', 'elan', 'north']],
  ['-title', ['north', 'Élan', 'elan', 'East']],
  ['size', ['north', 'elan', 'East', 'Élan']],
  ['-size', ['East', 'north', 'elan', 'Élan']],
] as const)(
  'sorted by %j: without case and accents, unknown values last, equal ones as they were',
  (sort, order) => {
    expect(titles(sortRows(LINES, sort, VALUES))).toEqual(order)
  },
)

test('the sorting of a page stands in its address, and is remembered for the person', async () => {
  const user = userOf('admin')
  beginSession(user, user.token)
  const page = await renderHookAt('/', () => useSortedPage(OPTIONS))
  await page.change(({ sorting }) => sorting.onSort('-size'))
  expect(page.address()).toBe('/?sort=-size')
  await page.back()
  expect(page.result.current.sorting.sort).toBe('')
  page.unmount()
  const again = await renderHookAt('/', () => useSortedRows(OPTIONS))
  expect(titles(again.result.current.sorted(LINES))).toEqual(['East', 'north', 'elan', 'Élan'])
  again.unmount()
  const other = { ...user, _id: 'somebody else' }
  beginSession(other, other.token)
  const theirs = await renderHookAt('/', () => useSortedRows(OPTIONS))
  expect(theirs.result.current.sorting.sort).toBe('')
})

test('a column that the table does not have sorts nothing', async () => {
  const { result } = await renderHookAt('/?sort=-secret', () => useSortedPage(OPTIONS))
  expect(titles(result.current.sorted(LINES))).toEqual(titles(LINES))
})

test('texts with numbers are sorted as titles are in the lists of the API', () => {
  const rows = ['Camera 10', 'camera 9', 'Camera 1'].map((title) => ({ title, size: null }))
  expect(titles(sortRows(rows, 'title', VALUES))).toEqual(['Camera 1', 'camera 9', 'Camera 10'])
})
