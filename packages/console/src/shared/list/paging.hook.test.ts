/** What a list shows, in its address and as it was arranged before. */
import { afterEach, expect, test } from 'vitest'
import { beginSession } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { makeFakeApi } from '../../test/fake-api.ts'
import { answerListViews } from '../../test/list-views.ts'
import { renderHookAt } from '../../test/render-at.tsx'
import { resetConsole } from '../../test/render-console.tsx'
import { userOf } from '../../test/samples.ts'
import { usePaging } from './paging.hook.ts'

afterEach(resetConsole)

function useList() {
  return usePaging({
    sizes: [24],
    rowsEntry: storage.tableRowsPerPage,
    named: {
      list: 'encoders',
      sorts: ['title', 'ip'],
      filters: { group: () => storage.encoderGroupId.read() ?? '' },
    },
  })
}

async function openList(path: string) {
  answerListViews(makeFakeApi())
  const user = userOf('admin')
  beginSession(user, user.token)
  return renderHookAt(path, useList)
}

test('a link shows page, search, group and sorting, whatever is remembered here', async () => {
  storage.encoderGroupId.write('south')
  const { result } = await openList('/?page=3&search=2024&group=north&sort=-ip')
  const { page, search, filters, sorted } = result.current
  expect([page, search, filters.group, sorted]).toEqual([2, '2024', 'north', { sort: '-ip' }])
})

test('Back shows the page, the group and the sorting of before', async () => {
  const { result, change, back, address } = await openList('/')
  await change(({ setFilters }) => setFilters({ group: 'north' }))
  await change(({ setSort }) => setSort('-title'))
  await change(({ setPage }) => setPage(1))
  expect(address()).toBe('/?sort=-title&group=north&page=2')
  await back()
  expect([result.current.page, result.current.sort]).toEqual([0, '-title'])
  await back()
  await back()
  const { sort, filters } = result.current
  expect([sort, filters.group]).toEqual(['', ''])
})

test('the sorting of a list is remembered for the person', async () => {
  const first = await openList('/')
  await first.change(({ setSort }) => setSort('ip'))
  first.unmount()
  expect((await openList('/')).result.current.sort).toBe('ip')
  const other = { ...userOf('admin'), _id: 'somebody else' }
  beginSession(other, other.token)
  expect((await renderHookAt('/', useList)).result.current.sort).toBe('')
})

test('a column that the list cannot be sorted by is not asked for', async () => {
  const { result } = await openList('/?sort=state&page=0.5')
  expect([result.current.sorted, result.current.page]).toEqual([{}, 0])
})
