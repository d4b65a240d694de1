/** Filters and columns of lists follow the person, on the list of groups. */
import { screen, waitFor, within } from '@testing-library/react'
import { listListViews, saveListView } from '@trunkline/contract/users/list-view.calls'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../../../lib/storage.ts'
import { keepListView, keptListViews } from '../../../test/list-views.ts'
import { refuse } from '../../../test/fake-api.ts'
import { findNotice, renderConsole, resetConsole } from '../../../test/render-console.tsx'
import { userOf } from '../../../test/samples.ts'

afterEach(resetConsole)

const SPORTS = { name: 'Sports', values: { search: 'sports' } }
const NEWS = { name: 'News', values: { search: 'news' } }
const USER_ID = userOf('admin')._id

function openGroups(prepare: Parameters<typeof renderConsole>[0]['prepare'] = () => {}) {
  const scene = renderConsole({ path: '/dashboard/group', role: 'admin', prepare })
  return {
    ...scene,
    saves: () => scene.api.askedOf(saveListView).length,
    names: async () => {
      await scene.user.click(await screen.findByRole('button', { name: 'Saved filters' }))
      const menu = within(await screen.findByRole('menu', { name: 'Saved filters' }))
      const items = menu.getAllByRole('menuitem').map((item) => item.textContent)
      await scene.user.keyboard('{Escape}')
      return items.slice(0, -1)
    },
    hide: async (head: string) => {
      await scene.user.click(await screen.findByRole('button', { name: 'Columns of Groups' }))
      await scene.user.click(await screen.findByRole('menuitemcheckbox', { name: head }))
      await scene.user.keyboard('{Escape}')
    },
  }
}

test('what this browser kept is moved to the account once, beside what is there', async () => {
  const other = { ...SPORTS, values: { search: 'athletics' } }
  keepListView({ list: 'groups', hidden: [], saved: [other, NEWS], version: 3 })
  const groups = { sort: '-title', hidden: ['Description'], saved: [SPORTS, NEWS] }
  storage.listViews.write([[USER_ID, { groups }]])
  const first = openGroups()
  await waitFor(() => expect(keptListViews()[0]?.version).toBe(4))
  await waitFor(async () => expect(await first.names()).toEqual(['Sports', 'News', 'Sports (2)']))
  first.screen.unmount()
  expect(storage.listViews.read()?.[0]?.[1]['groups']).toEqual({
    sort: '-title',
    hidden: [],
    saved: [],
  })
  const again = openGroups()
  await waitFor(() => expect(again.api.askedOf(listListViews)).toHaveLength(1))
  expect(await again.names()).toEqual(['Sports', 'News', 'Sports (2)'])
  expect(again.saves()).toBe(0)
})

test('what cannot be moved stays in this browser', async () => {
  const groups = { sort: '', hidden: [], saved: [SPORTS] }
  storage.listViews.write([[USER_ID, { groups }]])
  const scene = openGroups((api) =>
    api.on(saveListView).answer(() => refuse(503, 'The database is busy.')),
  )
  await waitFor(() => expect(scene.saves()).toBe(1))
  await screen.findByRole('table', { name: 'Groups' })
  expect(storage.listViews.read()?.[0]?.[1]['groups']?.saved).toEqual([SPORTS])
})

test('a change is made to what another tab has saved since', async () => {
  keepListView({ list: 'groups', hidden: [], saved: [SPORTS], version: 1 })
  const scene = openGroups()
  expect(await scene.names()).toEqual(['Sports'])
  keepListView({ list: 'groups', hidden: [], saved: [SPORTS, NEWS], version: 2 })
  await scene.hide('Description')
  await waitFor(() =>
    expect(keptListViews()).toEqual([
      { list: 'groups', hidden: ['Description'], saved: [SPORTS, NEWS], version: 3 },
    ]),
  )
  expect(await scene.names()).toEqual(['Sports', 'News'])
})

test('a change that is not saved is taken back, and the person is told', async () => {
  const scene = openGroups((api) =>
    api.on(saveListView).answer(() => refuse(503, 'The database is busy.')),
  )
  await screen.findByRole('columnheader', { name: 'Description' })
  await scene.hide('Description')
  await findNotice('The list was not saved with your account.', 'The database is busy.')
  expect(await screen.findByRole('columnheader', { name: 'Description' })).toBeDefined()
})
