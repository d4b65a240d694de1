import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import {
  addGroup,
  listGroups,
  removeGroup,
  updateGroup,
} from '@trunkline/contract/groups/group.calls'
import type { Group } from '@trunkline/contract/groups/group.schema'
import type { Role } from '@trunkline/contract/roles'
import { listUsers } from '@trunkline/contract/users/user.calls'
import type { User } from '@trunkline/contract/users/user.schema'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../lib/storage.ts'
import { type FakeApi, refuse, refuseOddly } from '../test/fake-api.ts'
import { ledGroup, managerOf } from '../test/place.samples.ts'
import { findNotice, renderConsole, resetConsole } from '../test/render-console.tsx'
import { answerPeople } from '../test/user.samples.ts'

afterEach(resetConsole)

interface Site {
  role: Role
  groups: readonly Group[]
  managers: readonly User[]
  prepare: (api: FakeApi) => void
}

const MANAGERS = [managerOf('gallery-a', 'Gallery A'), managerOf('gallery-b', 'Gallery B')]
const NORTH = ledGroup('north', 'Sports North', { version: 3 })

function open(parts: Partial<Site> = {}) {
  const { groups = [NORTH], managers = MANAGERS } = parts
  return renderConsole({
    path: '/dashboard/group',
    role: parts.role ?? 'admin',
    prepare: (api) => {
      api.on(listGroups).answer(({ query }) => {
        const size = Number(query.get('rowsPerPage') ?? 0)
        const from = Number(query.get('page') ?? 0) * size
        const text = query.get('searchText') ?? ''
        const found = groups.filter((group) => group.title.includes(text))
        const data = size === 0 ? [...found] : found.slice(from, from + size)
        return { status: true, data, total: found.length }
      })
      answerPeople(api, managers)
      parts.prepare?.(api)
    },
  })
}

const rowOf = async (title: string) => screen.findByRole('row', { name: new RegExp(title) })

async function openDialog(user: UserEvent, button: string) {
  await user.click(await screen.findByRole('button', { name: button }))
  return within(await screen.findByRole('dialog', { name: 'Manage group' }))
}

type Dialog = Awaited<ReturnType<typeof openDialog>>

async function fill(user: UserEvent, dialog: Dialog) {
  await user.type(dialog.getByLabelText('Title'), ' Events East ')
  await user.type(dialog.getByLabelText('Description'), 'All events')
  await user.click(await dialog.findByRole('radio', { name: /Gallery B/ }))
}

function pagesAsked(api: FakeApi) {
  return api
    .askedOf(listGroups)
    .map(({ query }) => Object.fromEntries(query))
    .filter((query) => 'page' in query && query['rowsPerPage'] !== '0')
}

test('GRP-01 GRP-02 GRP-03 the columns, and the manager’s name', async () => {
  open()
  const row = within(await rowOf('Sports North'))
  for (const head of ['Group Name', 'Description', 'Group Manager', 'Actions']) {
    screen.getByRole('columnheader', { name: head })
  }
  row.getByText('All of Sports North')
  row.getByText('Gallery A')
  row.getByRole('button', { name: 'Edit Sports North' })
  row.getByRole('button', { name: 'Delete Sports North' })
  expect(screen.getByRole('heading', { level: 1, name: 'Groups' })).toBeDefined()
})

test('STORE-05 the API pages and searches, and the number of rows is remembered', async () => {
  const groups = Array.from({ length: 60 }, (_, at) => ledGroup(`g${at}`, `Group ${at}.`))
  const { user, api } = open({ groups })
  await rowOf('Group 23\\.')
  expect(screen.queryByRole('row', { name: /Group 24\./ })).toBeNull()
  screen.getByText('1–24 of 60')
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await rowOf('Group 24\\.')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '50')
  await rowOf('Group 49\\.')
  expect(storage.tableRowsPerPage.read()).toBe(50)
  await user.type(screen.getByRole('searchbox', { name: 'Search groups' }), 'Group 5.')
  await waitFor(() =>
    expect(pagesAsked(api).at(-1)).toEqual({
      people: 'manager',
      searchText: 'Group 5.',
      page: '0',
      rowsPerPage: '50',
    }),
  )
  await waitFor(() => expect(screen.queryByRole('row', { name: /Group 6\./ })).toBeNull())
})

