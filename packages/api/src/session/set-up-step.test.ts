import {
  passkeySetUpStep,
  secondStep,
  setUpStep,
} from '@trunkline/contract/session/second-step.calls'
import { login, jwtLogin } from '@trunkline/contract/session/session.calls'
import { removePasskey } from '@trunkline/contract/users/passkey.calls'
import {
  readRequiredFactor,
  saveRequiredFactor,
} from '@trunkline/contract/users/required-factor.calls'
import { turnOffSecondFactor } from '@trunkline/contract/users/second-factor.calls'
import type { Role } from '@trunkline/contract/roles'
import { expect, onTestFinished, test } from 'vitest'
import { inject } from '../testing/inject.ts'
import { TEST_PASSWORD, type PersonName } from '../testing/people.ts'
import { openTestApp } from '../testing/test-app.ts'
import { BOTH_DATABASES, openContextOn } from '../testing/site-on.ts'
import { SoftwareAuthenticator } from '../users/passkeys/software-authenticator.fixture.ts'
import { addedPasskeyOf } from '../users/second-factor/passkey-walk.fixture.ts'
import { saveByCommand } from '../users/second-factor/required-factor.service.ts'
import * as requiredFactorStore from '../users/second-factor/required-factor.store.ts'
import { turnOnTestFactor } from '../users/second-factor/second-factor.fixture.ts'
import { totpCode } from '../users/second-factor/totp-code.fixture.ts'

async function open() {
  const site = await openTestApp({ signInLimit: 1000 })
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const { app, ctx, people } = site
  const signIn = async (who: PersonName) =>
    inject(app, login, '', { body: { email: people[who].email, password: TEST_PASSWORD } })
  return {
    ...site,
    signIn,
    require: async (roles: Role[], who: PersonName = 'superadmin') =>
      inject(app, saveRequiredFactor, people[who].token, { body: { roles } }),
    setUp: async (who: PersonName) => {
      const { challenge = '', setUp } = (await signIn(who)).failure.secondFactor ?? {}
      const code = (steps = 0) => totpCode(setUp?.secret ?? '', ctx.clock() + steps * 30_000)
      return { challenge, setUp, code }
    },
    step: async (challenge: string, code: string) =>
      inject(app, setUpStep, '', { body: { challenge, code } }),
  }
}

test('whoever has such a role and no factor sets one up in place of a session', async () => {
  const site = await open()
  await site.require(['editor'])
  expect((await site.signIn('northManager')).status).toBe(200)
  const refused = await site.signIn('northEditor')
  expect([refused.status, refused.failure.code]).toEqual([401, 'second_factor'])
  expect(refused.headers).not.toHaveProperty('set-cookie')
  const { challenge, code } = await site.setUp('northEditor')
  const { status, answer } = await site.step(challenge, code())
  expect([status, answer.recoveryCodes.length]).toEqual([200, 10])
  expect((await inject(site.app, jwtLogin, answer.token, {})).status).toBe(200)
  // From then on it is a second factor as any other.
  expect((await site.signIn('northEditor')).failure.secondFactor).toMatchObject({
    hasApp: true,
    setUp: null,
  })
  expect((await site.step(challenge, code(1))).status).toBe(401)
})

test('sessions that stand go on, and nothing is asked once no role needs one', async () => {
  const site = await open()
  await site.require(['editor'])
  expect((await inject(site.app, jwtLogin, site.people.northEditor.token, {})).status).toBe(200)
  await site.require([])
  expect((await site.signIn('northEditor')).status).toBe(200)
})

test('a wrong code, another kind of challenge and an earlier secret set nothing up', async () => {
  const site = await open()
  await site.require(['editor'])
  const first = await site.setUp('northEditor')
  const second = await site.setUp('northEditor')
  expect((await site.step(second.challenge, '000000')).failure.field).toBe('code')
  // The secret of the first is not good any more, whichever challenge it comes with.
  expect((await site.step(second.challenge, first.code())).status).toBe(422)
  const asCode = { challenge: second.challenge, code: second.code() }
  expect((await inject(site.app, secondStep, '', { body: asCode })).status).toBe(401)
  expect((await site.step(second.challenge, second.code())).status).toBe(200)
})

