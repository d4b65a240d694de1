import { listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { passkeyStep, secondStep } from '@trunkline/contract/session/second-step.calls'
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import type { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../lib/storage.ts'
import { answerByPasskey } from '../shared/passkeys/passkeys.ts'
import { refuse, refuseOddly, type FakeApi } from '../test/fake-api.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { userOf } from '../test/samples.ts'

// The browser's own part; e2e/without-picture/second-factor.e2e.ts has a real one.
vi.mock('../shared/passkeys/passkeys.ts', () => ({
  answerByPasskey: vi.fn<typeof answerByPasskey>(),
}))

afterEach(resetConsole)

const admin = userOf('admin')
const session = { status: true as const, user: admin, token: admin.token }
type Ways = Pick<SecondFactorAsked, 'hasApp' | 'passkey'>

const ASKED = 'Enter the code of your authenticator app, or a recovery code.'

function asking(challenge: string, { hasApp, passkey }: Ways) {
  return refuseOddly(401, {
    status: false,
    error: ASKED,
    msg: ASKED,
    code: 'second_factor',
    secondFactor: { challenge, hasApp, passkey, setUp: null },
  })
}

const REQUEST = {
  challenge: 'challenge-1',
  rpId: 'console.example',
  timeout: 120_000,
  allowCredentials: [],
  userVerification: 'preferred' as const,
}
const ANSWER = { id: 'Y3JlZA', clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' }
const APP_ONLY: Ways = { hasApp: true, passkey: null }

async function openCodeStep(prepare: (api: FakeApi) => void) {
  const scene = await openStep(APP_ONLY, prepare)
  return { ...scene, field: await scene.screen.findByLabelText('Code') }
}

async function openStep(ways: Ways, prepare: (api: FakeApi) => void) {
  const scene = renderConsole({
    path: '/login',
    role: null,
    prepare: (api) => {
      api.on(login).answer(() => asking('challenge-1', ways))
      api.on(jwtLogin).answer(() => session)
      api.on(listAllEncoders).answer(() => ({ status: true, result: [], total: 0 }))
      prepare(api)
    },
  })
  const { screen, user } = scene
  await user.type(await screen.findByLabelText('Email'), 'a@b.co')
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
  return scene
}

test('after the password the code is asked for, has the focus, and signs in', async () => {
  const { api, field, screen, user, pathname } = await openCodeStep((fake) =>
    fake.on(secondStep).answer(() => session),
  )
  expect(document.activeElement).toBe(field)
  expect(storage.token.read()).toBeNull()
  expect(field.getAttribute('autocomplete')).toBe('one-time-code')
  await user.keyboard('123 456{Enter}')
  await screen.findByRole('heading', { name: 'Welcome to Trunkline' })
  expect(api.askedOf(secondStep).map(({ body }) => body)).toEqual([
    { challenge: 'challenge-1', code: '123 456' },
  ])
  expect(storage.token.read()).toBe('token-admin')
  expect(pathname()).toBe('/')
})

test('a wrong code is said, and the next one replaces it', async () => {
  const { field, screen, user } = await openCodeStep((fake) =>
    fake.on(secondStep).answer(() => refuse(422, 'This code is wrong.')),
  )
  await user.type(field, '000000{Enter}')
  await screen.findByText('This code is wrong.')
  await user.keyboard('111111')
  expect((field as HTMLInputElement).value).toBe('111111')
})

test('a challenge that is over leads back to the password, and says why', async () => {
  const { field, screen, user } = await openCodeStep((fake) =>
    fake.on(secondStep).answer(() => refuse(401, 'This sign-in has expired.')),
  )
  await user.type(field, '000000{Enter}')
  await screen.findByText('This sign-in has expired.')
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'a@b.co')
  expect(screen.getByLabelText('Password')).toBe(document.activeElement)
})

test('a recovery code has a field of its own; Back leads to the password', async () => {
  const { api, screen, user } = await openCodeStep((fake) =>
    fake.on(secondStep).answer(() => refuse(422, 'This code is wrong.')),
  )
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  await user.type(await screen.findByLabelText('Recovery code'), 'abcd-efgh{Enter}')
  await screen.findByText(/^This recovery code is wrong or was used already\./)
  expect(api.askedOf(secondStep)).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Back' }))
  await screen.findByLabelText('Email')
})

test('a passkey is asked for first, and signs in', async () => {
  vi.mocked(answerByPasskey).mockResolvedValue(ANSWER)
  const { api, screen, user } = await openStep({ hasApp: true, passkey: REQUEST }, (fake) =>
    fake.on(passkeyStep).answer(() => session),
  )
  const use = await screen.findByRole('button', { name: 'Use a passkey' })
  expect(document.activeElement).toBe(use)
  screen.getByRole('button', { name: 'Use the app' })
  screen.getByRole('button', { name: 'Use a recovery code' })
  await user.keyboard('{Enter}')
  await screen.findByRole('heading', { name: 'Welcome to Trunkline' })
  expect(vi.mocked(answerByPasskey).mock.calls).toEqual([[REQUEST]])
  expect(api.askedOf(passkeyStep).map(({ body }) => body)).toEqual([
    { challenge: 'challenge-1', credential: ANSWER },
  ])
})

test('a passkey that is not accepted is said, and can be tried again', async () => {
  vi.mocked(answerByPasskey).mockResolvedValue(ANSWER)
  const { screen, user } = await openStep({ hasApp: false, passkey: REQUEST }, (fake) =>
    fake.on(passkeyStep).answer(() => refuse(422, 'This passkey was not accepted.')),
  )
  await user.click(await screen.findByRole('button', { name: 'Use a passkey' }))
  await screen.findByText('This passkey was not accepted.')
  screen.getByRole('button', { name: 'Use a passkey' })
  expect(screen.queryByRole('button', { name: 'Use the app' })).toBeNull()
})

test('without a factor that works here a recovery code is asked for, with the reason', async () => {
  const { screen } = await openStep({ hasApp: false, passkey: null }, () => {})
  await screen.findByLabelText('Recovery code')
  expect(screen.getByText(/Your passkeys work at another address of the console/)).toBeDefined()
})
