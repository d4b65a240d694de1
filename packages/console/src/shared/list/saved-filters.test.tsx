/** Saved filters as every list of the console has them, on the list of groups. */
import { screen, waitFor, within } from '@testing-library/react'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { listListViews } from '@trunkline/contract/users/list-view.calls'
import { afterEach, expect, test } from 'vitest'
import { type FakeApi, refuse } from '../../test/fake-api.ts'
import { renderConsole, resetConsole } from '../../test/render-console.tsx'

afterEach(resetConsole)

function openGroups(path: string, prepare: (api: FakeApi) => void = () => {}) {
  const scene = renderConsole({ path, role: 'admin', prepare })
  const { user, api } = scene
  return {
    ...scene,
    /** What the list asked for last; pickers of groups ask for other pages. */
    asked: () =>
      api
        .askedOf(listGroups)
        .map(({ query }) => Object.fromEntries(query))
        .findLast((query) => query['rowsPerPage'] === '24'),
    openMenu: async () => {
      await user.click(await screen.findByRole('button', { name: 'Saved filters' }))
      return within(await screen.findByRole('menu', { name: 'Saved filters' }))
    },
  }
}

async function save(scene: ReturnType<typeof openGroups>, name: string) {
  const menu = await scene.openMenu()
  await scene.user.click(menu.getByRole('menuitem', { name: /^Save/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Saved filters' }))
  await scene.user.type(dialog.getByRole('textbox', { name: /^Name of what/ }), name)
  await scene.user.click(dialog.getByRole('button', { name: 'Save' }))
  return dialog
}

test('a filter is saved under a name, and picked with its search and sorting', async () => {
  const scene = openGroups('/dashboard/group?search=sports&sort=-title')
  await save(scene, 'Sports')
  scene.screen.unmount()
  const later = openGroups('/dashboard/group')
  await screen.findByRole('table', { name: 'Groups' })
  expect(later.asked()).not.toHaveProperty('sort')
  const menu = await later.openMenu()
  await later.user.click(menu.getByRole('menuitem', { name: 'Sports' }))
  await waitFor(() => expect(later.asked()).toMatchObject({ searchText: 'sports', sort: '-title' }))
  const box = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search groups' })
  expect(box.value).toBe('sports')
})

test('a name that is taken is refused; saved filters are renamed and deleted', async () => {
  const scene = openGroups('/dashboard/group?sort=title')
  await save(scene, 'Mine')
  const dialog = await save(scene, 'Mine')
  dialog.getByText("Another saved filter is called 'Mine'. Choose another name.")
  const name = dialog.getByRole('textbox', { name: 'Name of Mine' })
  await scene.user.clear(name)
  await scene.user.type(name, 'Yours{Enter}')
  await scene.user.click(await dialog.findByRole('button', { name: 'Delete Yours' }))
  expect(dialog.queryByRole('button', { name: /^Delete/ })).toBeNull()
})

test('saved filters that could not be read are read again by the menu, which says so', async () => {
  const saved = [{ name: 'Sports', values: { search: 'sports' } }]
  let isBusy = true
  const scene = openGroups('/dashboard/group', (api) =>
    api.on(listListViews).answer(() =>
      isBusy
        ? refuse(500, 'The database is busy.')
        : {
            status: true,
            data: [{ list: 'groups', hidden: [], saved, version: 1 }],
          },
    ),
  )
  await waitFor(async () => {
    const menu = await scene.openMenu()
    menu.getByRole('menuitem', { name: 'The saved filters could not be read. Retry' })
  })
  isBusy = false
  await scene.user.click(screen.getByRole('menuitem', { name: /could not be read/ }))
  await waitFor(async () => {
    const menu = await scene.openMenu()
    menu.getByRole('menuitem', { name: 'Sports' })
  })
  expect(screen.queryByRole('menuitem', { name: /could not be read/ })).toBeNull()
})
