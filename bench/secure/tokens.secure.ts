/**
 * T5: 10,000 tokens that nobody was given, made of a right one by every means of a forger who does
 * not have the key; and sessions that have ended, asked of both of two processes.
 */
import { createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { signOut, signOutEverywhere } from '@trunkline/contract/session/session.calls'
import { listUsers, removeUser, updateUser } from '@trunkline/contract/users/user.calls'
import { expect, test } from 'vitest'
import { inject } from '@trunkline/api/testing/inject'
import { signInAs } from '@trunkline/api/testing/people'
import { openTwoProcesses, type TwoProcesses } from '@trunkline/api/testing/two-processes'
import { atMost } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { printProof } from './proof.ts'

const FORGED = settingOf('TOKENS', 10_000)
/** Ways in which a session ends, each so many times. */
const ENDINGS = settingOf('ENDINGS', 40)
/** After this nobody is let in with an old token, in whatever process (T5). */
const LIMIT_MS = 1000

test('no forged token is accepted, and none whose session has ended', async () => {
  await using site = await openTwoProcesses('PostgreSQL')
  const { token, id } = site.people.superadmin
  const faults: string[] = []
  const right = await site.ask(listUsers, token, { query: {} })
  if (right.status !== 200) throw new Error(`The right token is refused: ${right.text}`)
  for (let at = 0; at < FORGED; at += 1) {
    const [name, make] = FORGERIES[at % FORGERIES.length] ?? ['', () => '']
    const text = make(token, id)
    if (text === null) continue
    const { status } = await inject(site.app, listUsers, text, { query: {} })
    if (status !== 401) faults.push(`${name}: ${status} for ${text}`)
  }
  const ended = await endedSessions(site)
  faults.push(...ended.faults)
  const missed = printProof('tokens', {
    ours: { forged: FORGED, ways: FORGERIES.length, endedSessions: ended.count },
    faults,
    goals: [
      atMost('forged or ended tokens accepted', faults.length, 0, 'tokens'),
      atMost('refused everywhere after', ended.slowestMs, LIMIT_MS, 'ms'),
    ],
  })
  expect(missed).toEqual([])
})

/** Null when by chance the same token came out. */
type Forgery = (token: string, userId: string) => string | null

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >
const signed = (head: object, claims: object, key: string | Buffer) => {
  const text = `${part(head)}.${part(claims)}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}
const HS256 = { alg: 'HS256', typ: 'JWT' }
const withSignatureOf = (token: string, head: object, claims: object) =>
  `${part(head)}.${part(claims)}.${token.split('.')[2] ?? ''}`
const PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----\n${randomBytes(90).toString('base64')}\n-----END PUBLIC KEY-----\n`

const FORGERIES: readonly (readonly [string, Forgery])[] = [
  ['no algorithm', (token) => `${part({ alg: 'none' })}.${token.split('.')[1]}.`],
  ['NoNe', (token) => withSignatureOf(token, { alg: 'NoNe' }, claimsOf(token))],
  ['a random key', (token) => signed(HS256, claimsOf(token), randomBytes(32))],
  ['an empty key', (token) => signed(HS256, claimsOf(token), '')],
  ['a usual key', (token) => signed(HS256, claimsOf(token), usualKey())],
  [
    'a public key as a secret',
    (token) => signed({ ...HS256, alg: 'RS256' }, claimsOf(token), PUBLIC_KEY),
  ],
  ['a key id', (token) => signed({ ...HS256, kid: '../../dev/null' }, claimsOf(token), '')],
  [
    'an address of a key',
    (token) => signed({ ...HS256, jku: 'http://127.0.0.1/k' }, claimsOf(token), 'k'),
  ],
  [
    'a key in the token',
    (token) => signed({ ...HS256, jwk: { kty: 'oct', k: 'aw' } }, claimsOf(token), 'k'),
  ],
  [
    'another user',
    (token) => withSignatureOf(token, HS256, { ...claimsOf(token), sub: randomUUID() }),
  ],
  [
    'another session',
    (token) => withSignatureOf(token, HS256, { ...claimsOf(token), sid: randomUUID() }),
  ],
  ['a longer life', (token) => withSignatureOf(token, HS256, { ...claimsOf(token), exp: 4e9 })],
  ['another audience', (token) => withSignatureOf(token, HS256, { ...claimsOf(token), aud: 'x' })],
  ['a flipped bit', flipped],
  ['cut', (token) => token.slice(0, randomInt(token.length))],
  ['without a signature', (token) => token.split('.').slice(0, 2).join('.')],
  ['two signatures', (token) => `${token}.${token.split('.')[2]}`],
  ['random', () => randomBytes(60).toString('base64url')],
]

function usualKey(): string {
  const usual = ['secret', 'changeme', 'trunkline', 'jwt', 'password', 'key', '0'.repeat(32)]
  return usual[randomInt(usual.length)] ?? ''
}

function flipped(token: string): string | null {
  const bytes = Buffer.from(token, 'latin1')
  const at = randomInt(bytes.length)
  // oxlint-disable-next-line no-bitwise
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << randomInt(7)), at)
  const text = bytes.toString('latin1')
  return sameBytes(text, token) ? null : text
}

