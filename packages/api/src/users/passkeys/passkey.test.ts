import { MINUTE_MS } from '@trunkline/contract/durations'
import { passkeyStep, secondStep } from '@trunkline/contract/session/second-step.calls'
import { login } from '@trunkline/contract/session/session.calls'
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from '@trunkline/contract/users/passkey.calls'
import type { PasskeyRequest } from '@trunkline/contract/users/passkey.schema'
import {
  readSecondFactor,
  resetSecondFactor,
  turnOffSecondFactor,
} from '@trunkline/contract/users/second-factor.calls'
import { describe, expect, test } from 'vitest'
import { inject } from '../../testing/inject.ts'
import { TEST_PASSWORD } from '../../testing/people.ts'
import { openTestApp } from '../../testing/test-app.ts'
import { codeOf, turnOnTestFactor } from '../second-factor/second-factor.fixture.ts'
import { resetByCommand } from '../second-factor/second-factor.service.ts'
import {
  addTestPasskey,
  SoftwareAuthenticator,
  type Lies,
} from './software-authenticator.fixture.ts'

const currentPassword = TEST_PASSWORD

async function open() {
  const test = await openTestApp()
  const { app } = test
  const { admin } = test.people
  const signIn = async (email = admin.email, headers = {}) =>
    inject(app, login, '', { body: { email, password: TEST_PASSWORD }, headers })
  return {
    ...test,
    admin,
    signIn,
    ask: async (email = admin.email): Promise<PasskeyRequest> => {
      const { failure } = await signIn(email)
      const request = failure.secondFactor?.passkey ?? null
      if (request === null) throw new Error('No passkey was asked for.')
      return request
    },
    enter: async (
      { challenge }: PasskeyRequest,
      credential: ReturnType<SoftwareAuthenticator['get']>,
    ) => inject(app, passkeyStep, '', { body: { challenge, credential } }),
    begin: async (password = currentPassword) =>
      inject(app, beginPasskey, admin.token, { body: { currentPassword: password } }),
    state: async () => {
      const params = { id: admin.id }
      return (await inject(app, readSecondFactor, admin.token, { params })).answer.data
    },
    remove: async (passkeyId: string, password = currentPassword) =>
      inject(app, removePasskey, admin.token, { body: { passkeyId, currentPassword: password } }),
    lines: async (call: string) =>
      test.ctx.db.selectFrom('audit').selectAll().where('call', '=', call).execute(),
    [Symbol.asyncDispose]: async () => test[Symbol.asyncDispose](),
  }
}

test('password and passkey sign in, and the last use is shown', async () => {
  await using site = await open()
  const { authenticator, recoveryCodes } = await addTestPasskey(site.app, site.admin.token, 'Safe')
  expect(new Set(recoveryCodes).size).toBe(10)
  expect(await site.state()).toMatchObject({
    isOn: false,
    recoveryCodesLeft: 10,
    passkeys: [{ name: 'Safe', site: 'localhost', lastUsedAt: null }],
    passkeysRefused: null,
  })
  const { status, failure, text } = await site.signIn()
  expect([status, failure.code, failure.secondFactor?.hasApp]).toEqual([
    401,
    'second_factor',
    false,
  ])
  expect(text).not.toContain('"token"')
  const request = await site.ask()
  const { status: entered, answer } = await site.enter(request, authenticator.get(request))
  expect([entered, answer.user.email]).toEqual([200, site.admin.email])
  expect((await site.state()).passkeys[0]?.lastUsedAt).not.toBeNull()
  expect(await site.lines('session.passkeyStep')).toMatchObject([{ result: 'done' }])
})

const LIES: readonly [string, Lies][] = [
  ['a forged signature', { isForged: true }],
  ['another origin', { origin: 'https://console.example.attacker.test' }],
  ['another port of the same name', { origin: 'http://localhost:8081' }],
  ['another relying party', { rpId: 'attacker.test' }],
  ['another challenge', { challenge: 'A'.repeat(32) }],
  ['a person who is not there', { isAbsent: true }],
]

