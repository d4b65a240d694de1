/** Row W: what somebody signs in with is changed by whoever knows the current password, and by nobody else. */
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { signInLimitOf } from '../security/sign-in-limit.ts'
import { LONGEST_WAIT_MS } from '../security/sign-in-queue.ts'
import { inject } from '../testing/inject.ts'
import { signInAs, TEST_PASSWORD } from '../testing/people.ts'
import { openTestApp } from '../testing/test-app.ts'
import { isSignedIn, refused, save, signIn } from './user-update.fixture.ts'

const OWN_ACCESS = [
  ['password', { newPassword: 'a fresh and long one', newConfirmPassword: 'a fresh and long one' }],
  ['e-mail', { email: 'elsewhere@trunkline.example' }],
] as const

test.each(OWN_ACCESS)(
  'W T5 one’s own new %s needs the current password and ends all other sessions',
  async (_, change) => {
    await using test = await openTestApp()
    const { id, email } = test.people.northMonitor
    const elsewhere = await signInAs(test.ctx, id)
    const right = { ...change, currentPassword: TEST_PASSWORD }
    expect(
      await refused(test, async () => save(test, 'northMonitor', 'northMonitor', change)),
    ).toEqual([
      400,
      'currentPassword is missing. Enter your current password to change password or e-mail.',
    ])
    const wrong = await save(test, 'northMonitor', 'northMonitor', {
      ...change,
      currentPassword: 'a guess',
    })
    expect([wrong.status, wrong.failure.field]).toEqual([422, 'currentPassword'])
    expect(await isSignedIn(test, 'northMonitor')).toBe(true)
    expect((await inject(test.app, jwtLogin, elsewhere, {})).status).toBe(200)
    expect((await save(test, 'northMonitor', 'northMonitor', right)).status).toBe(200)
    expect(await isSignedIn(test, 'northMonitor')).toBe(true)
    expect((await inject(test.app, jwtLogin, elsewhere, {})).status).toBe(401)
    const access = { email, newPassword: TEST_PASSWORD, ...change }
    expect(await signIn(test, access.email, access.newPassword)).toBe(200)
  },
)

test('changes other than to one’s own access need no password', async () => {
  await using test = await openTestApp()
  const { email } = test.people.northMonitor
  const own = { firstName: 'Renamed', email: email.toUpperCase() }
  expect((await save(test, 'northMonitor', 'northMonitor', own)).status).toBe(200)
  const other = { email: 'given@trunkline.example' }
  expect((await save(test, 'admin', 'northMonitor', other)).status).toBe(200)
})

test('T6 wrong current passwords count towards the limits on sign-in, and leave a line', async () => {
  await using test = await openTestApp({ signInLimit: 2 })
  const { email } = test.people.northMonitor
  const guess = async (currentPassword: string) =>
    save(test, 'northMonitor', 'northMonitor', {
      email: 'elsewhere@trunkline.example',
      currentPassword,
    })
  expect((await guess('a')).status).toBe(422)
  expect(await signIn(test, email, 'b')).toBe(401)
  const limited = await guess(TEST_PASSWORD)
  expect([limited.status, limited.failure.code]).toEqual([429, 'too_many'])
  expect(limited.failure.error).toMatch(
    /^Too many wrong passwords for this account from your address\. Try again in \d+ seconds?\.$/,
  )
  test.advance(61_000)
  expect((await guess(TEST_PASSWORD)).status).toBe(200)
  const lines = test.ctx.db.selectFrom('audit').selectAll().where('call', '=', 'users.update')
  expect((await lines.orderBy('at').execute()).map(({ result }) => result)).toEqual([
    'refused',
    'done',
  ])
})

test('T6 while others guess, the owner changes the own password from where they sign in, without waiting', async () => {
  await using test = await openTestApp({ signInLimit: 1 })
  const { email } = test.people.northMonitor
  expect(await signIn(test, email, TEST_PASSWORD)).toBe(200)
  const guessFrom = async (remoteAddress: string) =>
    test.app.inject({
      method: 'POST',
      url: login.path,
      remoteAddress,
      payload: { email, password: 'x' },
    })
  for (let at = 0; at < 6; at++) await guessFrom(`198.51.${at}.1`)
  const timers = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => timers.mockRestore())
  const saved = await save(test, 'northMonitor', 'northMonitor', {
    newPassword: 'a fresh and long one',
    newConfirmPassword: 'a fresh and long one',
    currentPassword: TEST_PASSWORD,
  })
  expect(saved.status).toBe(200)
  expect(timers.mock.calls.filter(([, ms]) => ms === LONGEST_WAIT_MS)).toEqual([])
})

test('T6 an owner on a new network who changes their password under a flood sees why it must wait', async () => {
  await using test = await openTestApp({ signInLimit: 1 })
  const { email } = test.people.northMonitor
  const limit = signInLimitOf(test.ctx)
  const isKnownAddress = async () => Promise.resolve(false)
  for (let at = 0; at < 6; at++) await limit.take({ email, ip: `198.51.${at}.1`, isKnownAddress })
  // Asked first, from networks that have not tried: all places are theirs.
  for (let at = 0; at < 20; at++) {
    void limit.take({ email, ip: `203.0.${at}.1`, isKnownAddress })
  }
  const { status, failure } = await save(test, 'northMonitor', 'northMonitor', {
    email: 'elsewhere@trunkline.example',
    currentPassword: TEST_PASSWORD,
  })
  expect([status, failure.error]).toEqual([
    429,
    'Others are guessing the password of this account from many addresses. Try again in 5 seconds.',
  ])
})