/** The last character of a part carries bits that mean nothing. */
function sameBytes(text: string, token: string): boolean {
  const others = token.split('.')
  return text
    .split('.')
    .every((item, at) =>
      Buffer.from(item, 'base64url').equals(Buffer.from(others[at] ?? '', 'base64url')),
    )
}

const WAYS = ['signed out', 'signed out everywhere', 'new password', 'another role', 'removed']

/** Ends sessions, and asks both processes until both refuse. */
async function endedSessions(site: TwoProcesses) {
  const faults: string[] = []
  let [count, slowestMs] = [0, 0]
  for (let at = 0; at < ENDINGS; at += 1) {
    const way = WAYS[at % WAYS.length] ?? ''
    const { id, token } = await somebody(site, at)
    // Both processes know the session now.
    for (let turn = 0; turn < 2; turn += 1) await site.ask(listUsers, token, { query: {} })
    await end(site, way, id, token)
    const endedMs = performance.now()
    count += 1
    const isOver = () => performance.now() - endedMs > LIMIT_MS
    let letIn = await timesLetIn(site, token)
    while (letIn > 0 && !isOver()) letIn = await timesLetIn(site, token)
    slowestMs = Math.max(slowestMs, performance.now() - endedMs)
    if (letIn > 0) faults.push(`${way}: let in after ${LIMIT_MS} ms`)
  }
  return { faults, count, slowestMs }
}

async function timesLetIn(site: TwoProcesses, token: string): Promise<number> {
  const answers = [
    await site.ask(listUsers, token, { query: {} }),
    await site.ask(listUsers, token, { query: {} }),
  ]
  return answers.filter(({ status }) => status !== 401).length
}

async function somebody(site: TwoProcesses, at: number) {
  const { northMonitor } = site.people
  const row = await site.ctx.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', northMonitor.id)
    .executeTakeFirstOrThrow()
  const id = `ended${at}`
  const values = { ...row, id, email: `${id}@trunkline.example` }
  await site.ctx.db.insertInto('users').values(values).execute()
  return { id, token: await signInAs(site.ctx, id) }
}

async function end(site: TwoProcesses, way: string, id: string, token: string): Promise<void> {
  const { superadmin } = site.people
  const password = 'a long password of nobody'
  const change = {
    'new password': { newPassword: password, newConfirmPassword: password },
    'another role': { mode: 'editor' as const },
  }[way]
  let status: number
  if (way === 'signed out') ({ status } = await site.ask(signOut, token, {}))
  else if (way === 'signed out everywhere')
    ({ status } = await site.ask(signOutEverywhere, token, {}))
  else if (change === undefined)
    ({ status } = await site.ask(removeUser, superadmin.token, { params: { id } }))
  else ({ status } = await site.ask(updateUser, superadmin.token, { body: { _id: id, ...change } }))
  if (status !== 200) throw new Error(`The session did not end: ${way}, ${status}.`)
}
