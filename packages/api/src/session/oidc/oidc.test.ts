import { MINUTE_MS } from '@trunkline/contract/durations'
import { beginOidc, endOidc, signInWays } from '@trunkline/contract/session/oidc.calls'
import { jwtLogin, login, signOut } from '@trunkline/contract/session/session.calls'
import { addApiToken } from '@trunkline/contract/users/api-token.calls'
import { listUsers, updateUser } from '@trunkline/contract/users/user.calls'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '../../config.ts'
import { inject } from '../../testing/inject.ts'
import { answerOf, startHostileProvider } from '../../testing/oidc/hostile-provider.fixture.ts'
import {
  oidcConfig,
  signInAtProvider,
  startProvider,
  type Claims,
  type TestProvider,
} from '../../testing/oidc/oidc-provider.fixture.ts'
import { TEST_PASSWORD } from '../../testing/people.ts'
import { openTestApp, type TestApp } from '../../testing/test-app.ts'
import { DATABASES, openTwoProcesses } from '../../testing/two-processes.ts'
import * as userService from '../../users/user.service.ts'

const REDIRECT = 'http://127.0.0.1:9/login'
const IS_OVER =
  'This sign-in has expired, was used already, or was started in another browser. Start again.'
const EMAIL = 'ann@sso.example'
const ANN = { email: EMAIL, email_verified: true, name: 'Ann Lee', roles: ['noc'] }

let provider: TestProvider
beforeAll(async () => {
  const client = { id: 'trunkline', secret: '' }
  provider = await startProvider({ redirectUri: REDIRECT, client })
})
afterAll(async () => provider[Symbol.asyncDispose]())

async function open(more: Partial<Config> = {}) {
  const test = await openTestApp({ oidc: oidcConfig(provider.issuer), ...more })
  return {
    ...test,
    ...waysOf(test),
    [Symbol.asyncDispose]: async () => test[Symbol.asyncDispose](),
  }
}

function waysOf({ app, ctx }: TestApp) {
  const begin = async () => (await inject(app, beginOidc, '', {})).answer
  const end = async (answer: string, binding: string) =>
    inject(app, endOidc, '', { body: { answer, binding } })
  return {
    begin,
    end,
    /** Signs in as 'ann', of whom the provider says this. */
    enter: async (claims: Claims, name = 'ann') => {
      await provider.know({ [name]: claims })
      const { url, binding } = await begin()
      return end(await signInAtProvider(url, name), binding)
    },
    ann: async () => userService.findByEmail(ctx, EMAIL),
    lines: async (call: string) =>
      ctx.db.selectFrom('audit').selectAll().where('call', '=', call).execute(),
  }
}

const titles = (user: userService.UserRecord | null) => user?.groups.map((group) => group.title)

test('the first sign-in makes the person, with role, groups and names of the provider', async () => {
  await using site = await open()
  expect((await inject(site.app, signInWays, '', {})).answer.provider).toEqual({
    name: 'Example SSO',
  })
  const { status, answer, headers } = await site.enter({ ...ANN, groups: ['sports', 'Nowhere'] })
  expect(status).toBe(200)
  expect(answer.user).toMatchObject({
    fullName: 'Ann Lee',
    email: EMAIL,
    mode: { name: 'monitor' },
    groups: [{ title: 'North' }],
    isFromProvider: true,
  })
  expect(answer.signOutUrl).toContain(`${provider.issuer}/session/end?`)
  expect(headers['set-cookie']).toContain('HttpOnly')
  expect((await inject(site.app, jwtLogin, answer.token, {})).answer.user.isFromProvider).toBe(true)
  const query = { searchText: 'Ann Lee' }
  const listed = await inject(site.app, listUsers, site.people.admin.token, { query })
  expect(listed.answer.data.map((user) => [user.email, user.isFromProvider])).toEqual([
    [EMAIL, true],
  ])
  expect(await site.lines('users.add')).toMatchObject([{ actor_id: null, result: 'done' }])
  expect(await site.lines('session.endOidc')).toMatchObject([{ result: 'done' }])
})