test.each(LIES)('refuses %s, and records it', async (_, lies) => {
  await using site = await open()
  const { authenticator } = await addTestPasskey(site.app, site.admin.token)
  const request = await site.ask()
  expect((await site.enter(request, authenticator.get(request, lies))).status).toBe(422)
  expect(await site.lines('session.passkeyStep')).toMatchObject([
    { result: 'refused', object_id: site.admin.id },
  ])
  expect((await site.enter(request, authenticator.get(request))).status).toBe(200)
})

test.each(LIES.slice(1))('adds no passkey made for %s', async (_, lies) => {
  await using site = await open()
  const { creation } = (await site.begin()).answer
  const credential = new SoftwareAuthenticator().create(creation, lies)
  const body = { challenge: creation.challenge, name: 'Key', credential }
  expect((await inject(site.app, addPasskey, site.admin.token, { body })).status).toBe(422)
  expect((await site.state()).passkeys).toEqual([])
})

test('adds no passkey whose attestation names certificates, which would be looked up', async () => {
  await using site = await open()
  const { creation } = (await site.begin()).answer
  const attStmt = new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(70)],
    ['x5c', [new Uint8Array(300)]],
  ])
  for (const more of [{ fmt: 'packed', attStmt }, { fmt: 'fido-u2f', attStmt }, { fmt: 'tpm' }]) {
    const credential = new SoftwareAuthenticator().create(creation, {}, more)
    const body = { challenge: creation.challenge, name: 'Key', credential }
    expect((await inject(site.app, addPasskey, site.admin.token, { body })).status).toBe(422)
  }
})

test('a challenge signs in once: its answer is worth nothing when it is sent again', async () => {
  await using site = await open()
  const { authenticator } = await addTestPasskey(site.app, site.admin.token)
  const request = await site.ask()
  const credential = authenticator.get(request)
  expect((await site.enter(request, credential)).status).toBe(200)
  expect((await site.enter(request, credential)).status).toBe(401)
  const next = await site.ask()
  expect((await site.enter(next, credential)).status).toBe(422)
})

test('a challenge ends after five wrong answers and after five minutes', async () => {
  await using site = await open()
  const { authenticator } = await addTestPasskey(site.app, site.admin.token)
  const tried = await site.ask()
  for (let at = 0; at < 5; at++) {
    const credential = authenticator.get(tried, { isForged: true })
    expect((await site.enter(tried, credential)).status).toBe(422)
  }
  expect((await site.enter(tried, authenticator.get(tried))).status).toBe(401)
  const late = await site.ask()
  site.advance(5 * MINUTE_MS)
  expect((await site.enter(late, authenticator.get(late))).status).toBe(401)
})

test('the passkey of somebody else does not sign me in, nor does mine with their challenge', async () => {
  await using site = await open()
  const { northEditor } = site.people
  const mine = await addTestPasskey(site.app, site.admin.token)
  const theirs = await addTestPasskey(site.app, northEditor.token)
  const request = await site.ask()
  expect((await site.enter(request, theirs.authenticator.get(request))).status).toBe(422)
  const other = await site.ask(northEditor.email)
  expect((await site.enter(other, mine.authenticator.get(other))).status).toBe(422)
})

test('a counter that goes back is refused and recorded; the owner then gets in by a recovery code', async () => {
  await using site = await open()
  const { authenticator, recoveryCodes } = await addTestPasskey(site.app, site.admin.token)
  const first = await site.ask()
  expect((await site.enter(first, authenticator.get(first, { counter: 9 }))).status).toBe(200)
  for (const counter of [9, 8, 0]) {
    const request = await site.ask()
    const { status, failure } = await site.enter(request, authenticator.get(request, { counter }))
    expect([status, failure.error]).toEqual([422, expect.stringMatching(/counted fewer/)])
  }
  const refused = (await site.lines('session.passkeyStep')).filter((l) => l.result === 'refused')
  expect(refused.map(({ reason }) => reason)).toEqual(
    Array(3).fill(expect.stringMatching(/there may be a copy of it/)),
  )
  const { challenge } = await site.ask()
  const body = { challenge, code: recoveryCodes?.[0] ?? '' }
  expect((await inject(site.app, secondStep, '', { body })).status).toBe(200)
})

