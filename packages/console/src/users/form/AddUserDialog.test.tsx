import { screen, waitFor, within } from '@testing-library/react'
import { addGroupUser } from '@trunkline/contract/groups/group.calls'
import type { Role } from '@trunkline/contract/roles'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { addUser, listRoles } from '@trunkline/contract/users/user.calls'
import type { User } from '@trunkline/contract/users/user.schema'
import { afterEach, expect, test } from 'vitest'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { groupOf } from '../../test/samples.ts'
import { NORTH, personOf, SOUTH } from '../../test/user.samples.ts'
import { dialog, openUsers, optionsOf } from '../users.fixture.ts'

afterEach(resetConsole)

interface Parts {
  signedIn?: Partial<SessionUser>
  /** Groups that the answer to addUser shows the new user in. */
  joined?: User['groups']
  prepare?: (api: FakeApi) => void
}

async function openAdd(role: Role, { signedIn = {}, joined = [], prepare }: Parts = {}) {
  const scene = await openUsers({
    role,
    signedIn,
    prepare: (api) => {
      const data = personOf('editor', { _id: 'new', fullName: 'Late Shift', groups: joined })
      api.on(addUser).answer(() => ({ status: true, id: 'new', _id: 'new', data }))
      api.on(addGroupUser).answer(() => ({ status: true, data: groupOf('north', 'North') }))
      prepare?.(api)
    },
  })
  const { user } = scene
  await user.click(screen.getByRole('button', { name: 'Add user' }))
  const shown = await dialog('Add user')
  const field = (label: string) => within(shown).getByLabelText(label, { exact: true })
  const save = async () => user.click(within(shown).getByRole('button', { name: 'Add user' }))
  const fill = async () => {
    await user.type(field('First name'), 'Late')
    await user.type(field('Last name'), 'Shift')
    await user.type(field('Email'), 'late.shift@trunkline.example')
    await user.type(field('Password'), 'a long night out')
  }
  const choose = async (label: string, option: string) => {
    await within(shown).findByRole('option', { name: option })
    await user.selectOptions(field(label), option)
  }
  return { ...scene, shown, field, save, fill, choose }
}

function bodiesOf(api: FakeApi) {
  return api.askedOf(addUser).map((item) => item.body)
}

const PERSON = {
  firstName: 'Late',
  lastName: 'Shift',
  email: 'late.shift@trunkline.example',
  password: 'a long night out',
}

test('USER-12 USER-13 USER-14 DLG-02 missing fields are marked, the first has the focus, nothing is sent', async () => {
  const { shown, save, api, field } = await openAdd('admin')
  await save()
  // First name, last name, password, role; the e-mail has a sentence of its own.
  expect(within(shown).getAllByText('This field is required')).toHaveLength(4)
  within(shown).getByText('Please enter a valid email')
  await waitFor(() => expect(document.activeElement).toBe(field('First name')))
  expect(bodiesOf(api)).toEqual([])
})

test('USER-14 a wrong e-mail is shown when the field is left', async () => {
  const { shown, user, field } = await openAdd('admin')
  await user.type(field('Email'), 'late.shift@')
  expect(within(shown).queryByText('Please enter a valid email')).toBeNull()
  await user.tab()
  expect(within(shown).getByText('Please enter a valid email')).toBeDefined()
})

test('USER-23 Q22 Q186 the roles that the API offers are offered', async () => {
  const { shown } = await openAdd('admin')
  await within(shown).findByRole('option', { name: 'admin' })
  expect(optionsOf(shown, 'Role')).toEqual(['Choose a role', 'admin', 'manager'])
})

test('USER-24 Q25 a manager’s new user has the first role of the list', async () => {
  const { field, shown } = await openAdd('manager')
  await within(shown).findByRole('option', { name: 'editor' })
  expect((field('Role') as HTMLSelectElement).value).toBe('editor')
})

