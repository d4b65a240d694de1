import { listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { listUsers } from '@trunkline/contract/users/user.calls'
import { login } from '@trunkline/contract/session/session.calls'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { copyRow } from '../testing/copied-rows.ts'
import { urlOf } from '../testing/inject.ts'
import { TEST_PASSWORD } from '../testing/people.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { encodingFor } from './answer.ts'

test.each<[string | undefined, string | null]>([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['br;q=0.0, gzip; q=0', null],
  ['br;q=0.5', 'br'],
  ['*', null],
])('a client that takes "%s" gets %s', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding)
})

const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync } as const

async function readUsers(site: TestApp, query: string, encoding: string) {
  return site.app.inject({
    method: 'GET',
    url: `${urlOf(listUsers, {})}${query}`,
    headers: {
      authorization: `Bearer ${site.people.superadmin.token}`,
      'accept-encoding': encoding,
    },
  })
}

test.each([
  ['a page', '?rowsPerPage=12'],
  ['a long list', '?rowsPerPage=0'],
])('%s leaves compressed for whoever takes that, and is the same', async (_, query) => {
  await using site = await openTestApp()
  await copyRow(site.ctx.db, 'users', site.people.northEditor.id, 200, ['id', 'email', 'search'])
  const plain = await readUsers(site, query, 'identity')
  expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
    undefined,
    'accept-encoding',
  ])
  for (const encoding of ['br', 'gzip'] as const) {
    // The second one is the first, kept.
    for (const which of ['first', 'second']) {
      const packed = await readUsers(site, query, encoding)
      expect(packed.headers, which).toMatchObject({
        'content-encoding': encoding,
        vary: 'accept-encoding',
        'content-type': 'application/json; charset=utf-8',
      })
      expect(packed.rawPayload.length * 3).toBeLessThan(plain.rawPayload.length)
      expect(UNPACK[encoding](packed.rawPayload).toString()).toBe(plain.payload)
    }
  }
})

test('a short list, a refusal and whatever holds a token leave as they are', async () => {
  await using site = await openTestApp()
  const headers = { 'accept-encoding': 'br, gzip' }
  const token = `Bearer ${site.people.superadmin.token}`
  const url = urlOf(listEncoders, {})
  const short = await site.app.inject({ url, headers: { ...headers, authorization: token } })
  const refused = await site.app.inject({ url, headers })
  const { email } = site.people.superadmin
  const payload = { email, password: TEST_PASSWORD }
  const signedIn = await site.app.inject({
    method: 'POST',
    url: urlOf(login, {}),
    headers,
    payload,
  })
  expect([short, refused, signedIn].map(({ statusCode }) => statusCode)).toEqual([200, 401, 200])
  for (const answer of [short, refused, signedIn]) {
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(answer.payload)).toHaveProperty('status')
  }
})
