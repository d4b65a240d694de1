import { screen, waitFor, within } from '@testing-library/react'
import {
  addGroupUser,
  listGroups,
  moveGroupUser,
  removeGroupUser,
} from '@trunkline/contract/groups/group.calls'
import { ROLES, type Role } from '@trunkline/contract/roles'
import { listUsers, removeUser } from '@trunkline/contract/users/user.calls'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { refuse, type FakeApi } from '../../test/fake-api.ts'
import { ledGroup } from '../../test/place.samples.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { groupOf } from '../../test/samples.ts'
import { NORTH, personOf, SOUTH } from '../../test/user.samples.ts'
import { actionsIn, dialog, openUsers, renderUsers } from '../users.fixture.ts'

afterEach(resetConsole)

const EDITOR = personOf('editor')

function listedWith(api: FakeApi) {
  return api.askedOf(listUsers).map(({ query }) => Object.fromEntries(query))
}

test('USER-01 USER-02 the columns in order; name, e-mail, role, and quietly the groups', async () => {
  const { row } = await openUsers({ role: 'admin', others: [EDITOR] })
  const heads = screen.getAllByRole('columnheader').map((head) => head.textContent)
  expect(heads).toEqual(['User Name', 'Email', 'Role', 'Actions'])
  const cells = within(await row('Gallery editor'))
  cells.getByText('gallery.editor@trunkline.example')
  cells.getByRole('cell', { name: 'editor' })
  cells.getByText('Sports North')
  within(await row('Night Desk')).getByText('you')
})

test('USER-03 search, group filter, refresh and Add user', async () => {
  await openUsers({ role: 'admin' })
  screen.getByRole('heading', { level: 1, name: 'Access' })
  screen.getByRole('searchbox', { name: 'Search users' })
  screen.getByRole('combobox', { name: 'Group' })
  screen.getByRole('button', { name: 'Refresh' })
  expect(screen.getByRole('button', { name: 'Add user' })).toBeDefined()
})

