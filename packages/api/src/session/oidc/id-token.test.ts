import { endOidc } from '@trunkline/contract/session/oidc.calls'
import type { KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { inject } from '../../testing/inject.ts'
import {
  answerOf,
  FOREIGN_KEY,
  startHostileProvider,
} from '../../testing/oidc/hostile-provider.fixture.ts'
import { oidcConfig, type Claims } from '../../testing/oidc/oidc-provider.fixture.ts'
import { openTestApp } from '../../testing/test-app.ts'

const REFUSED: unknown = expect.stringContaining('The answer of Example SSO was not accepted.')

const ANN = { sub: 'ann', email: 'ann@sso.example', roles: ['root'] }

/** Ends a sign-in with an ID token that is right but for these claims. */
async function signInWith(claims: Claims, key?: KeyObject | null) {
  await using provider = await startHostileProvider()
  await using site = await openTestApp({ oidc: oidcConfig(provider.issuer) })
  const body = await answerOf(site.app, provider, { ...ANN, ...claims }, key)
  // Both are closed at the return.
  const ended = await inject(site.app, endOidc, '', { body })
  return ended
}

test('an ID token that is right signs in', async () => {
  expect((await signInWith({})).status).toBe(200)
})

test.each([
  ['of another client', { aud: 'another' }],
  ['of several clients, for another', { aud: ['trunkline', 'another'], azp: 'another' }],
  ['of another issuer', { iss: 'http://127.0.0.1:1' }],
  ['of another sign-in', { nonce: 'another' }],
  ['of no sign-in', { nonce: undefined }],
  ['that has expired', { exp: Math.floor(Date.now() / 1000) - 3600 }],
  ['without an end', { exp: undefined }],
  ['of nobody', { sub: undefined }],
])('an ID token %s is refused', async (_, change) => {
  const { status, failure } = await signInWith(change)
  expect([status, failure.error]).toEqual([401, REFUSED])
})

test.each([
  ['by a foreign key', FOREIGN_KEY],
  ['by no key', null],
])('an ID token signed %s is refused', async (_, key) => {
  const { status, failure } = await signInWith({}, key)
  expect([status, failure.error]).toEqual([401, REFUSED])
})
