import { waitFor } from '@testing-library/react'
import { listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../lib/storage.ts'
import { refuse, refuseOddly, type FakeApi } from '../test/fake-api.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { userOf } from '../test/samples.ts'

afterEach(resetConsole)

const admin = userOf('admin')

function letIn(api: FakeApi): void {
  api.on(login).answer(() => ({ status: true, user: admin, token: admin.token }))
  api.on(jwtLogin).answer(() => ({ status: true, user: admin, token: admin.token }))
  api.on(listAllEncoders).answer(() => ({ status: true, result: [], total: 0 }))
}

function open(prepare: (api: FakeApi) => void, path = '/login') {
  const scene = renderConsole({ path, role: null, prepare })
  const { screen } = scene
  return {
    ...scene,
    email: async () => screen.findByLabelText('Email'),
    password: () => screen.getByLabelText('Password'),
    button: () => screen.getByRole('button', { name: /Sign in/ }) as HTMLButtonElement,
  }
}

test('AUTH-01 AUTH-02 three controls, the product name, nothing of the shell', async () => {
  const { email, password, button, screen } = open(letIn)
  await email()
  password()
  button()
  screen.getByRole('heading', { name: 'Sign in to Trunkline' })
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('NAV-01 /Login is the same screen', async () => {
  const { email, pathname } = open(letIn, '/Login')
  await email()
  expect(pathname()).toBe('/Login')
})

test('AUTH-05 AUTH-06 the button waits for a valid e-mail and a password', async () => {
  const { email, password, button, user } = open(letIn)
  await email()
  expect(button().disabled).toBe(true)
  await user.type(await email(), 'a@b')
  await user.type(password(), 'x')
  expect(button().disabled).toBe(true)
  await user.type(await email(), '.co')
  expect(button().disabled).toBe(false)
  await user.clear(password())
  expect(button().disabled).toBe(true)
})

test('AUTH-04 a wrong e-mail is shown at its field until it is corrected', async () => {
  const { email, screen, user } = open(letIn)
  await email()
  expect(screen.queryByText('Please enter a valid email')).toBeNull()
  await user.type(await email(), 'abc')
  screen.getByText('Please enter a valid email')
  expect((await email()).getAttribute('aria-invalid')).toBe('true')
  await user.type(await email(), '@b.co')
  expect(screen.queryByText('Please enter a valid email')).toBeNull()
})

test('AUTH-03 AUTH-08 AUTH-09 Enter signs in with exactly e-mail and password, and opens the dashboard', async () => {
  const { api, email, password, screen, user, pathname } = open(letIn)
  await user.type(await email(), 'admin@trunkline.example')
  await user.type(password(), 'secret{Enter}')
  await screen.findByRole('heading', { name: 'Welcome to Trunkline' })
  expect(api.askedOf(login).map((item) => item.body)).toEqual([
    { email: 'admin@trunkline.example', password: 'secret' },
  ])
  expect(api.askedOf(login)[0]?.headers.has('authorization')).toBe(false)
  expect(storage.token.read()).toBe('token-admin')
  expect(storage.user.read()?.mode.name).toBe('admin')
  expect(pathname()).toBe('/')
})

test('AUTH-07 a second click before the answer sends nothing', async () => {
  const answer = Promise.withResolvers<void>()
  const { api, email, password, button, user } = open((fake) => {
    letIn(fake)
    fake.on(login).answer(async () => {
      await answer.promise
      return { status: true, user: admin, token: admin.token }
    })
  })
  await user.type(await email(), 'a@b.co')
  await user.type(password(), 'x')
  const wait = button()
  await user.click(wait)
  expect(wait.disabled).toBe(true)
  await user.click(wait)
  answer.resolve()
  await waitFor(() => expect(storage.token.read()).not.toBeNull())
  expect(api.askedOf(login)).toHaveLength(1)
})

test('AUTH-10 ERR-01 ERR-05 a refusal shows the server’s own text, ours when there is none or it is no text (ERR-47)', async () => {
  const { api, email, password, button, screen, user } = open((fake) =>
    fake.on(login).answer(() => refuse(401, 'This account is locked.')),
  )
  await user.type(await email(), 'a@b.co')
  await user.type(password(), 'x')
  await user.click(button())
  await screen.findByText('This account is locked.')
  api.on(login).answer(() => refuseOddly(401, { error: { a: 1 } }))
  await user.click(button())
  await screen.findByText('Please check your email and password')
  expect(button().disabled).toBe(false)
})

test('AUTH-11 ERR-06 no answer', async () => {
  const { api, email, password, button, screen, user } = open(letIn)
  await user.type(await email(), 'a@b.co')
  await user.type(password(), 'x')
  api.setReachable(false)
  await user.click(button())
  const notices = await screen.findAllByText(
    'Unknown error. Cannot contact the backend server right now.',
  )
  expect(notices).not.toHaveLength(0)
})

test('Q9 after sign-in the page that was asked for opens', async () => {
  const { email, password, user, pathname } = open(letIn, '/dashboard/server')
  await user.type(await email(), 'a@b.co')
  expect(pathname()).toBe('/login')
  await user.type(password(), 'x{Enter}')
  await waitFor(() => expect(pathname()).toBe('/dashboard/server'))
})

test('the password can be shown', async () => {
  const { email, password, screen, user } = open(letIn)
  await email()
  expect(password().getAttribute('type')).toBe('password')
  await user.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password().getAttribute('type')).toBe('text')
})

test('AUTH-25 /signup says who makes accounts, and leads back', async () => {
  const { screen } = open(letIn, '/signup')
  await screen.findByText(/Accounts are created by an admin/)
  expect(screen.getByRole('link', { name: 'Back to sign in' }).getAttribute('href')).toBe('/login')
})