describe('signing out', () => {
  const leave = async (site: TestApp, token: string) => inject(site.app, signOut, token, {})

  test('leads to the page of the provider with its ID token, which is sealed and in no other answer', async () => {
    await using site = await open()
    const entered = await site.enter(ANN)
    const stored = await site.ctx.db.selectFrom('sessions').selectAll().execute()
    const { answer } = await leave(site, entered.answer.token)
    const address = new URL(answer.signOutUrl ?? '')
    const hint = address.searchParams.get('id_token_hint') ?? ''
    expect(address.pathname).toBe('/session/end')
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(REDIRECT)
    expect(hint.split('.')).toHaveLength(3)
    for (const text of [JSON.stringify(stored), entered.text]) expect(text).not.toContain(hint)
    // The provider knows who is meant, and takes the token for one of its own.
    const page = await fetch(address)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('logout')])
    address.searchParams.set('id_token_hint', `${hint}x`)
    expect((await fetch(address)).status).toBe(400)
    expect((await leave(site, entered.answer.token)).status).toBe(401)
  })

  test('of somebody local, of a provider of before, and without one names none', async () => {
    await using site = await open()
    expect((await leave(site, site.people.admin.token)).answer.signOutUrl).toBeNull()
    for (const oidc of [oidcConfig('http://127.0.0.1:1'), null]) {
      const { answer } = await site.enter(ANN)
      await using other = await openTestApp({ oidc, secretFile: site.ctx.config.secretFile })
      const session = await site.ctx.db.selectFrom('sessions').selectAll().execute()
      const sealed = session.flatMap(({ id_token_sealed: text }) => text ?? [])
      expect(sealed).toHaveLength(1)
      await other.ctx.db.updateTable('sessions').set({ id_token_sealed: sealed[0] }).execute()
      expect((await leave(other, other.people.admin.token)).answer.signOutUrl).toBeNull()
      await leave(site, answer.token)
    }
  })

  test('ends the session here while the provider is away', async () => {
    const client = { id: 'trunkline', secret: '' }
    await using short = await startProvider({ redirectUri: REDIRECT, client })
    await using site = await open({ oidc: oidcConfig(short.issuer) })
    await short.know({ ann: ANN })
    const { url, binding } = await site.begin()
    const { answer } = await site.end(await signInAtProvider(url, 'ann'), binding)
    await short.stop()
    site.advance(3_600_000)
    expect((await leave(site, answer.token)).answer).toEqual({ status: true, signOutUrl: null })
    expect((await inject(site.app, jwtLogin, answer.token, {})).status).toBe(401)
  })
})

describe('an API token of somebody from the provider', () => {
  const draft = { title: 'Script', scope: 'read', days: 7 } as const

  test('is made within ten minutes after the provider asked who they are, and not later', async () => {
    await using site = await open()
    await provider.know({ ann: ANN })
    const { url, binding } = (await inject(site.app, beginOidc, '', { body: { again: true } }))
      .answer
    expect(new URL(url).searchParams.get('max_age')).toBe('0')
    const { token } = (await site.end(await signInAtProvider(url, 'ann'), binding)).answer
    const make = async () => inject(site.app, addApiToken, token, { body: draft })
    expect((await make()).status).toBe(201)
    site.advance(9 * MINUTE_MS)
    expect((await make()).status).toBe(201)
    site.advance(MINUTE_MS)
    const late = await make()
    expect([late.status, late.failure.error]).toEqual([
      409,
      expect.stringContaining('Example SSO did not ask within the last ten minutes who you are.'),
    ])
    // Whatever is sent as a password.
    const body = { ...draft, currentPassword: TEST_PASSWORD }
    expect((await inject(site.app, addApiToken, token, { body })).status).toBe(409)
  })

  test.each([
    ['the provider does not say when it asked', undefined],
    ['the provider goes on with a session of an hour ago', Math.floor(Date.now() / 1000) - 3600],
  ])('is refused where %s', async (_, authTime) => {
    await using hostile = await startHostileProvider()
    await using site = await openTestApp({ oidc: oidcConfig(hostile.issuer) })
    const claims = { sub: 'ann', email: EMAIL, roles: ['noc'], auth_time: authTime }
    const body = await answerOf(site.app, hostile, claims)
    const { token } = (await inject(site.app, endOidc, '', { body })).answer
    expect((await inject(site.app, addApiToken, token, { body: draft })).status).toBe(409)
  })
})

test('each further sign-in brings role, groups, names and address up to date', async () => {
  await using site = await open()
  const first = await site.enter({ ...ANN, groups: ['South'] })
  const { id } = first.answer.user
  await inject(site.app, updateUser, first.answer.token, { body: { _id: id, language: 'fr' } })
  await site.enter({ ...ANN, roles: 'ops', name: 'Ann Low', groups: ['sports'] })
  expect(await site.ann()).toMatchObject({ id, role: 'editor', lastName: 'Low', language: 'fr' })
  expect(titles(await site.ann())).toEqual(['North'])
  // A new role ends the sessions that had the other.
  expect((await inject(site.app, jwtLogin, first.answer.token, {})).status).toBe(401)
  // Without the claim groups stay; an admin has none.
  await site.enter({ ...ANN, roles: ['ops'], email: 'new@sso.example' })
  const moved = await userService.find(site.ctx, id)
  expect([moved?.email, titles(moved)]).toEqual(['new@sso.example', ['North']])
  await site.enter({ ...ANN, roles: ['noc', 'it'] })
  expect([(await site.ann())?.role, titles(await site.ann())]).toEqual(['admin', []])
})