test('GRP-04 GRP-05 GRP-06 GRP-07 GRP-08 each empty field says so, and nothing is sent', async () => {
  const { user, api } = open()
  const dialog = await openDialog(user, 'Add group')
  await dialog.findByRole('radio', { name: /Gallery A/ })
  const save = dialog.getByRole('button', { name: 'Add group' })
  expect(save.getAttribute('aria-disabled')).toBe('true')
  await user.click(dialog.getByLabelText('Title'))
  for (let stop = 0; stop < 4; stop += 1) await user.tab()
  dialog.getByText('Title is required')
  dialog.getByText('Description is required')
  dialog.getByText('Select a manager')
  await user.click(save)
  await user.type(dialog.getByLabelText('Title'), 'Events East{Enter}')
  expect(dialog.queryByText('Title is required')).toBeNull()
  expect(save.getAttribute('aria-disabled')).toBe('true')
  expect(api.askedOf(addGroup)).toEqual([])
})

test('GRP-09 the dialog asks for managers alone', async () => {
  const { user, api } = open()
  const dialog = await openDialog(user, 'Add group')
  await dialog.findByRole('radio', { name: /Gallery A/ })
  dialog.getByRole('group', { name: 'Group admin' })
  const { query } = api.askedOf(listUsers)[0] ?? {}
  expect(Object.fromEntries(query ?? [])).toMatchObject({ mode: 'manager', rowsPerPage: '100' })
})

test('GRP-09 OUT-FORM-17 of thousands any manager is found by typing, and asked for once', async () => {
  const managers = Array.from({ length: 3000 }, (_, at) => managerOf(`m${at}`, `Manager ${at}.`))
  const { user, api } = open({ managers })
  const dialog = await openDialog(user, 'Add group')
  await dialog.findByRole('radio', { name: /Manager 0\./ })
  const box = dialog.getByRole('searchbox', { name: 'Narrow Group admin' })
  // In one task: on a busy machine keys that are sent one by one may lie further apart than the pause.
  for (const value of ['2', '29', '299', '2999']) fireEvent.change(box, { target: { value } })
  expect(await dialog.findByRole('radio', { name: /Manager 2999\./ })).toBeDefined()
  expect(dialog.getAllByRole('radio')).toHaveLength(1)
  const asked = api.askedOf(listUsers).map(({ query }) => query.get('searchText'))
  expect(asked, 'once for the word, not once for each letter').toEqual(['', '2999'])
})

test('GRP-10 GRP-03 ERR-31 DLG-08 create sends the three fields, once, and says so', async () => {
  const answer = Promise.withResolvers<undefined>()
  const { user, api } = open({
    prepare: (fake) =>
      fake.on(addGroup).answer(async () => {
        await answer.promise
        return { status: true, data: ledGroup('east', 'Events East') }
      }),
  })
  const dialog = await openDialog(user, 'Add group')
  await fill(user, dialog)
  const save = dialog.getByRole('button', { name: 'Add group' })
  const before = pagesAsked(api).length
  await user.click(save)
  await user.click(save)
  answer.resolve(undefined)
  await screen.findByText('Group added successfully')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.askedOf(addGroup).map(({ body }) => body)).toEqual([
    { title: ' Events East ', description: 'All events', manager: 'gallery-b' },
  ])
  await waitFor(() => expect(pagesAsked(api).length).toBeGreaterThan(before))
})

test('GRP-10 ERR-32 DLG-08 a failed create without a message shows the fixed text, and what was typed stays', async () => {
  const { user } = open({ prepare: (api) => api.on(addGroup).answer(() => refuseOddly(500, {})) })
  const dialog = await openDialog(user, 'Add group')
  await fill(user, dialog)
  await user.click(dialog.getByRole('button', { name: 'Add group' }))
  await dialog.findByText('Failed to create group')
  await findNotice('Failed to create group')
  expect(dialog.getByLabelText<HTMLInputElement>('Title').value).toBe(' Events East ')
})

test('GRP-11 ERR-31 edit begins with what is there and sends its version', async () => {
  const { user, api } = open({
    prepare: (fake) => fake.on(updateGroup).answer(() => ({ status: true, data: NORTH })),
  })
  const dialog = await openDialog(user, 'Edit Sports North')
  expect(
    (await dialog.findByRole<HTMLInputElement>('radio', { checked: true })).labels?.[0]
      ?.textContent,
  ).toContain('Gallery A')
  await user.clear(dialog.getByLabelText('Title'))
  await user.type(dialog.getByLabelText('Title'), 'Sports Far North')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await screen.findByText('Group updated successfully')
  expect(api.askedOf(updateGroup).map(({ path, body }) => ({ path, body }))).toEqual([
    {
      path: '/api/group/north',
      body: {
        title: 'Sports Far North',
        description: 'All of Sports North',
        manager: 'gallery-a',
        version: 3,
      },
    },
  ])
})

