import { fireEvent, waitFor } from '@testing-library/react'
import { listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { passkeySetUpStep, setUpStep } from '@trunkline/contract/session/second-step.calls'
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../lib/storage.ts'
import { createPasskey } from '../shared/passkeys/passkeys.ts'
import { refuse, refuseOddly, type FakeApi } from '../test/fake-api.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { userOf } from '../test/samples.ts'

afterEach(resetConsole)

// The browser's own part; e2e/without-picture/second-factor.e2e.ts has a real one.
vi.mock('../shared/passkeys/passkeys.ts', () => ({ createPasskey: vi.fn<typeof createPasskey>() }))

const CREATION = {
  rp: { id: 'localhost', name: 'Trunkline' },
  user: { id: 'dTE', name: 'a@example.org', displayName: 'A' },
  challenge: 'challenge-1',
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  timeout: 120_000,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  attestation: 'none',
}

const ASKED = 'Your role needs a second factor.'
const admin = userOf('admin')
const CODES = ['aaaa-bbbb', 'cccc-dddd']

async function openSetUp(prepare: (api: FakeApi) => void, passkey: unknown = CREATION) {
  const scene = renderConsole({
    path: '/login',
    role: null,
    prepare: (api) => {
      api.on(login).answer(() =>
        refuseOddly(401, {
          status: false,
          error: ASKED,
          msg: ASKED,
          code: 'second_factor',
          secondFactor: {
            challenge: 'challenge-1',
            hasApp: false,
            passkey: null,
            setUp: {
              secret: 'ABCDEFGH',
              uri: 'otpauth://totp/Trunkline:a?secret=ABCDEFGH',
              passkey,
            },
          },
        }),
      )
      api.on(jwtLogin).answer(() => ({ status: true, user: admin, token: admin.token }))
      api.on(listAllEncoders).answer(() => ({ status: true, result: [], total: 0 }))
      prepare(api)
    },
  })
  await scene.user.type(await scene.screen.findByLabelText('Email'), admin.email)
  await scene.user.type(scene.screen.getByLabelText('Password'), 'right{Enter}')
  return { ...scene, field: await scene.screen.findByLabelText('Code') }
}

test('whoever needs a factor scans the key, enters a code, keeps the codes and is signed in', async () => {
  const { api, screen, user, field, pathname } = await openSetUp((fake) =>
    fake
      .on(setUpStep)
      .answer(() => ({ status: true, user: admin, token: admin.token, recoveryCodes: CODES })),
  )
  await screen.findByRole('img', { name: 'QR code for an authenticator app' })
  expect(screen.getByText('ABCD EFGH')).toBeDefined()
  await user.type(field, '123456{Enter}')
  await screen.findByRole('heading', { name: 'Keep your recovery codes' })
  const codes = screen.getByRole('list', { name: 'Recovery codes' })
  expect(codes.textContent).toBe(CODES.join(''))
  expect(document.activeElement?.contains(codes)).toBe(true)
  expect(document.activeElement).not.toBe(document.body)
  expect(api.askedOf(setUpStep).map(({ body }) => body)).toEqual([
    { challenge: 'challenge-1', code: '123456' },
  ])
  expect(storage.token.read()).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(storage.token.read()).toBe(admin.token)
  expect(pathname()).toBe('/')
})

const DONE = { status: true, user: admin, token: admin.token, recoveryCodes: CODES } as const

test('another page asks before it takes away the codes, and a session of another tab leaves them', async () => {
  const { screen, user, field, router, pathname } = await openSetUp((fake) =>
    fake.on(setUpStep).answer(() => ({ ...DONE, recoveryCodes: [...CODES] })),
  )
  await user.type(field, '123456{Enter}')
  await screen.findByRole('list', { name: 'Recovery codes' })
  void router.navigate({ to: '/signup' })
  await user.click(await screen.findByRole('button', { name: 'Stay here' }))
  expect(pathname()).toBe('/login')
  storage.user.write(admin)
  storage.token.write(admin.token)
  fireEvent(window, new StorageEvent('storage', { key: 'token', newValue: admin.token }))
  expect(screen.getByRole('list', { name: 'Recovery codes' }).textContent).toBe(CODES.join(''))
  void router.navigate({ to: '/signup' })
  await user.click(await screen.findByRole('button', { name: 'Leave without the codes' }))
  await waitFor(() => expect(pathname()).not.toBe('/login'))
})

test('while the codes are made Back and another page ask first', async () => {
  const answer = Promise.withResolvers<void>()
  const { screen, user, field, router, pathname } = await openSetUp((fake) =>
    fake.on(setUpStep).answer(async () => {
      await answer.promise
      return { ...DONE, recoveryCodes: [...CODES] }
    }),
  )
  await user.type(field, '123456{Enter}')
  await user.click(screen.getByRole('button', { name: 'Back' }))
  await user.click(await screen.findByRole('button', { name: 'Stay here' }))
  void router.navigate({ to: '/signup' })
  await user.click(await screen.findByRole('button', { name: 'Stay here' }))
  expect(pathname()).toBe('/login')
  answer.resolve()
  await screen.findByRole('list', { name: 'Recovery codes' })
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(pathname()).toBe('/'))
})

test('a wrong code is reported and can be typed again; an expired challenge leads back to the password', async () => {
  let status = 422
  const { screen, user, field } = await openSetUp((fake) =>
    fake.on(setUpStep).answer(() => refuse(status, status === 422 ? 'Wrong.' : 'Expired.')),
  )
  await user.type(field, '000000{Enter}')
  await screen.findByText('Wrong.')
  status = 401
  await user.type(field, '000001{Enter}')
  await screen.findByText('Expired.')
  expect(screen.getByLabelText('Email')).toBeDefined()
})

test('in place of the app a passkey is named and added; the codes follow as well', async () => {
  const credential = { id: 'a', clientDataJSON: 'b', attestationObject: 'c', transports: [] }
  vi.mocked(createPasskey).mockResolvedValue(credential)
  const { api, screen, user } = await openSetUp((fake) =>
    fake
      .on(passkeySetUpStep)
      .answer(() => ({ status: true, user: admin, token: admin.token, recoveryCodes: CODES })),
  )
  await user.click(screen.getByRole('button', { name: 'Use a passkey instead' }))
  const name = screen.getByLabelText('Name')
  expect(document.activeElement).toBe(name)
  expect(screen.queryByRole('img', { name: 'QR code for an authenticator app' })).toBeNull()
  await user.type(name, 'Key in the safe{Enter}')
  await screen.findByRole('heading', { name: 'Keep your recovery codes' })
  expect(vi.mocked(createPasskey).mock.calls).toEqual([[CREATION]])
  expect(api.askedOf(passkeySetUpStep).map(({ body }) => body)).toEqual([
    { challenge: 'challenge-1', name: 'Key in the safe', credential },
  ])
})

test('a passkey that the browser does not make is said, and the app can be used; without one there is no choice', async () => {
  vi.mocked(createPasskey).mockRejectedValue(new Error('cancelled'))
  const { screen, user } = await openSetUp(() => undefined)
  await user.click(screen.getByRole('button', { name: 'Use a passkey instead' }))
  await user.type(screen.getByLabelText('Name'), 'Key{Enter}')
  await screen.findByText('The passkey was not added. Try again.')
  await user.click(screen.getByRole('button', { name: 'Use an app instead' }))
  await screen.findByRole('img', { name: 'QR code for an authenticator app' })
  resetConsole()
  const other = await openSetUp(() => undefined, null)
  expect(other.screen.queryByRole('button', { name: 'Use a passkey instead' })).toBeNull()
})
