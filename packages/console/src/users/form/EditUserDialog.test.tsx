import { screen, waitFor, within } from '@testing-library/react'
import { moveGroupUser } from '@trunkline/contract/groups/group.calls'
import type { Role } from '@trunkline/contract/roles'
import { updateUser } from '@trunkline/contract/users/user.calls'
import type { User } from '@trunkline/contract/users/user.schema'
import { afterEach, expect, test } from 'vitest'
import { refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { groupOf } from '../../test/samples.ts'
import { NORTH, personOf, SOUTH } from '../../test/user.samples.ts'
import { dialog, openUsers, optionsOf } from '../users.fixture.ts'

afterEach(resetConsole)

async function openEdit(viewer: Role, person: User, prepare?: (api: FakeApi) => void) {
  const scene = await openUsers({
    role: viewer,
    others: [person],
    prepare: (api) => {
      api.on(updateUser).answer(() => ({ status: true, data: person }))
      prepare?.(api)
    },
  })
  const { user } = scene
  await user.click(screen.getByRole('button', { name: `Edit ${person.fullName}` }))
  const shown = await dialog('Edit user')
  const field = (label: string) =>
    within(shown).getByLabelText<HTMLInputElement>(label, { exact: true })
  const save = async () => user.click(within(shown).getByRole('button', { name: 'Save' }))
  const choose = async (label: string, option: string) => {
    await within(shown).findByRole('option', { name: option })
    await user.selectOptions(field(label), option)
  }
  return { ...scene, shown, field, save, choose }
}

function bodiesOf(api: FakeApi) {
  return api.askedOf(updateUser).map((item) => item.body)
}

const EDITOR = personOf('editor')
const NAMES = {
  _id: 'other-editor',
  firstName: 'Gallery',
  lastName: 'editor',
  email: 'gallery.editor@trunkline.example',
  version: 4,
}

test('USER-16 USER-17 USER-29 an edit sends what it must with its version, and no password', async () => {
  const { save, field, user, api } = await openEdit('manager', EDITOR)
  await user.clear(field('First name'))
  await user.type(field('First name'), 'Master')
  await save()
  await screen.findByText('Success update user information')
  expect(bodiesOf(api)).toEqual([{ ...NAMES, firstName: 'Master', mode: 'editor' }])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('USER-15 ERR-24 a new password must be confirmed', async () => {
  const { shown, save, field, user, api } = await openEdit('manager', EDITOR)
  await user.type(field('New password'), 'a long night out')
  within(shown).getByText('A new password signs Gallery editor out everywhere.')
  await user.type(field('Confirm password'), 'a long knight')
  await save()
  await within(shown).findByText('New password and confirm password not match!')
  expect(bodiesOf(api)).toEqual([])
  await user.clear(field('Confirm password'))
  await user.type(field('Confirm password'), 'a long night out')
  await save()
  await screen.findByText('Success update user information')
  const change = { newPassword: 'a long night out', newConfirmPassword: 'a long night out' }
  expect(bodiesOf(api)).toEqual([{ ...NAMES, mode: 'editor', ...change }])
})

test.each(['New password', 'Confirm password'])(
  'USER-15 %s alone is no new password',
  async (label) => {
    const { shown, save, field, user, api } = await openEdit('admin', EDITOR)
    await user.type(field(label), 'a long night out')
    await save()
    await within(shown).findByText('New password and confirm password not match!')
    expect(bodiesOf(api)).toEqual([])
  },
)

test('USER-12 an emptied name is flagged', async () => {
  const { shown, save, field, user, api } = await openEdit('admin', EDITOR)
  await user.clear(field('Last name'))
  await save()
  await within(shown).findByText('This field is required')
  expect(bodiesOf(api)).toEqual([])
})

test('Q23 a role that is not on offer is shown as it is, and neither changed nor blanked', async () => {
  const { shown, save, api, field } = await openEdit('superadmin', EDITOR)
  await within(shown).findByRole('option', { name: 'manager' })
  expect(optionsOf(shown, 'Role')).toEqual([
    'editor (as it is now)',
    'superadmin',
    'admin',
    'manager',
  ])
  expect(field('Role').value).toBe('editor')
  await save()
  await screen.findByText('Success update user information')
  expect(bodiesOf(api)).toEqual([NAMES])
})

test('USER-19 USER-26 another role is sent, and its effect is shown', async () => {
  const { shown, save, choose, api } = await openEdit('manager', EDITOR)
  await choose('Role', 'monitor')
  within(shown).getByText('A new role signs Gallery editor out everywhere.')
  await save()
  await screen.findByText('Success update user information')
  expect(bodiesOf(api)).toEqual([{ ...NAMES, mode: 'monitor' }])
})

const MANAGER = personOf('manager')

test('USER-25 Q106 a manager’s group: left alone unless another is chosen', async () => {
  const { shown, save, choose, api } = await openEdit('admin', MANAGER, (fake) =>
    fake.on(updateUser).answer(() => ({ status: true, data: { ...MANAGER, groups: [SOUTH] } })),
  )
  await within(shown).findByRole('option', { name: 'Sports South' })
  expect(optionsOf(shown, 'Group')).toEqual([
    'Sports North (as it is now)',
    'Sports North',
    'Sports South',
  ])
  await choose('Group', 'Sports South')
  await save()
  await screen.findByText('Success update user information')
  expect(bodiesOf(api)).toMatchObject([{ mode: 'manager', groupId: 'south' }])
  expect(api.askedOf(moveGroupUser)).toHaveLength(0)
})

test('USER-11 Q106 a manager who was saved outside the chosen group is moved by a call of its own', async () => {
  const { save, choose, api } = await openEdit('admin', MANAGER, (fake) =>
    fake.on(moveGroupUser).answer(() => ({ status: true, data: groupOf('south', 'South') })),
  )
  await choose('Group', 'Sports South')
  await save()
  await waitFor(() => expect(api.askedOf(moveGroupUser)).toHaveLength(1))
  const [asked] = api.askedOf(moveGroupUser)
  expect([asked?.path, asked?.body]).toEqual([
    '/api/group/update_user_group/south',
    { userId: MANAGER._id },
  ])
})

test('an unchosen group is not sent', async () => {
  const { save, api } = await openEdit('admin', MANAGER)
  await save()
  await screen.findByText('Success update user information')
  expect(Object.keys(bodiesOf(api)[0] as object)).not.toContain('groupId')
})

function conflictWith(current: User) {
  const sentence = 'Somebody else has saved this user since you opened it.'
  return refuseOddly(409, {
    status: false,
    error: sentence,
    msg: sentence,
    code: 'conflict',
    current,
    changed: ['firstName'],
  })
}

/** As the API answers whoever saves an old version; newer ones are taken. */
function refuseOld(api: FakeApi, current: User): void {
  api.on(updateUser).answer(({ body }) => {
    const { version } = body as { version: number }
    return version < current.version ? conflictWith(current) : { status: true, data: current }
  })
}

const THEIRS = personOf('editor', { firstName: 'Studio', version: 9, groups: [NORTH] })

test('a user whom somebody else saved meanwhile: Take theirs', async () => {
  const { shown, save, field, user, api } = await openEdit('manager', EDITOR, (fake) =>
    refuseOld(fake, THEIRS),
  )
  await user.clear(field('First name'))
  await user.type(field('First name'), 'Master')
  await save()
  await within(shown).findByText(
    /Somebody else has saved this user.*Differs: First name \(now 'Studio'\)/,
  )
  await user.click(within(shown).getByRole('button', { name: 'Take theirs' }))
  expect(field('First name').value).toBe('Studio')
  await save()
  await screen.findByText('Success update user information')
  expect(bodiesOf(api)).toMatchObject([
    { firstName: 'Master', version: 4 },
    { firstName: 'Studio', version: 9 },
  ])
})

test('a user whom somebody else saved meanwhile: Save mine', async () => {
  const { shown, save, field, user, api } = await openEdit('manager', EDITOR, (fake) =>
    refuseOld(fake, THEIRS),
  )
  await user.clear(field('First name'))
  await user.type(field('First name'), 'Master')
  await save()
  await user.click(await within(shown).findByRole('button', { name: 'Save mine' }))
  await screen.findByText('Success update user information')
  expect(bodiesOf(api)).toMatchObject([
    { firstName: 'Master', version: 4 },
    { firstName: 'Master', version: 9 },
  ])
})
