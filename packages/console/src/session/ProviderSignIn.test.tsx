import { waitFor } from '@testing-library/react'
import { listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { beginOidc, endOidc, signInWays } from '@trunkline/contract/session/oidc.calls'
import { jwtLogin, signOut } from '@trunkline/contract/session/session.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../lib/storage.ts'
import { refuse, type FakeApi } from '../test/fake-api.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { userOf } from '../test/samples.ts'
import { forgetSignOutUrl } from './provider-sign-out.ts'
import { endOwnSession } from './session.actions.ts'

afterEach(() => {
  forgetSignOutUrl()
  sessionStorage.clear()
  vi.restoreAllMocks()
  resetConsole()
})

const admin = userOf('admin', { isFromProvider: true })
const URL_THERE = 'https://login.example/authorize?state=s'
const SIGN_OUT = 'https://login.example/end'
const SESSION = { status: true as const, user: admin, token: admin.token, signOutUrl: SIGN_OUT }

function open(path: string, prepare: (api: FakeApi) => void = () => {}) {
  return renderConsole({
    path,
    role: null,
    prepare: (api) => {
      api.on(signInWays).answer(() => ({ status: true, provider: { name: 'Example SSO' } }))
      api.on(jwtLogin).answer(() => SESSION)
      api.on(listAllEncoders).answer(() => ({ status: true, result: [], total: 0 }))
      prepare(api)
    },
  })
}

test('the button leads to the provider, and the tab keeps its secret and the page asked for', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  const { screen, user } = open('/dashboard/server', (api) =>
    api.on(beginOidc).answer(() => ({ status: true, url: URL_THERE, binding: 'secret' })),
  )
  await user.click(await screen.findByRole('button', { name: 'Sign in with Example SSO' }))
  await waitFor(() => expect(assign.mock.calls).toEqual([[URL_THERE]]))
  expect(storage.providerSignIn.read()).toEqual({ binding: 'secret', from: '/dashboard/server' })
  expect(localStorage.getItem('provider-sign-in')).toBeNull()
})

test('while the provider is away the API says so, and the form stays', async () => {
  const { screen, user } = open('/login', (api) =>
    api.on(beginOidc).answer(() => refuse(503, 'Example SSO does not answer.')),
  )
  await user.click(await screen.findByRole('button', { name: 'Sign in with Example SSO' }))
  await screen.findByText('Example SSO does not answer.')
  screen.getByLabelText('Password')
  expect(storage.providerSignIn.read()).toBeNull()
})

test.each([
  ['fragment', '/login#code=c&state=s', 'code=c&state=s'],
  ['query', '/login?code=b&state=s', 'code=b&state=s'],
])(
  'back with the answer in the %s it signs in once, and the address is clean',
  async (_, path, answer) => {
    storage.providerSignIn.write({ binding: 'secret', from: '' })
    const { api, screen, router } = open(path, (fake) => fake.on(endOidc).answer(() => SESSION))
    await screen.findByRole('heading', { name: 'Welcome to Trunkline' })
    expect(api.askedOf(endOidc).map(({ body }) => body)).toEqual([{ answer, binding: 'secret' }])
    expect(router.state.location.href).toBe('/')
    expect(storage.token.read()).toBe('token-admin')
    expect(sessionStorage.getItem('provider-sign-in')).toBeNull()
    expect(storage.providerSignOut.read()).toBe(SIGN_OUT)
  },
)

test('Q9 after that the page that was asked for opens', async () => {
  storage.providerSignIn.write({ binding: 'secret', from: '/dashboard/server' })
  const { pathname } = open('/login#code=d&state=s', (api) => api.on(endOidc).answer(() => SESSION))
  await waitFor(() => expect(pathname()).toBe('/dashboard/server'))
})

test('an answer that this tab did not begin is sent nowhere', async () => {
  const { api, screen } = open('/login#code=e&state=s')
  await screen.findByText(/was started in another tab or browser/)
  expect(api.askedOf(endOidc)).toEqual([])
  screen.getByLabelText('Password')
})

test('a refusal is said above no session, with the form to try again', async () => {
  storage.providerSignIn.write({ binding: 'secret', from: '' })
  const { screen } = open('/login#error=access_denied&state=s', (api) =>
    api.on(endOidc).answer(() => refuse(401, 'Example SSO did not sign you in.')),
  )
  await screen.findByText('Example SSO did not sign you in.')
  await screen.findByRole('button', { name: 'Sign in with Example SSO' })
  expect(storage.token.read()).toBeNull()
})

test('back from a second sign-in it begins another session in place of the one that is open', async () => {
  storage.providerSignIn.write({ binding: 'secret', from: '/dashboard/server' })
  const before = userOf('admin')
  storage.user.write(before)
  storage.token.write(before.token)
  const { api, pathname } = open('/login#code=c&state=s', (prepared) =>
    prepared.on(endOidc).answer(() => SESSION),
  )
  await waitFor(() => expect(pathname()).toBe('/dashboard/server'))
  expect(api.askedOf(endOidc)).toHaveLength(1)
  expect(storage.user.read()?.isFromProvider).toBe(true)
})

test('after signing out here the session at the provider can be ended too', async () => {
  storage.providerSignOut.write(SIGN_OUT)
  const { screen } = open('/login')
  const link = await screen.findByRole('link', { name: 'Sign out of Example SSO' })
  expect(link.getAttribute('href')).toBe(SIGN_OUT)
})

test('signing out leads to the page of the provider that knows who is meant, and nothing stores it', async () => {
  const hinted = `${SIGN_OUT}?id_token_hint=secret`
  storage.providerSignOut.write(SIGN_OUT)
  const { screen } = renderConsole({
    path: '/dashboard/encoder',
    role: 'admin',
    prepare: (api) => {
      api.on(signInWays).answer(() => ({ status: true, provider: { name: 'Example SSO' } }))
      api.on(listAllEncoders).answer(() => ({ status: true, result: [], total: 0 }))
      api.on(signOut).answer(() => ({ status: true, signOutUrl: hinted }))
    },
  })
  await endOwnSession()
  const link = await screen.findByRole('link', { name: 'Sign out of Example SSO' })
  expect(link.getAttribute('href')).toBe(hinted)
  const kept = [localStorage, sessionStorage].flatMap((storage) =>
    Array.from({ length: storage.length }, (_, at) => storage.getItem(storage.key(at) ?? '')),
  )
  expect(JSON.stringify(kept)).not.toContain('secret')
})

test('an address that is no web address is no link', async () => {
  localStorage.setItem('provider-sign-out', 'javascript:alert(1)')
  const { screen } = open('/login')
  await screen.findByRole('button', { name: 'Sign in with Example SSO' })
  expect(screen.queryByRole('link', { name: /Sign out/ })).toBeNull()
})
