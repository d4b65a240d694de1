import { screen, waitFor, within } from '@testing-library/react'
import { jwtLogin, login, signOut } from '@trunkline/contract/session/session.calls'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { findUser, updateUser } from '@trunkline/contract/users/user.calls'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { refuse, type FakeApi } from '../../test/fake-api.ts'
import { findNotice, renderConsole, resetConsole } from '../../test/render-console.tsx'
import { userOf } from '../../test/samples.ts'
import { personOf } from '../../test/user.samples.ts'
import { dialog, openUsers } from '../users.fixture.ts'

const reload = vi.spyOn(location, 'reload')

beforeEach(() => {
  // The real one leaves the document behind, and its cookies.
  reload.mockReset().mockReturnValue()
})

afterEach(() => {
  vi.unstubAllGlobals()
  resetConsole()
  storage.times.clear()
  document.cookie = 'language=; Max-Age=0; Path=/'
})

async function openChoice(prepare?: (api: FakeApi) => void) {
  const { _id, firstName, lastName, fullName, email } = userOf('monitor')
  const own = personOf('monitor', { _id, firstName, lastName, fullName, email })
  const scene = await openUsers({
    role: 'monitor',
    prepare: (api) => {
      api.on(findUser).answer(() => ({ status: true, data: own, user: own }))
      api.on(updateUser).answer(({ body }) => {
        return { status: true, data: { ...own, ...(body as object), version: 5 } }
      })
      prepare?.(api)
    },
  })
  await scene.user.click(screen.getByRole('button', { name: 'Account of Night Desk' }))
  const shown = within(await dialog('Your account'))
  await shown.findByLabelText('First name')
  return { ...scene, shown, own }
}

test('design 9 language and times are kept with the account and the browser, and the page is loaded again', async () => {
  const { user, shown, api, own } = await openChoice()
  const pressed = (name: string) => shown.getByRole('button', { name }).getAttribute('aria-pressed')
  expect(['English', 'Français', 'UTC', 'Local'].map(pressed)).toEqual([
    'true',
    'false',
    'true',
    'false',
  ])
  await user.click(shown.getByRole('button', { name: 'Français' }))
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(document.cookie).toContain('language=fr')
  expect(storage.user.read()).toMatchObject({ language: 'fr', times: null })
  await user.click(shown.getByRole('button', { name: 'Local' }))
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(2))
  expect(storage.times.read()).toBe('local')
  expect(api.askedOf(updateUser).map(({ body }) => body)).toMatchObject([
    { _id: own._id, language: 'fr', version: 4 },
    { _id: own._id, times: 'local' },
  ])
})

test('a choice that is not saved changes nothing, and the reason is shown', async () => {
  const { user, shown } = await openChoice((api) =>
    api.on(updateUser).answer(() => refuse(500, 'The disk is full.')),
  )
  await user.click(shown.getByRole('button', { name: 'Français' }))
  await findNotice('The disk is full.')
  expect(document.cookie).not.toContain('language')
  expect(storage.user.read()?.language).toBeNull()
  expect(reload).not.toHaveBeenCalled()
})

/** Signs somebody in whose account has this. */
async function signInAs(parts: Partial<SessionUser>) {
  const person = userOf('monitor', parts)
  const answer = { status: true, user: person, token: person.token } as const
  const scene = renderConsole({
    path: '/login',
    role: null,
    prepare: (api) => {
      api.on(login).answer(() => answer)
      api.on(jwtLogin).answer(() => answer)
      api.on(signOut).answer(() => ({ status: true, signOutUrl: null }))
    },
  })
  await scene.user.type(await screen.findByLabelText('Email'), person.email)
  await scene.user.type(screen.getByLabelText('Password'), 'a long night out{Enter}')
  await screen.findByRole('button', { name: 'Account of Night Desk' })
  return scene
}

test.each([
  ['a language that is not that of the page', { language: 'fr' }, 1],
  ['times that are not those of the page', { times: 'local' }, 1],
  ['what the page is shown in', { language: 'en', times: 'utc' }, 0],
  ['no choice', {}, 0],
] as const)(
  'design 9 who signs in with %s: the page is loaded so many times',
  async (_, own, times) => {
    await signInAs(own)
    await waitFor(() => expect(storage.user.read()).toMatchObject(own))
    expect(reload).toHaveBeenCalledTimes(times)
  },
)

test('the page is not loaded again where the browser keeps nothing: the session would end', async () => {
  const forbid = () => {
    throw new Error('forbidden')
  }
  vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid, removeItem: forbid })
  await signInAs({ language: 'fr' })
  expect(storage.user.read()?.language).toBe('fr')
  expect(reload).not.toHaveBeenCalled()
})

test('design 9 after sign-out the sign-in page is in the language of the browser', async () => {
  const { user } = await signInAs({ language: 'en' })
  document.cookie = 'language=fr; Path=/'
  await user.click(screen.getByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(storage.token.read()).toBeNull()
})
