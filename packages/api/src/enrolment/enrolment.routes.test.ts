import {
  addEnrolmentCode,
  enrolHost,
  readEnrolment,
  revokeEnrolment,
} from '@trunkline/contract/enrolment/enrolment.calls'
import type { EnrolmentRequest } from '@trunkline/contract/enrolment/enrolment.schema'
import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashOfKey } from '../security/certificates/public-key.ts'
import { takenAndRefused } from '../testing/two-processes.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'
import { inject } from '../testing/inject.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { freePort } from '../testing/process/own-port.ts'
import { enrolmentRequest, isProven, newCode, testKey } from './enrolment.fixture.ts'

const MINUTE_MS = 60_000

async function ask(site: TestSite, body: EnrolmentRequest) {
  return inject(site.app, enrolHost, '', { body })
}

function acantsOf(site: TestSite) {
  return { kind: 'server' as const, id: site.acantsId }
}

/** The reasons of refused enrolments, as the record of activity has them. */
async function refusalsOf(site: TestSite): Promise<string[]> {
  const lines = await site.ctx.db
    .selectFrom('audit')
    .select(['reason', 'call', 'result'])
    .orderBy('at')
    .execute()
  return lines
    .filter(({ call, result }) => call === enrolHost.name && result === 'refused')
    .map(({ reason }) => reason)
}

async function securityOf(site: TestSite): Promise<string> {
  const { answer } = await site.call('admin', readEnrolment, { params: acantsOf(site) })
  return answer.data.security
}

test.each(BOTH_DATABASES)('T11 a code gives a host its certificate, once, on %s', async (kind) => {
  const site = await openSiteOn(kind)
  const params = acantsOf(site)
  const before = await site.call('admin', readEnrolment, { params })
  expect(before.answer.data).toMatchObject({ security: 'key', codeEndsInMs: null, obstacle: '' })
  const made = await site.call('admin', addEnrolmentCode, { params })
  const { code } = made.answer
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/)
  expect(made.answer.data.codeEndsInMs).toBeGreaterThan(9 * MINUTE_MS)

  const { publicKey } = testKey()
  const request = enrolmentRequest(code, { publicKey, seats: ['encoder:1', 'acants:2'] })
  const { status, answer } = await ask(site, request)
  expect([status, isProven(code, request, answer.data)]).toEqual([200, true])
  expect(answer.data.seat).toBe('acants:2')
  const certificate = new X509Certificate(answer.data.certificate)
  expect(certificate.verify(new X509Certificate(answer.data.authority).publicKey)).toBe(true)
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' })
  expect(spki.toString('base64')).toBe(publicKey)
  const { linkHost, ctx } = site
  const place = { host: '127.0.0.1', port: linkHost.port }
  const pins = ctx.hosts.identities.find(place)?.pins
  expect(pins?.map(({ keyHash }) => keyHash)).toEqual([hashOfKey(spki)])

  const after = await site.call('admin', readEnrolment, { params })
  expect(after.answer.data).toMatchObject({ security: 'waiting', codeEndsInMs: null })
  // The site may have opened a moment ago: its first link is on its way.
  await ctx.hosts.linked(place)
  expect(ctx.hosts.status(place)?.online).toBe(true)
})

test('T11 the code is stored nowhere, and neither is anything that tells it', async () => {
  await using site = await openTestSite()
  const code = await newCode(site, acantsOf(site))
  const rows = await site.ctx.db.selectFrom('enrolment_codes').selectAll().execute()
  const audit = await site.ctx.db.selectFrom('audit').selectAll().execute()
  const stored = JSON.stringify([rows, audit])
  expect(stored).not.toContain(code)
  expect(stored).not.toContain(code.replaceAll('-', ''))
  expect(rows[0]?.proof_key_sealed).toMatch(/^v1\./)
})