test('nothing is written about a person who is as before', async () => {
  await using site = await open()
  await site.enter({ ...ANN, groups: ['sports'] })
  const { answer } = await site.enter({ ...ANN, groups: ['sports'] })
  expect(await site.lines('users.update')).toEqual([])
  expect((await site.ann())?.version).toBe(1)
  expect((await inject(site.app, jwtLogin, answer.token, {})).status).toBe(200)
})

test.each([
  ['no role', { ...ANN, roles: ['guests'] }, 'has no role here'],
  ['no roles claim', { ...ANN, roles: undefined }, "claim 'roles'"],
  ['an address that is not confirmed', { ...ANN, email_verified: false }, 'no confirmed e-mail'],
  ['an address that is not confirmed, as text', { ...ANN, email_verified: 'false' }, 'confirmed'],
  ['no address', { ...ANN, email: undefined }, 'no confirmed e-mail'],
])('refuses %s with cause and fix, and makes nobody', async (_, claims, cause) => {
  await using site = await open()
  const { status, failure } = await site.enter(claims)
  expect([status, failure.error]).toEqual([401, expect.stringContaining(cause)])
  expect(await site.ann()).toBeNull()
  expect(await site.lines('session.endOidc')).toMatchObject([{ result: 'refused', actor_id: null }])
})

test('a local account is never taken over by its address', async () => {
  await using site = await open()
  const { superadmin } = site.people
  const { status, failure } = await site.enter({ ...ANN, roles: ['root'], email: superadmin.email })
  expect(status).toBe(401)
  expect(failure.error).toContain(`already has the address ${superadmin.email}`)
  const user = await userService.find(site.ctx, superadmin.id)
  expect(user).toMatchObject({ provider: null, lastName: 'superadmin' })
  // Nor by a later change of the address there.
  await site.enter(ANN)
  expect((await site.enter({ ...ANN, email: superadmin.email })).status).toBe(200)
  expect((await site.ann())?.email).toBe(EMAIL)
})

test('two people of the provider with one address stay two', async () => {
  await using site = await open()
  await site.enter(ANN)
  const { status, failure } = await site.enter({ ...ANN, name: 'Eve' }, 'eve')
  expect([status, failure.error]).toEqual([401, expect.stringContaining('already has the address')])
})

test('a person of the provider has no password: none is set, none signs in', async () => {
  await using site = await open()
  const { answer } = await site.enter(ANN)
  const { superadmin } = site.people
  const newPassword = 'a passphrase of some length'
  const body = { _id: answer.user.id, newPassword, newConfirmPassword: newPassword }
  const set = await inject(site.app, updateUser, superadmin.token, { body })
  expect([set.status, set.failure.field]).toEqual([409, 'newPassword'])
  const reset = userService.resetPassword(site.ctx, EMAIL, newPassword)
  await expect(reset).rejects.toThrow('signs in with Example SSO')
  // Even one that stands in the database signs nobody in.
  const { passwordHash } = (await userService.find(site.ctx, superadmin.id)) ?? {}
  await site.ctx.db
    .updateTable('users')
    .set({ password_hash: passwordHash ?? '' })
    .where('email', '=', EMAIL)
    .execute()
  const tried = await inject(site.app, login, '', {
    body: { email: EMAIL, password: TEST_PASSWORD },
  })
  const wrong = await inject(site.app, login, '', {
    body: { email: 'nobody@sso.example', password: TEST_PASSWORD },
  })
  expect([tried.status, tried.text]).toEqual([401, wrong.text])
})

test('the last local superadmin stays, whoever is one at the provider', async () => {
  await using site = await open()
  const { answer } = await site.enter({ ...ANN, roles: ['root'] })
  const { superadmin } = site.people
  const body = { _id: superadmin.id, mode: 'admin' as const }
  const { status, failure } = await inject(site.app, updateUser, answer.token, { body })
  expect([status, failure.error]).toEqual([409, expect.stringContaining('last superadmin')])
})