test('USER-04 the list is asked for by search text and group, in pages; the group is remembered', async () => {
  const { api, user } = await openUsers({ role: 'admin' })
  const first = { searchText: '', groupId: '', page: '0', rowsPerPage: '24' }
  expect(listedWith(api)).toContainEqual(first)
  await screen.findByRole('option', { name: 'Sports South' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Group' }), 'Sports South')
  await user.type(screen.getByRole('searchbox', { name: 'Search users' }), 'gallery')
  await waitFor(() =>
    expect(listedWith(api)).toContainEqual({ ...first, searchText: 'gallery', groupId: 'south' }),
  )
  expect(storage.userGroupId.read()).toBe('south')
})

test('STORE-03 Q17 a stored group that no longer exists is replaced by the first choice', async () => {
  storage.userGroupId.write('deleted')
  const { api } = await openUsers({ role: 'admin' })
  await waitFor(() =>
    expect(listedWith(api)).toContainEqual(expect.objectContaining({ groupId: '' })),
  )
  const group = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Group' })
  expect(group.selectedOptions[0]?.textContent).toBe('All groups')
  expect(storage.userGroupId.read()).toBe('')
})

test('ROLE-10 Q48 a manager begins with the first own group, and has no All', async () => {
  const { api } = await openUsers({ role: 'manager' })
  expect(listedWith(api).every(({ groupId }) => groupId === 'north')).toBe(true)
  expect(screen.queryByRole('option', { name: 'All groups' })).toBeNull()
})

test('who signs in with the provider is marked in the row and in the record', async () => {
  const others = [
    personOf('editor', { isFromProvider: true }),
    personOf('monitor', { fullName: 'Gallery monitor' }),
  ]
  const { row, user } = await openUsers({ role: 'admin', others })
  within(await row('Gallery editor')).getByText('provider')
  expect(within(await row('Gallery monitor')).queryByText('provider')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Edit Gallery editor' }))
  const shown = within(await screen.findByRole('dialog', { name: /^Edit user/ }))
  shown.getByText(/^Signs in with the provider of this site\./)
})

test('pages are asked for one by one', async () => {
  const others = Array.from({ length: 30 }, (_, index) =>
    personOf('editor', { _id: `e${index}`, fullName: `Editor ${index}.` }),
  )
  const { api, user, row } = await openUsers({ role: 'admin', others })
  screen.getByText('1–24 of 31')
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await row('Editor 29')
  expect(listedWith(api)).toContainEqual(expect.objectContaining({ page: '1', rowsPerPage: '24' }))
})

const EVERYBODY = ROLES.map((role) => personOf(role))

/** What a viewer may do to somebody of each role, and to oneself; of every role in user.rules.test.ts. */
const ALLOWED = {
  admin: {
    own: 'Edit',
    admin: 'Edit Delete',
    manager: 'Edit Delete',
    editor: 'Edit Add Delete',
    monitor: 'Edit Add Delete',
  },
  manager: { own: 'Edit', editor: 'Edit Add Delete', monitor: 'Edit Add Delete' },
  editor: { own: 'Edit' },
} as const

test.each(['admin', 'manager', 'editor'] as const)(
  'USER-05 USER-06 USER-07 Q27 Q28 what a %s may do to whom',
  async (role) => {
    const { row, user } = await openUsers({ role, others: EVERYBODY })
    const found: Partial<Record<Role | 'own', string>> = {}
    for (const role of [...ROLES, 'own'] as const) {
      const labels = actionsIn(await row(role === 'own' ? 'Night Desk' : `Gallery ${role}`))
      if (labels.length > 0) found[role] = labels.map((label) => label.split(' ')[0]).join(' ')
    }
    expect(found).toEqual(ALLOWED[role])
    const mayAdd = role !== 'editor'
    expect(screen.queryByRole('button', { name: 'Add user' }) !== null).toBe(mayAdd)
    await user.keyboard('n')
    expect(screen.queryByRole('dialog', { name: 'Add user' }) !== null).toBe(mayAdd)
  },
)

async function openGroups(groups: typeof EDITOR.groups, prepare?: (api: FakeApi) => void) {
  const scene = await openUsers({
    role: 'admin',
    others: [personOf('editor', { groups })],
    prepare: (api) => {
      const data = [ledGroup('north', 'Sports North'), groupOf('south', 'Sports South')]
      api.on(listGroups).answer(() => ({ status: true, data, total: data.length }))
      for (const route of [addGroupUser, moveGroupUser]) {
        api.on(route).answer(() => ({ status: true, data: ledGroup('south', 'Sports South') }))
      }
      prepare?.(api)
    },
  })
  await scene.user.click(screen.getByRole('button', { name: 'Add To Group: Gallery editor' }))
  const shown = await dialog('Select a group')
  await within(shown).findAllByRole('radio')
  const confirm = async () =>
    scene.user.click(within(shown).getByRole('button', { name: 'Add to group' }))
  return { ...scene, shown, confirm }
}

function bodiesOf(api: FakeApi, route: typeof addGroupUser | typeof removeGroupUser) {
  return api.askedOf(route).map(({ path, body }) => [path, body])
}

test('USER-08 DLG-04 Select a group: a radio list of group name and manager', async () => {
  const { shown } = await openGroups([])
  const radios = within(shown).getAllByRole('radio')
  expect(radios.map((radio) => radio.closest('label')?.textContent)).toEqual([
    'Sports NorthGallery A',
    'Sports Southno manager',
  ])
})

test('DLG-13 the first group gets the focus as soon as the groups are read', async () => {
  const read = Promise.withResolvers<void>()
  const scene = await openUsers({
    role: 'admin',
    others: [EDITOR],
    prepare: (api) => {
      const data = [groupOf('north', 'Sports North'), groupOf('south', 'Sports South')]
      api.on(listGroups).answer(async () => {
        await read.promise
        return { status: true, data, total: data.length }
      })
    },
  })
  await scene.user.click(screen.getByRole('button', { name: 'Add To Group: Gallery editor' }))
  const shown = await dialog('Select a group')
  const cross = within(shown).getByRole('button', { name: 'Close' })
  await waitFor(() => expect(document.activeElement).toBe(cross))
  read.resolve()
  const [first] = await within(shown).findAllByRole('radio')
  await waitFor(() => expect(document.activeElement).toBe(first))
})

test('USER-09 ERR-23 without a group nothing is sent', async () => {
  const { shown, confirm, api } = await openGroups([])
  await confirm()
  await within(shown).findByText('Please select a group')
  expect(api.askedOf(addGroupUser)).toHaveLength(0)
  expect(api.askedOf(moveGroupUser)).toHaveLength(0)
})

test('USER-10 USER-11 Q106 ERR-12 a user without a group joins one', async () => {
  const { shown, confirm, api, user } = await openGroups([])
  await user.click(within(shown).getByRole('radio', { name: /^Sports South/ }))
  await confirm()
  await screen.findByText('User added to group successfully')
  expect(bodiesOf(api, addGroupUser)).toEqual([
    ['/api/group/add_user/south', { userId: 'other-editor' }],
  ])
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Edit user/ })).toBeNull())
})