test('T11 a host that dials out gets a certificate of another authority, and where to connect', async () => {
  const agentListen = { ip: '127.0.0.1', port: await freePort() }
  await using site = await openTestSite({ agentListen })
  const params = acantsOf(site)
  const dialled = await ask(site, enrolmentRequest(await newCode(site, params)))
  const code = await newCode(site, params)
  const request = enrolmentRequest(code, { dialsOut: true })
  const { status, answer } = await ask(site, request)
  expect([status, isProven(code, request, answer.data)]).toEqual([200, true])
  expect(answer.data.linkAddresses).toEqual([`:${agentListen.port}`])
  expect(answer.data.authority).not.toBe(dialled.answer.data.authority)
  const certificate = new X509Certificate(answer.data.certificate)
  expect(certificate.verify(new X509Certificate(answer.data.authority).publicKey)).toBe(true)
  // The key of before was for a link that the console dials.
  const address = { host: '127.0.0.1', port: site.linkHost.port }
  expect(site.ctx.hosts.identities.find(address)?.pins).toHaveLength(1)
  const { answer: read } = await site.call('admin', readEnrolment, { params })
  expect(read.data).toMatchObject({ security: 'waiting', openedBy: 'host', takesHosts: true })
  await site.linkHost.unlinked()
})

test('T11 whoever changes on the way which end connects is found out', async () => {
  await using site = await openTestSite()
  const code = await newCode(site, acantsOf(site))
  const changed: EnrolmentRequest = { ...enrolmentRequest(code), dialsOut: true }
  expect((await ask(site, changed)).status).toBe(401)
})

test('T11 a console that takes no connections of hosts says so, and the code stays good', async () => {
  await using site = await openTestSite()
  const code = await newCode(site, acantsOf(site))
  const { status, failure } = await ask(site, enrolmentRequest(code, { dialsOut: true }))
  expect([status, failure.error]).toEqual([409, expect.stringContaining('TRUNKLINE_AGENT_LISTEN')])
  expect((await ask(site, enrolmentRequest(code))).status).toBe(200)
})

test('T11 a replayed code, an old code, a wrong code and a changed request get nothing, and are recorded', async () => {
  await using site = await openTestSite()
  const params = acantsOf(site)
  const wrong = await ask(site, enrolmentRequest('00000-00000-00000-00000'))

  const used = enrolmentRequest(await newCode(site, params))
  expect((await ask(site, used)).status).toBe(200)
  const replayed = await ask(site, used)

  const code = await newCode(site, params)
  const changed = await ask(site, { ...enrolmentRequest(code), publicKey: testKey().publicKey })
  await site.ctx.db
    .updateTable('enrolment_codes')
    .set({ ends_at: new Date(site.ctx.clock() - 1).toISOString() })
    .where('used_at', 'is', null)
    .execute()
  const old = await ask(site, enrolmentRequest(code))

  const answers = [wrong, replayed, changed, old]
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  expect(new Set(answers.map(({ failure }) => failure.error)).size).toBe(1)
  expect(await refusalsOf(site)).toEqual([
    'unknown code',
    'the code was used before',
    'the proof of the code is wrong',
    'the code is older than ten minutes',
  ])
})

test('T11 a new code ends the code before it', async () => {
  await using site = await openTestSite()
  const first = await newCode(site, acantsOf(site))
  const second = await newCode(site, acantsOf(site))
  expect((await ask(site, enrolmentRequest(first))).status).toBe(401)
  expect((await ask(site, enrolmentRequest(second))).status).toBe(200)
})

test.each(BOTH_DATABASES)(
  'T11 of many who use a code at once a single host gets in, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const code = await newCode(site, acantsOf(site))
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => ask(site, enrolmentRequest(code))),
    )
    expect(takenAndRefused(answers)).toEqual({ taken: 1, refused: 7 })
  },
)

test('T11 guesses are slowed, and the first that is recorded', async () => {
  await using site = await openTestSite({ signInLimit: 2 })
  const statuses: number[] = []
  for (let guess = 0; guess < 5; guess += 1) {
    statuses.push((await ask(site, enrolmentRequest('00000-00000-00000-00000'))).status)
  }
  expect(statuses).toEqual([401, 401, 429, 429, 429])
  const refusals = await refusalsOf(site)
  expect(refusals.filter((reason) => reason.startsWith('too many attempts'))).toHaveLength(1)
})