test('GRP-11 ERR-32 a failed edit without a message', async () => {
  const { user } = open({
    prepare: (api) => api.on(updateGroup).answer(() => refuseOddly(500, { error: { no: 1 } })),
  })
  const dialog = await openDialog(user, 'Edit Sports North')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('Failed to update group')).toBeDefined()
})

function conflicted(api: FakeApi) {
  const error = 'Somebody else has saved this group since you opened it.'
  const current = { ...NORTH, title: 'Theirs', version: 4 }
  const body = { status: false, error, msg: error, code: 'conflict', current, changed: ['manager'] }
  api
    .on(updateGroup)
    .answer(({ body: sent }) =>
      (sent as { version: number }).version === 3
        ? refuseOddly(409, body)
        : { status: true, data: NORTH },
    )
}

test('two operators: Take theirs shows what they saved, Save mine saves over it', async () => {
  const { user, api } = open({ prepare: conflicted })
  const dialog = await openDialog(user, 'Edit Sports North')
  await user.type(dialog.getByLabelText('Title'), ' of mine')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await dialog.findByText(
    /Somebody else has saved this group.* Differs: Group admin, Title \(now 'Theirs'\)\./,
  )
  await user.click(dialog.getByRole('button', { name: 'Save mine' }))
  await screen.findByText('Group updated successfully')
  expect(api.askedOf(updateGroup).at(-1)?.body).toMatchObject({
    title: 'Sports North of mine',
    version: 4,
  })
})

test('Take theirs', async () => {
  const { user } = open({ prepare: conflicted })
  const dialog = await openDialog(user, 'Edit Sports North')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await user.click(await dialog.findByRole('button', { name: 'Take theirs' }))
  expect(dialog.getByLabelText<HTMLInputElement>('Title').value).toBe('Theirs')
})

test('GRP-12 ERR-31 delete asks, then deletes', async () => {
  const { user, api } = open({
    prepare: (fake) => fake.on(removeGroup).answer(() => ({ status: true, id: 'north' })),
  })
  await user.click(await screen.findByRole('button', { name: 'Delete Sports North' }))
  let question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  within(question).getByText('Are you sure you want to delete this Group?')
  await user.click(within(question).getByRole('button', { name: 'Keep group' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.askedOf(removeGroup), 'DLG-15').toEqual([])

  await user.click(screen.getByRole('button', { name: 'Delete Sports North' }))
  question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  await user.click(within(question).getByRole('button', { name: 'Delete group' }))
  await screen.findByText('Group deleted successfully')
  expect(api.askedOf(removeGroup).map(({ path }) => path)).toEqual(['/api/group/north'])
})

test('GRP-12 Q110 a refused delete says what is still in it', async () => {
  const sentence = 'Sports North still has 2 encoders. Move or delete them first.'
  const { user } = open({
    prepare: (api) => api.on(removeGroup).answer(() => refuse(409, sentence)),
  })
  await user.click(await screen.findByRole('button', { name: 'Delete Sports North' }))
  await user.click(await screen.findByRole('button', { name: 'Delete group' }))
  expect(await screen.findByText(sentence)).toBeDefined()
})

test('GRP-12 ERR-02 ERR-32 a delete that fails without a message shows the fixed text', async () => {
  const { user } = open({ prepare: (api) => api.on(removeGroup).answer(() => refuse(500, '')) })
  await user.click(await screen.findByRole('button', { name: 'Delete Sports North' }))
  await user.click(await screen.findByRole('button', { name: 'Delete group' }))
  expect(await screen.findByText('Failed to delete group')).toBeDefined()
})

test.each<Role>(['manager', 'editor', 'monitor'])(
  'GRP-13 %s gets neither page nor calls',
  async (role) => {
    const { api, pathname } = open({ role })
    await waitFor(() => expect(pathname()).toBe('/'))
    expect(pagesAsked(api)).toEqual([])
  },
)

test('an empty list says what a group is, and n adds the first', async () => {
  const { user } = open({ groups: [] })
  await screen.findByText('No groups yet')
  await user.keyboard('n')
  expect(await screen.findByRole('dialog', { name: 'Manage group' })).toBeDefined()
})

test('by keyboard: j walks the rows, Enter opens one', async () => {
  const { user } = open({ groups: [NORTH, ledGroup('south', 'Sports South')] })
  await rowOf('Sports South')
  await user.keyboard('jj{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Manage group' })
  expect(within(dialog).getByLabelText<HTMLInputElement>('Title').value).toBe('Sports South')
})