test('USER-11 Q106 a user with a group is moved, and the dialog names the group that they leave', async () => {
  const { shown, confirm, api, user } = await openGroups([SOUTH])
  within(shown).getByText(
    /^Gallery editor leaves Sports South for the group that you choose\. .*unassigned from the encoders/,
  )
  await user.click(within(shown).getByRole('radio', { name: /^Sports North/ }))
  await confirm()
  await screen.findByText('User added to group successfully')
  expect(bodiesOf(api, moveGroupUser)).toEqual([
    ['/api/group/update_user_group/north', { userId: 'other-editor' }],
  ])
  expect(api.askedOf(addGroupUser)).toHaveLength(0)
})

test('USER-10 ERR-09 DLG-08 a refusal without a sentence shows ours, and the dialog stays', async () => {
  const sentence = 'Failed to add user to group'
  const { shown, confirm, user } = await openGroups([], (api) =>
    api.on(addGroupUser).answer(() => refuse(409, '')),
  )
  await user.click(within(shown).getByRole('radio', { name: /^Sports South/ }))
  await confirm()
  expect(await within(shown).findByText(sentence)).toBeDefined()
  await findNotice(sentence)
})

async function openRemoval(prepare?: (api: FakeApi) => void) {
  const scene = await openUsers({
    role: 'admin',
    others: [EDITOR],
    prepare: (api) => {
      api.on(removeUser).answer(() => ({ status: true, id: EDITOR._id }))
      prepare?.(api)
    },
  })
  await scene.user.click(screen.getByRole('button', { name: 'Delete Gallery editor' }))
  return { ...scene, question: await dialog('Are you sure\\?') }
}

test('USER-30 DLG-06 DLG-07 ERR-11 deleting asks who, and says so with the space at its end', async () => {
  const { question, api, user } = await openRemoval()
  within(question).getByText('Delete Gallery editor (gallery.editor@trunkline.example).')
  expect(api.askedOf(removeUser)).toHaveLength(0)
  await user.click(within(question).getByRole('button', { name: 'Delete user' }))
  const notice = await screen.findByText('Success remove user')
  expect(notice.textContent).toBe('Success remove user ')
  expect(notice.parentElement?.textContent).toBe('Success remove user Gallery editor')
  expect(api.askedOf(removeUser).map(({ path }) => path)).toEqual([
    '/api/users/removeUser/other-editor',
  ])
})

test('DLG-15 Keep user sends nothing', async () => {
  const { question, api, user } = await openRemoval()
  await user.click(within(question).getByRole('button', { name: 'Keep user' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Edit user/ })).toBeNull())
  expect(api.askedOf(removeUser)).toHaveLength(0)
})

test('USER-31 a refused removal says why', async () => {
  const sentence = 'Gallery editor is the manager of the group North.'
  const { question, user } = await openRemoval((api) =>
    api.on(removeUser).answer(() => refuse(409, sentence)),
  )
  await user.click(within(question).getByRole('button', { name: 'Delete user' }))
  expect(await screen.findByText(sentence)).toBeDefined()
})

test('DLG-14 while a user is being deleted, the actions of the row are disabled', async () => {
  const answer = Promise.withResolvers<void>()
  const { question, row, api, user } = await openRemoval((fake) =>
    fake.on(removeUser).answer(async () => {
      await answer.promise
      return { status: true, id: EDITOR._id }
    }),
  )
  await user.click(within(question).getByRole('button', { name: 'Delete user' }))
  const shown = await row('Gallery editor')
  await waitFor(() => expect(shown.getAttribute('aria-busy')).toBe('true'))
  await user.click(within(shown).getByRole('button', { name: 'Delete Gallery editor' }))
  await user.click(within(shown).getByRole('button', { name: 'Edit Gallery editor' }))
  expect(screen.queryByRole('dialog', { name: /^Edit user/ })).toBeNull()
  answer.resolve()
  await screen.findByText('Success remove user')
  expect(api.askedOf(removeUser)).toHaveLength(1)
})