test('in place of the app a passkey is added; only that which the browser made for this sign-in here', async () => {
  const site = await open()
  await site.require(['editor'])
  const { challenge, setUp } = await site.setUp('northEditor')
  const creation = setUp?.passkey
  if (!creation) throw new Error('No passkey is offered.')
  const authenticator = new SoftwareAuthenticator()
  const add = async (credential: ReturnType<typeof authenticator.create>, text = challenge) =>
    inject(site.app, passkeySetUpStep, '', { body: { challenge: text, name: 'Key', credential } })
  const elsewhere = authenticator.create(creation, { origin: 'https://elsewhere.example' })
  expect((await add(elsewhere)).status).toBe(422)
  const other = await site.setUp('northManager')
  expect(other.setUp).toBeUndefined()
  const { status, answer, headers } = await add(authenticator.create(creation))
  expect([status, answer.recoveryCodes.length]).toEqual([200, 10])
  expect(headers).toHaveProperty('set-cookie')
  expect((await add(authenticator.create(creation))).status).toBe(401)
  // The app that was offered with it was not turned on.
  const { secondFactor } = (await site.signIn('northEditor')).failure
  expect(secondFactor).toMatchObject({ hasApp: false, setUp: null })
  expect(secondFactor?.passkey?.allowCredentials).toHaveLength(1)
})

test('at an address without passkeys only the app is offered', async () => {
  const site = await open()
  await site.require(['editor'])
  const { email } = site.people.northEditor
  const headers = { host: '192.0.2.1' }
  const body = { email, password: TEST_PASSWORD }
  const { failure } = await inject(site.app, login, '', { body, headers })
  expect(failure.secondFactor?.setUp?.passkey).toBeNull()
  expect(failure.error).not.toContain('passkey')
})

test('T6 a wrong password tells nothing of it', async () => {
  const site = await open()
  await site.require(['editor'])
  const { email } = site.people.northEditor
  const wrong = await inject(site.app, login, '', { body: { email, password: 'wrong' } })
  expect(wrong.failure.secondFactor).toBeUndefined()
})

test('the last factor stays while the role needs one', async () => {
  const site = await open()
  const { ctx, app, people } = site
  const { id, token } = people.northEditor
  await site.require(['editor'])
  const { recoveryCodes } = await turnOnTestFactor(ctx, id)
  const body = { currentPassword: TEST_PASSWORD, code: recoveryCodes[0] ?? '' }
  const refused = await inject(app, turnOffSecondFactor, token, { body })
  expect([refused.status, refused.failure.error]).toEqual([
    409,
    'Your role needs a second factor, and this is the last of your account. Add another one first, or ask a superadmin to require none.',
  ])
  const { passkey } = await addedPasskeyOf(ctx, id)
  const again = { ...body, code: recoveryCodes[1] ?? '' }
  expect((await inject(app, turnOffSecondFactor, token, { body: again })).status).toBe(200)
  const remove = { passkeyId: passkey.id, currentPassword: TEST_PASSWORD }
  expect((await inject(app, removePasskey, token, { body: remove })).status).toBe(409)
  await site.require([])
  expect((await inject(app, removePasskey, token, { body: remove })).status).toBe(200)
})

test('superadmins choose the roles; of two who save at once the second is refused', async () => {
  const site = await open()
  const { app, people } = site
  expect((await site.require(['editor'], 'admin')).status).toBe(403)
  expect((await inject(app, readRequiredFactor, people.admin.token, {})).status).toBe(403)
  const saved = await site.require(['monitor', 'admin', 'admin'])
  expect(saved.answer.data).toEqual({ roles: ['admin', 'monitor'], version: 2 })
  const old = await inject(app, saveRequiredFactor, people.superadmin.token, {
    body: { roles: [], version: 1 },
  })
  expect([old.status, old.failure.changed]).toEqual([409, ['roles']])
  const { answer } = await inject(app, readRequiredFactor, people.superadmin.token, {})
  expect(answer.data).toEqual({ roles: ['admin', 'monitor'], version: 2 })
})

test.each(BOTH_DATABASES)('the command line sets and lifts it, on %s', async (kind) => {
  const { ctx } = await openContextOn(kind)
  await saveByCommand(ctx, ['superadmin', 'admin'])
  expect(await requiredFactorStore.find(ctx.db)).toEqual({
    roles: ['superadmin', 'admin'],
    version: 2,
  })
  await saveByCommand(ctx, [])
  expect(await requiredFactorStore.find(ctx.db)).toEqual({ roles: [], version: 3 })
  expect(await requiredFactorStore.save(ctx.db, { roles: ['editor'], version: 2 })).toBe(false)
})