test('an authenticator that does not count signs in each time', async () => {
  await using site = await open()
  const authenticator = new SoftwareAuthenticator()
  const { creation } = (await site.begin()).answer
  const credential = authenticator.create(creation, { counter: 0 })
  const body = { challenge: creation.challenge, name: 'Key', credential }
  await inject(site.app, addPasskey, site.admin.token, { body })
  for (let at = 0; at < 2; at++) {
    const request = await site.ask()
    expect((await site.enter(request, authenticator.get(request, { counter: 0 }))).status).toBe(200)
  }
})

test('a removed passkey signs nobody in; with the last factor the recovery codes go', async () => {
  await using site = await open()
  const first = await addTestPasskey(site.app, site.admin.token, 'Old')
  const second = await addTestPasskey(site.app, site.admin.token, 'New')
  expect(second.recoveryCodes).toBeNull()
  const [old, kept] = (await site.state()).passkeys
  const before = await site.ask()
  expect((await site.remove(old?.id ?? '', 'wrong')).failure.field).toBe('currentPassword')
  expect((await site.remove(old?.id ?? '')).status).toBe(200)
  expect((await site.enter(before, first.authenticator.get(before))).status).toBe(422)
  expect((await site.remove(old?.id ?? '')).status).toBe(404)
  expect((await site.remove(kept?.id ?? '')).status).toBe(200)
  expect(await site.state()).toMatchObject({ recoveryCodesLeft: 0, passkeys: [] })
  expect((await site.signIn()).status).toBe(200)
  const done = (await site.lines('users.removePasskey')).filter((l) => l.result === 'done')
  expect(done.map(({ before }) => before)).toEqual(['{"passkey":"Old"}', '{"passkey":"New"}'])
  expect(await site.lines('users.addPasskey')).toMatchObject([
    { after: '{"passkey":"Old"}', object_title: 'Test admin' },
    { after: '{"passkey":"New"}' },
  ])
})

test('nobody removes the passkey of somebody else', async () => {
  await using site = await open()
  await addTestPasskey(site.app, site.admin.token)
  const [passkey] = (await site.state()).passkeys
  const body = { passkeyId: passkey?.id ?? '', currentPassword }
  const { token } = site.people.superadmin
  expect((await inject(site.app, removePasskey, token, { body })).status).toBe(404)
})

test('a passkey is renamed by its owner alone, and the record has both names', async () => {
  await using site = await open()
  const { authenticator } = await addTestPasskey(site.app, site.admin.token, 'Key')
  const [passkey] = (await site.state()).passkeys
  const rename = async (token: string, name: string) => {
    const body = { passkeyId: passkey?.id ?? '', name }
    return (await inject(site.app, renamePasskey, token, { body })).status
  }
  expect(await rename(site.people.superadmin.token, 'Mine')).toBe(404)
  expect(await rename(site.admin.token, ' ')).toBe(400)
  expect(await rename(site.admin.token, 'Safe')).toBe(200)
  expect((await site.state()).passkeys).toMatchObject([{ name: 'Safe' }])
  const request = await site.ask()
  expect((await site.enter(request, authenticator.get(request))).status).toBe(200)
  const done = (await site.lines('users.renamePasskey')).filter((l) => l.result === 'done')
  expect(done).toMatchObject([{ before: '{"passkey":"Key"}', after: '{"passkey":"Safe"}' }])
})

