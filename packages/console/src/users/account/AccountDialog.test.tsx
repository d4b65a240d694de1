import { act, screen, waitFor, within } from '@testing-library/react'
import { jwtLogin, signOutEverywhere } from '@trunkline/contract/session/session.calls'
import type { Role } from '@trunkline/contract/roles'
import { findUser, updateUser } from '@trunkline/contract/users/user.calls'
import type { User } from '@trunkline/contract/users/user.schema'
import { afterEach, expect, test } from 'vitest'
import { readSession } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { userOf } from '../../test/samples.ts'
import { personOf } from '../../test/user.samples.ts'
import { dialog, openUsers } from '../users.fixture.ts'

afterEach(resetConsole)

const REVOKED = 'Your password has changed. Sign in again.'

/** The record of who is signed in. */
function ownOf(role: Role): User {
  const { _id, firstName, lastName, fullName, email } = userOf(role)
  return personOf(role, { _id, firstName, lastName, fullName, email })
}

async function openAccount(role: Role, prepare?: (api: FakeApi, own: User) => void) {
  const own = ownOf(role)
  const scene = await openUsers({
    role,
    prepare: (api) => {
      api.on(findUser).answer(() => ({ status: true, data: own, user: own }))
      api.on(updateUser).answer(({ body }) => {
        const { firstName } = body as { firstName: string }
        const data = { ...own, firstName, fullName: `${firstName} Desk`, version: 5 }
        return { status: true, data }
      })
      prepare?.(api, own)
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  const { user } = scene
  await user.click(screen.getByRole('button', { name: 'Account of Night Desk' }))
  const shown = await dialog('Your account')
  await within(shown).findByLabelText('First name')
  const field = (label: string) =>
    within(shown).getByLabelText<HTMLInputElement>(label, { exact: true })
  const save = async () => user.click(within(shown).getByRole('button', { name: 'Save' }))
  const retype = async (label: string, text: string) => {
    await user.clear(field(label))
    await user.type(field(label), text)
  }
  const changePassword = async () => {
    await user.type(field('New password'), 'a long night out')
    await user.type(field('Confirm password'), 'a long night out')
    await user.type(field('Current password'), 'the present one')
    await save()
  }
  return { ...scene, shown, field, save, retype, changePassword }
}

function bodiesOf(api: FakeApi) {
  return api.askedOf(updateUser).map((item) => item.body)
}

test('NAV-20 matrix W the name in the header opens the own account; role and groups are to read', async () => {
  const { shown, field } = await openAccount('manager')
  expect(field('Email').value).toBe('manager@trunkline.example')
  within(shown).getByText('manager')
  within(shown).getByText('Sports North')
  expect(within(shown).queryByRole('combobox')).toBeNull()
})

test('API-07 asking before interruptions is set in the own account and used at once', async () => {
  const { user, shown, save, api } = await openAccount('monitor', (fake, own) => {
    fake.on(updateUser).answer(() => {
      return { status: true, data: { ...own, asksBeforeInterrupting: true, version: 5 } }
    })
  })
  const setting = within(shown).getByRole('switch', {
    name: 'Ask before actions that interrupt a stream',
  })
  expect(setting.getAttribute('aria-checked')).toBe('false')
  await user.click(setting)
  await save()
  await screen.findByText('Success update user information')
  expect(bodiesOf(api)).toMatchObject([{ asksBeforeInterrupting: true }])
  expect(storage.user.read()?.asksBeforeInterrupting).toBe(true)
})

test('USER-19 the own row opens the same, without a role', async () => {
  const { user, shown } = await openAccount('manager')
  await user.click(within(shown).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Edit Night Desk' }))
  const again = await dialog('Your account')
  await within(again).findByLabelText('First name')
  expect(within(again).queryByLabelText('Role', { exact: true })).toBeNull()
})

test('USER-16 USER-36 an own edit sends no role and no password, and the header follows', async () => {
  const { retype, save, api } = await openAccount('editor')
  await retype('First name', 'Dawn')
  await save()
  await screen.findByText('Success update user information')
  const { _id, lastName, email } = ownOf('editor')
  expect(bodiesOf(api)).toEqual([
    { _id, firstName: 'Dawn', lastName, email, asksBeforeInterrupting: false, version: 4 },
  ])
  await screen.findByRole('button', { name: 'Account of Dawn Desk' })
  expect(storage.user.read()?.fullName).toBe('Dawn Desk')
  expect(storage.token.read()).toBe('token-editor')
})

test('USER-17 an own new password goes with the present one, and this session goes on', async () => {
  const { changePassword, api, pathname } = await openAccount('manager')
  await changePassword()
  await screen.findByText('Success update user information')
  screen.getByText('Every other browser that was signed in as you is signed out.')
  expect(bodiesOf(api)).toMatchObject([
    {
      newPassword: 'a long night out',
      newConfirmPassword: 'a long night out',
      currentPassword: 'the present one',
    },
  ])
  expect(storage.token.read()).toBe('token-manager')
  expect(pathname()).toBe('/dashboard/userManager')
  expect(api.stream.isConnected()).toBe(true)
})

test('an own new e-mail asks for the current password, other changes do not', async () => {
  const { shown, retype, save, api, field, user } = await openAccount('manager')
  expect(within(shown).queryByLabelText('Current password')).toBeNull()
  await retype('Email', 'Manager@Trunkline.Example')
  expect(within(shown).queryByLabelText('Current password')).toBeNull()
  await retype('Email', 'elsewhere@trunkline.example')
  await save()
  await within(shown).findByText('This field is required')
  expect(bodiesOf(api)).toEqual([])
  await user.type(field('Current password'), 'the present one')
  await save()
  await screen.findByText('Every other browser that was signed in as you is signed out.')
  expect(bodiesOf(api)).toMatchObject([
    { email: 'elsewhere@trunkline.example', currentPassword: 'the present one' },
  ])
})

test('a wrong current password is said at its field', async () => {
  const sentence = 'This is not your current password. Nothing was changed.'
  const { changePassword, field } = await openAccount('manager', (fake) =>
    fake.on(updateUser).answer(() =>
      refuseOddly(422, {
        status: false,
        error: sentence,
        msg: sentence,
        code: 'refused',
        field: 'currentPassword',
      }),
    ),
  )
  await changePassword()
  await waitFor(() => expect(field('Current password').getAttribute('aria-invalid')).toBe('true'))
  expect(storage.token.read()).toBe('token-manager')
})

test('a new password that is refused ends nothing', async () => {
  const { changePassword, shown } = await openAccount('manager', (fake) =>
    fake.on(updateUser).answer(() => refuse(400, 'newPassword must be longer.')),
  )
  await changePassword()
  await within(shown).findByText('newPassword must be longer.')
  expect(storage.token.read()).toBe('token-manager')
})

test('a user who logs out during the change stays logged out', async () => {
  const answer = Promise.withResolvers<void>()
  const { changePassword, user, api } = await openAccount('manager', (fake, own) => {
    fake.on(updateUser).answer(async () => {
      await answer.promise
      return { status: true, data: own }
    })
  })
  await changePassword()
  await waitFor(() => expect(api.askedOf(updateUser)).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Log out', hidden: true }))
  await act(async () => {
    answer.resolve()
    await new Promise((resolve) => setTimeout(resolve, 0))
  })
  await screen.findByRole('heading', { name: /Sign in/ })
  expect(readSession()).toBeNull()
  expect(storage.token.read()).toBeNull()
})

test('an account that was changed elsewhere: Take theirs', async () => {
  const sentence = 'Somebody else has saved this user since you opened it.'
  const { retype, save, shown, field, user } = await openAccount('manager', (fake, own) =>
    fake.on(updateUser).answer(() =>
      refuseOddly(409, {
        status: false,
        error: sentence,
        msg: sentence,
        current: { ...own, firstName: 'Early', version: 7 },
        changed: ['firstName'],
      }),
    ),
  )
  await retype('First name', 'Dawn')
  await save()
  await user.click(await within(shown).findByRole('button', { name: 'Take theirs' }))
  expect(field('First name').value).toBe('Early')
})

async function openQuestion(prepare?: (api: FakeApi) => void) {
  const scene = await openAccount('manager', (api) => {
    api.on(signOutEverywhere).answer(() => {
      api.stream.push({ event: 'gone', data: { error: REVOKED } })
      return { status: true }
    })
    prepare?.(api)
  })
  await scene.retype('First name', 'Typed')
  await scene.user.click(within(scene.shown).getByRole('button', { name: 'Sign out everywhere' }))
  return { ...scene, question: await dialog('Are you sure\\?') }
}

test('Sign out everywhere asks, and leads to the sign-in without a complaint', async () => {
  const { question, user, api, pathname } = await openQuestion()
  within(question).getByText(/Every browser that is signed in to your account is signed out/)
  expect(api.askedOf(signOutEverywhere)).toHaveLength(0)
  await user.click(within(question).getByRole('button', { name: 'Sign out everywhere' }))
  await screen.findByRole('heading', { name: /Sign in/ })
  expect(pathname()).toBe('/login')
  expect(api.askedOf(signOutEverywhere)).toHaveLength(1)
  expect(storage.token.read()).toBeNull()
  expect(screen.queryByText(REVOKED)).toBeNull()
})

test('Stay signed in sends nothing, and the account is back with what was typed', async () => {
  const { question, user, api } = await openQuestion()
  await user.click(within(question).getByRole('button', { name: 'Stay signed in' }))
  const back = await dialog('Your account')
  expect(within(back).getByLabelText('First name')).toHaveProperty('value', 'Typed')
  expect(api.askedOf(signOutEverywhere)).toHaveLength(0)
  expect(readSession()).not.toBeNull()
})

test('Sign out everywhere that fails says so, and the operator stays', async () => {
  const { question, user } = await openQuestion((api) =>
    api.on(signOutEverywhere).answer(() => refuseOddly(500, {})),
  )
  await user.click(within(question).getByRole('button', { name: 'Sign out everywhere' }))
  await screen.findByText('You were not signed out everywhere. Try again.')
  expect(readSession()).not.toBeNull()
})

test('an account that cannot be read says so, and is asked for again', async () => {
  let isUp = false
  const own = ownOf('manager')
  const { user } = await openUsers({
    role: 'manager',
    prepare: (api) => {
      api.on(jwtLogin).answer(() => ({ status: true, user: userOf('manager'), token: 't' }))
      api
        .on(findUser)
        .answer(() =>
          isUp ? { status: true, data: own, user: own } : refuse(500, 'The database is locked.'),
        )
    },
  })
  await user.click(screen.getByRole('button', { name: 'Account of Night Desk' }))
  const shown = await dialog('Your account')
  await within(shown).findByText('Your account could not be read.')
  isUp = true
  await user.click(within(shown).getByRole('button', { name: 'Retry' }))
  expect(await screen.findByLabelText('First name')).toBeDefined()
})

test('Q7 on a narrow screen the account is under More', async () => {
  const { user, shown } = await openAccount('manager')
  await user.click(within(shown).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'More' }))
  const more = await dialog('More')
  await user.click(within(more).getByRole('button', { name: 'Account of Night Desk' }))
  expect(await within(await dialog('Your account')).findByLabelText('First name')).toBeDefined()
})