test('USER-18 USER-28 ERR-11 what is sent, and the notice', async () => {
  const { save, fill, choose, api } = await openAdd('superadmin')
  await fill()
  await choose('Role', 'admin')
  await save()
  const notice = await screen.findByText('Success add user')
  expect(notice.textContent).toBe('Success add user ')
  expect(notice.parentElement?.textContent).toBe('Success add user Late Shift')
  expect(bodiesOf(api)).toEqual([{ ...PERSON, mode: 'admin' }])
  expect(api.askedOf(addGroupUser)).toHaveLength(0)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('USER-25 USER-26 USER-27 Q46 the group of a manager: every group, and gone with another role', async () => {
  const { shown, save, fill, choose, api, field } = await openAdd('admin', { joined: [SOUTH] })
  expect(within(shown).queryByLabelText('Group', { exact: true })).toBeNull()
  await fill()
  await choose('Role', 'manager')
  await choose('Group', 'Sports South')
  expect(optionsOf(shown, 'Group')).toEqual(['No group', 'Sports North', 'Sports South'])
  await choose('Role', 'admin')
  expect(within(shown).queryByLabelText('Group', { exact: true })).toBeNull()
  within(shown).getByText('The role has changed, so the group was cleared.')
  await choose('Role', 'manager')
  expect((field('Group') as HTMLSelectElement).value).toBe('')
  await choose('Group', 'Sports South')
  await save()
  await screen.findByText('Success add user')
  expect(bodiesOf(api)).toEqual([{ ...PERSON, mode: 'manager', groupId: 'south' }])
})

test('Q35 Q107 a manager’s user joins the manager’s only group, without a choice', async () => {
  const { shown, save, fill, api } = await openAdd('manager', { joined: [NORTH] })
  await within(shown).findByRole('option', { name: 'editor' })
  expect(within(shown).queryByLabelText('Group', { exact: true })).toBeNull()
  await fill()
  await save()
  await screen.findByText('Success add user')
  expect(bodiesOf(api)).toEqual([{ ...PERSON, mode: 'editor', groupId: 'north' }])
  // The answer shows that the user is in it.
  expect(api.askedOf(addGroupUser)).toHaveLength(0)
})

test('Q35 a manager of several groups chooses one of their own, beginning with the first', async () => {
  const { shown, save, fill, choose, api, field } = await openAdd('manager', {
    signedIn: { groups: [NORTH, SOUTH] },
    joined: [SOUTH],
  })
  expect(optionsOf(shown, 'Group')).toEqual(['Sports North', 'Sports South'])
  expect((field('Group') as HTMLSelectElement).value).toBe('north')
  await fill()
  await choose('Role', 'monitor')
  await choose('Group', 'Sports South')
  await save()
  await screen.findByText('Success add user')
  expect(bodiesOf(api)).toEqual([{ ...PERSON, mode: 'monitor', groupId: 'south' }])
})

test('Q107 USER-11 who was added without the group joins it by a call of its own; a failure of that is shown too', async () => {
  const { shown, save, fill, api } = await openAdd('manager', {
    prepare: (fake) => fake.on(addGroupUser).answer(() => refuseOddly(500, {})),
  })
  await within(shown).findByRole('option', { name: 'editor' })
  await fill()
  await save()
  await screen.findByText('Success add user')
  await screen.findByText('Failed to add user to group')
  expect(api.askedOf(addGroupUser).map(({ path, body }) => [path, body])).toEqual([
    ['/api/group/add_user/north', { userId: 'new' }],
  ])
})

test('Q36 a manager without a group cannot add users, and sees why', async () => {
  const { shown, save, fill, api } = await openAdd('manager', { signedIn: { groups: [] } })
  within(shown).getByText(/^No group is assigned to you/)
  await fill()
  const button = within(shown).getByRole('button', { name: 'Add user' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await save()
  expect(bodiesOf(api)).toEqual([])
})

test('USER-31 USER-33 ERR-01 the server’s sentence is a notice and stands at its field, and what was typed stays', async () => {
  const sentence = 'This e-mail address is in use by another user. Use another address.'
  const { shown, save, fill, choose, field } = await openAdd('admin', {
    prepare: (api) =>
      api.on(addUser).answer(() =>
        refuseOddly(409, {
          status: false,
          error: sentence,
          msg: sentence,
          code: 'conflict',
          field: 'email',
        }),
      ),
  })
  await fill()
  await choose('Role', 'admin')
  await save()
  await within(shown).findByText(sentence)
  await findNotice(sentence)
  expect(field('Email').getAttribute('aria-invalid')).toBe('true')
  expect((field('First name') as HTMLInputElement).value).toBe('Late')
})

test('USER-31 a refusal without a sentence has one of ours', async () => {
  const { shown, save, fill, choose } = await openAdd('admin', {
    prepare: (api) => api.on(addUser).answer(() => refuseOddly(500, {})),
  })
  await fill()
  await choose('Role', 'admin')
  await save()
  expect(await within(shown).findByText('The user was not added. Try again.')).toBeDefined()
  await findNotice('The user was not added. Try again.')
})

test('Q112 the strength of a password is shown while it is typed', async () => {
  const { shown, user, field } = await openAdd('admin')
  await user.type(field('Password'), 'short')
  within(shown).getByText('Too short: at least 12 characters.')
  await user.clear(field('Password'))
  await user.type(field('Password'), 'seven quiet lighthouses')
  within(shown).getByText('Strong.')
  expect(field('Password').getAttribute('type')).toBe('password')
  await user.click(within(shown).getByRole('button', { name: 'Show password' }))
  expect(field('Password').getAttribute('type')).toBe('text')
})

test('roles that cannot be read show an error at their field', async () => {
  const { shown } = await openAdd('admin', {
    prepare: (api) => api.on(listRoles).answer(() => refuse(500, 'no')),
  })
  expect(await within(shown).findByText(/^The list of roles could not be read/)).toBeDefined()
})