test.each([-61, 61])(
  'F11 T11 a host whose clock is %i minutes off is not given a certificate',
  async (minutes) => {
    await using site = await openTestSite()
    const code = await newCode(site, acantsOf(site))
    const clock = new Date(Date.now() + minutes * MINUTE_MS).toISOString()
    const { status, failure } = await ask(site, enrolmentRequest(code, { clock }))
    expect([status, failure.error]).toEqual([409, expect.stringContaining('Set it, by NTP')])
    expect((await ask(site, enrolmentRequest(code))).status).toBe(200)
  },
)

test.each([
  [['encoder:8000'], 'this agent offers none'],
  [['acants:1', 'acants:2'], 'add --seat with one of the ports 1, 2'],
])(
  'T11 an agent with the seats %j is not enrolled for a server, and says why',
  async (seats, words) => {
    await using site = await openTestSite()
    const code = await newCode(site, acantsOf(site))
    const { status, failure } = await ask(site, enrolmentRequest(code, { seats }))
    expect([status, failure.error]).toEqual([409, expect.stringContaining(words)])
  },
)

test('T11 a key that is no P-256 key is refused', async () => {
  await using site = await openTestSite()
  const code = await newCode(site, acantsOf(site))
  const { publicKey } = testKey('P-384')
  const answer = await ask(site, enrolmentRequest(code, { publicKey }))
  expect([answer.status, answer.failure.field]).toEqual([400, 'publicKey'])
})

test('T11 a code for a host that was moved meanwhile is not good', async () => {
  await using site = await openTestSite()
  const code = await newCode(site, acantsOf(site))
  await site.ctx.db
    .updateTable('servers')
    .set({ port: 9 })
    .where('id', '=', site.acantsId)
    .execute()
  const { status, failure } = await ask(site, enrolmentRequest(code))
  expect([status, failure.error]).toEqual([409, expect.stringContaining('Make a new code')])
})

test('T11 a channel server is not enrolled, and an encoder’s host is', async () => {
  await using site = await openTestSite()
  const channel = { kind: 'server' as const, id: site.channelServerId }
  const refused = await site.call('admin', addEnrolmentCode, { params: channel })
  expect([refused.status, refused.failure.error]).toEqual([
    409,
    expect.stringContaining('https://'),
  ])
  const { id } = await addTestEncoder(site, 0)
  const code = await newCode(site, { kind: 'encoder', id })
  const { answer } = await ask(site, enrolmentRequest(code))
  expect(answer.data.seat).toBe('encoder:8000')
})

test('T11 a revoked host is cut off at once, keeps its programs, and is reached again by a new code', async () => {
  await using site = await openTestSite()
  const params = acantsOf(site)
  const address = { host: '127.0.0.1', port: site.linkHost.port }
  await site.linkHost.linked()
  const early = await site.call('admin', revokeEnrolment, { params })
  expect(early.status).toBe(409)
  await ask(site, enrolmentRequest(await newCode(site, params)))
  const unusedCode = await newCode(site, params)
  const { answer } = await site.call('admin', revokeEnrolment, { params })
  expect(answer.data).toMatchObject({ security: 'revoked', codeEndsInMs: null })
  await site.linkHost.unlinked()
  await expect(site.ctx.hosts.call(address, 'probePort', { port: 6000 })).rejects.toThrow(
    'was revoked',
  )
  expect(site.linkHost.calls.map(({ call }) => call)).not.toContain('controlProgram')
  expect((await ask(site, enrolmentRequest(unusedCode))).status).toBe(401)
  expect(await securityOf(site)).toBe('revoked')
  expect((await ask(site, enrolmentRequest(await newCode(site, params)))).status).toBe(200)
  // Never by its key again.
  expect(await securityOf(site)).toBe('enrolled')
})

test('T11 why a host is not encrypted is for admins alone', async () => {
  await using site = await openTestSite()
  const params = acantsOf(site)
  for (const who of ['northManager', 'northEditor', 'northMonitor'] as const) {
    expect((await site.call(who, readEnrolment, { params })).status).toBe(403)
  }
})