async function openShared(groups: typeof EDITOR.groups, prepare?: (api: FakeApi) => void) {
  return openUsers({
    role: 'manager',
    others: [personOf('editor', { groups, hasGroupBeyond: true }), personOf('monitor')],
    prepare: (api) => {
      api
        .on(removeGroupUser)
        .answer(() => ({ status: true, data: groupOf('north', 'Sports North') }))
      prepare?.(api)
    },
  })
}

test('T3 a user of another group too is neither edited nor deleted by a manager, and the row says why', async () => {
  const { row, user } = await openShared([NORTH])
  const shown = await row('Gallery editor')
  expect(actionsIn(shown).filter((label) => label !== '')).toEqual([
    'Add To Group: Gallery editor',
    'Remove from Sports North: Gallery editor',
  ])
  within(shown).getByText('+ another group').focus()
  await screen.findByText(/^Also belongs to another group.* Only an admin may edit or delete/)
  const labels = actionsIn(await row('Gallery monitor')).map((label) => label.split(' ')[0])
  expect(labels).toEqual(['Edit', 'Add', 'Delete'])
  await user.keyboard('{Escape}')
})

test('T3 Remove from group asks first, says what it does, and removes from that group alone', async () => {
  const { row, user, api } = await openShared([NORTH])
  const label = 'Remove from Sports North: Gallery editor'
  await row('Gallery editor')
  await user.click(screen.getByRole('button', { name: label }))
  let question = await dialog('Are you sure\\?')
  within(question).getByText(
    'Remove Gallery editor (gallery.editor@trunkline.example) from Sports North.',
  )
  within(question).getByText(/no longer see Sports North and are unassigned from the encoders/)
  await user.click(within(question).getByRole('button', { name: 'Keep in Sports North' }))
  expect(api.askedOf(removeGroupUser)).toHaveLength(0)
  await user.click(screen.getByRole('button', { name: label }))
  question = await dialog('Are you sure\\?')
  await user.click(within(question).getByRole('button', { name: 'Remove from Sports North' }))
  await screen.findByText('User removed from group')
  expect(bodiesOf(api, removeGroupUser)).toEqual([
    ['/api/group/remove_user/north', { userId: 'other-editor' }],
  ])
})

test('of several own groups one is chosen to remove somebody from', async () => {
  const { row, user, api } = await openShared([NORTH, SOUTH], (fake) =>
    fake.on(removeGroupUser).answer(() => refuse(409, 'Gallery editor is not in group South.')),
  )
  await row('Gallery editor')
  await user.click(screen.getByRole('button', { name: 'Remove from a group: Gallery editor' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove from Sports South' }))
  const question = await dialog('Are you sure\\?')
  await user.click(within(question).getByRole('button', { name: 'Remove from Sports South' }))
  await screen.findByText('Gallery editor is not in group South.')
  expect(bodiesOf(api, removeGroupUser).map(([path]) => path)).toEqual([
    '/api/group/remove_user/south',
  ])
})

test('what somebody else changes is read again by push', async () => {
  const { api } = await openUsers({ role: 'admin' })
  await waitFor(() => expect(api.stream.isConnected()).toBe(true))
  const before = api.askedOf(listUsers).length
  api.stream.push({ event: 'object', data: { kind: 'user', id: 'x', change: 'added' } })
  await waitFor(() => expect(api.askedOf(listUsers).length).toBeGreaterThan(before))
})

test('an empty group says so; a list that cannot be read says so, and is asked for again', async () => {
  let isUp = false
  const { user } = renderUsers({
    role: 'admin',
    prepare: (api) =>
      api
        .on(listUsers)
        .answer(() =>
          isUp
            ? { status: true, data: [], users: [], total: 0 }
            : refuse(500, 'The database is locked.'),
        ),
  })
  await screen.findByText('The list of users could not be read.')
  isUp = true
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Nobody is in this group yet')).toBeDefined()
})