test('beside an app either signs in, and turning the app off leaves passkey and recovery codes', async () => {
  await using site = await open()
  const { secret } = await turnOnTestFactor(site.ctx, site.admin.id)
  const { authenticator, recoveryCodes } = await addTestPasskey(site.app, site.admin.token)
  expect(recoveryCodes).toBeNull()
  const { failure } = await site.signIn()
  const challenge = failure.secondFactor?.challenge ?? ''
  expect(failure.secondFactor?.hasApp).toBe(true)
  const code = { body: { challenge, code: codeOf(site.ctx, secret) } }
  expect((await inject(site.app, secondStep, '', code)).status).toBe(200)
  const off = { currentPassword, code: codeOf(site.ctx, secret, 1) }
  await inject(site.app, turnOffSecondFactor, site.admin.token, { body: off })
  expect(await site.state()).toMatchObject({ isOn: false, recoveryCodesLeft: 10 })
  const request = await site.ask()
  expect((await site.enter(request, authenticator.get(request))).status).toBe(200)
})

test('a reset by an admin and by the command clears passkeys', async () => {
  await using site = await open()
  const { superadmin } = site.people
  await addTestPasskey(site.app, site.admin.token)
  const params = { id: site.admin.id }
  const reset = await inject(site.app, resetSecondFactor, superadmin.token, { params })
  expect([reset.status, (await site.signIn()).status]).toEqual([200, 200])
  await addTestPasskey(site.app, site.admin.token)
  expect(await resetByCommand(site.ctx, site.admin.email)).toBe(true)
  expect((await site.signIn()).status).toBe(200)
})

test('adding one needs the password, and a challenge of its own account that was not used', async () => {
  await using site = await open()
  expect((await site.begin('wrong')).failure).toMatchObject({ field: 'currentPassword' })
  const { creation } = (await site.begin()).answer
  const { challenge } = creation
  const body = { challenge, name: 'Key', credential: new SoftwareAuthenticator().create(creation) }
  const add = async (token: string) => (await inject(site.app, addPasskey, token, { body })).status
  expect(await add(site.people.northEditor.token)).toBe(409)
  expect(await add(site.admin.token)).toBe(200)
  expect(await add(site.admin.token)).toBe(409)
  // Nor does the challenge of a sign-in add one.
  const request = await site.ask()
  const signIn = new SoftwareAuthenticator().create({ ...creation, challenge: request.challenge })
  const other = { challenge: request.challenge, name: 'Key', credential: signIn }
  expect((await inject(site.app, addPasskey, site.admin.token, { body: other })).status).toBe(409)
})

test('a credential belongs to one account', async () => {
  await using site = await open()
  const { authenticator } = await addTestPasskey(site.app, site.admin.token)
  const { token } = site.people.northEditor
  const begun = await inject(site.app, beginPasskey, token, { body: { currentPassword } })
  const { creation } = begun.answer
  const credential = authenticator.create(creation)
  const body = { challenge: creation.challenge, name: 'Key', credential }
  expect((await inject(site.app, addPasskey, token, { body })).status).toBe(409)
})

test('no answer has the public key, and no passkey is offered at another name', async () => {
  await using site = await open()
  await addTestPasskey(site.app, site.admin.token)
  const { public_key: key, credential_id: credentialId } = await site.ctx.db
    .selectFrom('passkeys')
    .selectAll()
    .executeTakeFirstOrThrow()
  const params = { id: site.admin.id }
  const read = await inject(site.app, readSecondFactor, site.admin.token, { params })
  const here = await site.signIn()
  for (const { text } of [read, here]) expect(text).not.toContain(key)
  expect(here.text).toContain(credentialId)
  const elsewhere = await site.signIn(undefined, { host: 'attacker.test' })
  expect(elsewhere.failure.secondFactor?.passkey).toBeNull()
  expect(elsewhere.failure.error).toMatch(/another address of the console/)
})

describe('at an address where passkeys do not work', () => {
  test('reading says why, and adding is refused with it', async () => {
    await using site = await open()
    const headers = { host: '192.0.2.10:8080' }
    const params = { id: site.admin.id }
    const read = await inject(site.app, readSecondFactor, site.admin.token, { params, headers })
    const why = read.answer.data.passkeysRefused
    expect(why).toMatch(/do not work with an IP address/)
    const body = { currentPassword }
    const begun = await inject(site.app, beginPasskey, site.admin.token, { body, headers })
    expect([begun.status, begun.failure.error]).toEqual([422, why])
  })
})
