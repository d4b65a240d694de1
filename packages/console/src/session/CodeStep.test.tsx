import { waitFor } from '@testing-library/react'
import { listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { jwtLogin, login, secondStep } from '@trunkline/contract/session/session.calls'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../lib/storage.ts'
import { refuse, refuseOddly, type FakeApi } from '../test/fake-api.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { userOf } from '../test/samples.ts'

afterEach(resetConsole)

const admin = userOf('admin')
const session = { status: true as const, user: admin, token: admin.token }
const ASKED = 'Enter the code of your authenticator app, or a recovery code.'

function asking(challenge: string) {
  return refuseOddly(401, {
    status: false,
    error: ASKED,
    msg: ASKED,
    code: 'second_factor',
    secondFactor: { challenge },
  })
}

async function openCodeStep(prepare: (api: FakeApi) => void) {
  const scene = renderConsole({
    path: '/login',
    role: null,
    prepare: (api) => {
      api.on(login).answer(() => asking('challenge-1'))
      api.on(jwtLogin).answer(() => session)
      api.on(listAllEncoders).answer(() => ({ status: true, result: [], total: 0 }))
      prepare(api)
    },
  })
  const { screen, user } = scene
  await user.type(await screen.findByLabelText('Email'), 'a@b.co')
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
  const field = await screen.findByLabelText('Code')
  return { ...scene, field }
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
  expect(screen.getByLabelText('Email')).toBe(document.activeElement)
})

test('a recovery code has a field of its own; Back leads to the password', async () => {
  const { api, screen, user } = await openCodeStep((fake) =>
    fake.on(secondStep).answer(() => refuse(422, 'This code is wrong.')),
  )
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  await user.type(await screen.findByLabelText('Recovery code'), 'abcd-efgh{Enter}')
  await waitFor(() => expect(api.askedOf(secondStep)).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Back' }))
  await screen.findByLabelText('Email')
})
