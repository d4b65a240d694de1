import { randomBytes } from 'node:crypto'
import { HOUR_MS } from '@trunkline/contract/durations'
import { createSigner, type Algorithm } from 'fast-jwt'
import { expect, test } from 'vitest'
import { readToken, signToken } from './token.ts'

const secret = randomBytes(32)
const NOW_MS = 1_795_000_000_000
const claims = { userId: 'u', sessionId: 's' }
const token = signToken(secret, claims, NOW_MS)

test('Q12 a token lives 12 hours, and a minute for clocks that differ', () => {
  expect(readToken(secret, token, NOW_MS)).toEqual(claims)
  expect(readToken(secret, token, NOW_MS + 12 * HOUR_MS)).toEqual(claims)
  expect(readToken(secret, token, NOW_MS + 12 * HOUR_MS + 61_000)).toBeNull()
})

function forged(payload: object, more: { key?: Buffer | string; algorithm?: Algorithm } = {}) {
  const { key = secret, algorithm = 'HS256' } = more
  return createSigner({ key, algorithm, clockTimestamp: NOW_MS })({ ...payload })
}

const whole = {
  sub: 'u',
  sid: 's',
  iss: 'trunkline',
  aud: 'trunkline-console',
  iat: NOW_MS / 1000,
  exp: NOW_MS / 1000 + 60,
}

test('T5 a whole token of another make is taken, so that the refusals below mean something', () => {
  expect(readToken(secret, forged(whole), NOW_MS)).toEqual(claims)
})

test.each<[string, string]>([
  ['another secret', forged(whole, { key: randomBytes(32) })],
  ['another algorithm', forged(whole, { algorithm: 'HS512' })],
  ['no algorithm', forged(whole, { key: '', algorithm: 'none' })],
  ['another audience', forged({ ...whole, aud: 'else' })],
  ['another issuer', forged({ ...whole, iss: 'else' })],
  ['no audience', forged({ ...whole, aud: undefined })],
  ['no issuer', forged({ ...whole, iss: undefined })],
  ['made later than now', forged({ ...whole, iat: NOW_MS / 1000 + 120 })],
  ['no end', forged({ ...whole, exp: undefined })],
  ['no session', forged({ ...whole, sid: undefined })],
  ['a session that is no text', forged({ ...whole, sid: 3 })],
  ['of before sessions were kept', forged({ ...whole, sid: undefined, ver: 1 })],
  ['no user', forged({ ...whole, sub: undefined })],
  ['not yet', forged({ ...whole, nbf: NOW_MS / 1000 + 3600 })],
  ['long past', forged({ ...whole, exp: NOW_MS / 1000 - 3600 })],
  ['nothing', ''],
  ['two parts', token.split('.').slice(0, 2).join('.')],
])('T5 forged: %s', (_, text) => {
  expect(readToken(secret, text, NOW_MS)).toBeNull()
})

test('T5 no flipped bit of a token is taken', () => {
  const bytes = Buffer.from(token, 'latin1')
  let tried = 0
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    const at = bit >> 3
    changed.writeUInt8(changed.readUInt8(at) ^ (1 << (bit & 7)), at)
    // The last character of a base64url part carries bits that mean nothing: the same bytes again.
    if (sameBytes(changed.toString('latin1'))) continue
    tried += 1
    expect(readToken(secret, changed.toString('latin1'), NOW_MS)).toBeNull()
  }
  expect(tried).toBeGreaterThan(2000)
})

function sameBytes(text: string): boolean {
  const [parts, others] = [text.split('.'), token.split('.')]
  return (
    parts.length === 3 &&
    parts.every((part, at) =>
      Buffer.from(part, 'base64url').equals(Buffer.from(others[at] ?? '', 'base64url')),
    )
  )
}