describe('what is not the end of a sign-in of this browser', () => {
  test('an answer counts once, also when two calls come at once', async () => {
    await using site = await open()
    await provider.know({ ann: ANN })
    const { url, binding } = await site.begin()
    const answer = await signInAtProvider(url, 'ann')
    const both = await Promise.all([site.end(answer, binding), site.end(answer, binding)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    expect((await site.end(answer, binding)).failure.error).toBe(IS_OVER)
  })

  test('the answer of somebody else in this browser signs nobody in, and is used up', async () => {
    await using site = await open()
    await provider.know({ eve: { ...ANN, email: 'eve@sso.example' } })
    const theirs = await site.begin()
    const own = await site.begin()
    const answer = await signInAtProvider(theirs.url, 'eve')
    expect((await site.end(answer, own.binding)).failure.error).toBe(IS_OVER)
    expect((await site.end(answer, theirs.binding)).failure.error).toBe(IS_OVER)
  })

  test('a code under the state of another sign-in is refused by nonce and verifier', async () => {
    await using site = await open()
    await provider.know({ eve: { ...ANN, email: 'eve@sso.example' } })
    const [theirs, own] = [await site.begin(), await site.begin()]
    const answer = new URLSearchParams(await signInAtProvider(theirs.url, 'eve'))
    answer.set('state', new URL(own.url).searchParams.get('state') ?? '')
    const { status, failure } = await site.end(answer.toString(), own.binding)
    expect([status, failure.error]).toEqual([401, expect.stringContaining('was not accepted')])
  })

  test('ten minutes later it is over', async () => {
    await using site = await open()
    await provider.know({ ann: ANN })
    const { url, binding } = await site.begin()
    const answer = await signInAtProvider(url, 'ann')
    site.advance(10 * 60_000)
    expect((await site.end(answer, binding)).failure.error).toBe(IS_OVER)
  })

  test.each(['', 'code=x', 'state=x&code=y', 'error=access_denied&state=x', '%00', '#'])(
    '%j is refused',
    async (answer) => {
      await using site = await open()
      expect((await site.end(answer, 'x')).status).toBe(401)
    },
  )

  test('what somebody declined at the provider is said so', async () => {
    await using site = await open()
    const { url, binding } = await site.begin()
    const state = new URL(url).searchParams.get('state') ?? ''
    const answer = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer })
    const { status, failure } = await site.end(answer.toString(), binding)
    expect([status, failure.error]).toEqual([401, expect.stringContaining('cancelled')])
  })

  test('without the setting there is nothing to begin or end', async () => {
    await using site = await open({ oidc: null })
    expect((await inject(site.app, signInWays, '', {})).answer.provider).toBeNull()
    expect((await inject(site.app, beginOidc, '', {})).status).toBe(404)
    expect((await site.end('code=x&state=y', 'z')).status).toBe(404)
  })
})

test('while the provider is away a local account signs in, and the answer names that way', async () => {
  const client = { id: 'trunkline', secret: '' }
  await using short = await startProvider({ redirectUri: REDIRECT, client })
  await using site = await open({ oidc: oidcConfig(short.issuer) })
  await short.know({ ann: ANN })
  const { url, binding } = await site.begin()
  const answer = await signInAtProvider(url, 'ann')
  await short.stop()
  const ended = await site.end(answer, binding)
  expect([ended.status, ended.failure.error]).toEqual([
    503,
    'Example SSO does not answer. Try again later. Local accounts can sign in with e-mail and password meanwhile.',
  ])
  site.advance(10_000)
  expect((await inject(site.app, beginOidc, '', {})).status).toBe(503)
  const { email } = site.people.superadmin
  const { status } = await inject(site.app, login, '', { body: { email, password: TEST_PASSWORD } })
  expect(status).toBe(200)
})

test('a confidential client proves itself by the secret in its file', async () => {
  const client = { id: 'trunkline', secret: 'a secret of the client' }
  await using other = await startProvider({ redirectUri: REDIRECT, client })
  await other.know({ ann: ANN })
  for (const [secret, status] of [
    ['a secret of the client\n', 200],
    ['another', 401],
  ] as const) {
    await using files = await openTestApp()
    const clientSecretFile = join(files.folder, 'client-secret')
    await writeFile(clientSecretFile, secret)
    await using site = await open({ oidc: oidcConfig(other.issuer, { clientSecretFile }) })
    const { url, binding } = await site.begin()
    expect((await site.end(await signInAtProvider(url, 'ann'), binding)).status).toBe(status)
  }
})

test('verifier, nonce, state and binding are not in the database in clear, nor in an address', async () => {
  await using site = await open()
  const { url, binding } = await site.begin()
  const state = new URL(url).searchParams.get('state') ?? ''
  const stored = JSON.stringify(await site.ctx.db.selectFrom('oidc_flows').selectAll().execute())
  expect([stored.includes(state), stored.includes(binding)]).toEqual([false, false])
  expect(url).not.toContain(binding)
  expect(new URL(url).searchParams.get('response_mode')).toBe('fragment')
  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256')
})

test.each(DATABASES)('begun at one API process, it is ended once at another: %s', async (kind) => {
  await using site = await openTwoProcesses(kind, { oidc: oidcConfig(provider.issuer) })
  await provider.know({ ann: ANN })
  const { url, binding } = (await site.ask(beginOidc, '', {})).answer
  const body = { answer: await signInAtProvider(url, 'ann'), binding }
  const ended = await site.ask(endOidc, '', { body })
  expect([ended.status, ended.answer.user.email]).toEqual([200, EMAIL])
  expect((await site.ask(endOidc, '', { body })).status).toBe(401)
})
