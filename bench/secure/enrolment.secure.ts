/**
 * T11: who is let in, and who is not, between the API and real agents. The right host is enrolled by the
 * command of the agent; then come plain HTTP, other authorities, expired certificates, certificates of
 * other agents, replayed and old codes, guesses, and a host that reports for another. `BENCH_GUESSES`,
 * `BENCH_TRIES`, `BENCH_REPORTS`: fewer or more.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openTestAgent, type TestAgent } from '@trunkline/agent/agent.fixture'
import { enrol } from '@trunkline/agent/identity/enrol-command'
import { enrolmentRequest, newCode, testKey } from '@trunkline/api/enrolment/enrolment.fixture'
import * as hostIdentityService from '@trunkline/api/hosts/certificates/host-identity.service'
import * as hostIdentityStore from '@trunkline/api/hosts/certificates/host-identity.store'
import {
  testIdentity,
  TlsHost,
  type IdentityWish,
} from '@trunkline/api/hosts/certificates/tls-host.fixture'
import { siteAuthorityOf } from '@trunkline/api/security/certificates/site-authority'
import { FakeHost } from '@trunkline/api/testing/fake-host'
import { inject } from '@trunkline/api/testing/inject'
import { makeServer } from '@trunkline/api/testing/role-walk/things'
import { addTestEncoder, openTestSite, type TestSite } from '@trunkline/api/testing/test-site'
import { openTestApp } from '@trunkline/api/testing/test-app'
import { LINK_PATH } from '@trunkline/contract/agent/host-link.messages'
import { DAY_MS } from '@trunkline/contract/durations'
import { CODE_CHARACTERS, codeFrom } from '@trunkline/contract/enrolment/enrolment-code.rules'
import { enrolHost, revokeEnrolment } from '@trunkline/contract/enrolment/enrolment.calls'
import type { EnrolmentRequest } from '@trunkline/contract/enrolment/enrolment.schema'
import { removeServer } from '@trunkline/contract/servers/server.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { atMost, round, spread } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { printProof } from './proof.ts'

const GUESSES = settingOf('GUESSES', 10_000)
const TRIES = settingOf('TRIES', 20)
const REPORTS = settingOf('REPORTS', 1000)
const REVOKED_WITHIN_MS = 2000
/** Of a server that nobody dials in earnest. */
const UNUSED_PORT = 8013
/** Only ends what hangs. */
const LIMIT = { timeout: 120_000, interval: 2 }

const at = (port: number) => ({ host: '127.0.0.1', port })

test('T11 nobody is let in but the agent that was enrolled and the console that enrolled it', async () => {
  // The slowing of guesses is tested beside the code; here each of them is really tried.
  const site = await openTestSite({ signInLimit: 100_000_000 })
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const agent = await openTestAgent(['acants'])
  onTestFinished(async () => agent[Symbol.asyncDispose]())
  const [seat] = agent.config.seats
  if (seat === undefined) throw new Error('The agent has no seat.')
  const id = await makeServer(site, `Gateway ${seat.port}`, 'acants', seat.port, [site.north])
  await enrolByCommand(site, agent, id)
  await untilSecure(site, seat.port)

  const hosts = await hostsThatPretend(site)
  const consoles = await consolesThatPretend(site, agent)
  const codes = await codesThatAreNoGood(site, id)
  const reports = await reportsForAnother(site)
  const cutOffMs: number[] = []
  for (let round_ = 0; round_ < TRIES; round_ += 1) cutOffMs.push(await revokeOnce(site, agent, id))
  const accepted = { ...hosts, ...consoles, ...codes, 'report for another host': reports }
  const total = Object.values(accepted).reduce((sum, count) => sum + count, 0)
  const goals = [
    atMost('accepted', total, 0, ''),
    atMost('revoked to cut off, slowest', Math.max(...cutOffMs), REVOKED_WITHIN_MS, 'ms'),
  ]
  const missed = printProof('enrolment', {
    ours: {
      guesses: GUESSES,
      triesOfEach: TRIES,
      reports: REPORTS,
      accepted: total,
      acceptedOf: accepted,
      revokedToCutOffMs: spread(cutOffMs.map(round)),
    },
    faults: [],
    goals,
  })
  expect(accepted).toEqual(Object.fromEntries(Object.keys(accepted).map((name) => [name, 0])))
  expect(missed).toEqual([])
})

/** As an operator does: the code in the console, the command on the host. */
async function enrolByCommand(site: TestSite, agent: TestAgent, id: string): Promise<void> {
  if (!site.app.server.listening) await site.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = site.app.server.address() as AddressInfo
  const code = await newCode(site, { kind: 'server', id })
  const config = join(agent.config.dataDir, 'agent.json')
  writeFileSync(config, JSON.stringify(agent.config))
  const asked = ['--console', `http://127.0.0.1:${port}`, '--code', code, '--config', config]
  await enrol(asked)
}

async function untilSecure({ ctx }: TestSite, port: number): Promise<void> {
  await vi.waitFor(() => {
    expect(ctx.hosts.status(at(port))?.online).toBe(true)
    expect(ctx.hosts.ownLink(at(port))?.certificate ?? null).not.toBeNull()
    expect(ctx.hosts.identities.find(at(port))?.security).toBe('enrolled')
  }, LIMIT)
}

/** Each answers in the place of an enrolled host; how many got a link. */
async function hostsThatPretend(site: TestSite): Promise<Record<string, number>> {
  const stranger = await openTestApp()
  onTestFinished(async () => stranger[Symbol.asyncDispose]())
  const nowMs = Date.now()
  const kinds: Record<string, IdentityWish> = {
    'host of another authority': { authority: await siteAuthorityOf(stranger.ctx) },
    'host with an expired certificate': { fromMs: nowMs - 40 * DAY_MS, untilMs: nowMs - DAY_MS },
    'host with a console’s certificate': { purpose: 'console' },
    'host with another agent’s certificate': {},
  }
  const accepted: Record<string, number> = { 'host over plain HTTP': 0 }
  for (const [name, wish] of Object.entries(kinds)) {
    accepted[name] = 0
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const shown = await testIdentity(site.ctx, wish)
      const pinned = name.includes('another agent') ? await testIdentity(site.ctx) : shown
      await using host = await TlsHost.open(shown)
      accepted[name] += await dialledAs(site, host.port, pinned.keyHash, () => host.sockets.size)
    }
  }
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    await using host = await FakeHost.open({ seatKind: 'acants' })
    const { keyHash } = await testIdentity(site.ctx)
    const links = await dialledAs(site, host.port, keyHash, () => host.links)
    accepted['host over plain HTTP'] = (accepted['host over plain HTTP'] ?? 0) + links
  }
  return accepted
}

/** Once the API has dialled it and said why it is refused, or linked it: how many links it has. */
async function dialledAs(
  site: TestSite,
  port: number,
  keyHash: string,
  links: () => number,
): Promise<number> {
  const since = new Date().toISOString()
  const endsAt = new Date(Date.now() + DAY_MS).toISOString()
  await hostIdentityStore.put(site.ctx.db, at(port), {
    security: 'enrolled',
    openedBy: 'console',
    since,
  })
  await hostIdentityStore.addPin(site.ctx.db, at(port), { keyHash, issuedAt: since, endsAt })
  await hostIdentityService.publish(site.ctx, at(port))
  const id = await makeServer(site, `Gateway ${port}`, 'acants', port, [site.north])
  await site.ctx.hosts.linked(at(port))
  const found = links()
  // A later host may get the same port.
  await site.call('admin', removeServer, { params: { id } })
  return found
}

/** Each asks the enrolled agent; how many were answered. */
async function consolesThatPretend(
  site: TestSite,
  agent: TestAgent,
): Promise<Record<string, number>> {
  const [seat] = agent.config.seats
  const { port = 0, key = '' } = seat ?? {}
  const stranger = await openTestApp()
  onTestFinished(async () => stranger[Symbol.asyncDispose]())
  const own = await siteAuthorityOf(site.ctx)
  const nowMs = Date.now()
  const tls = async (wish: IdentityWish) => {
    const identity = await testIdentity(site.ctx, { purpose: 'console', ...wish })
    const { key: ownKey, certificate: cert } = identity
    return { key: ownKey, cert, ca: own.certificate, checkServerIdentity: () => undefined }
  }
  const kinds: Record<string, () => Promise<object>> = {
    'console of another authority': async () =>
      tls({ authority: await siteAuthorityOf(stranger.ctx) }),
    'console with an expired certificate': async () =>
      tls({ fromMs: nowMs - 40 * DAY_MS, untilMs: nowMs - DAY_MS }),
    'console with an agent’s certificate': async () => tls({ purpose: 'agent' }),
    'console without a certificate': async () => ({
      ca: own.certificate,
      checkServerIdentity: () => undefined,
    }),
  }
  const accepted: Record<string, number> = { 'console over plain HTTP with the key': 0 }
  const where = { host: '127.0.0.1', port, agent: false as const }
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    for (const path of ['/health', LINK_PATH]) {
      const headers = { authorization: `Bearer ${key}`, ...(path === LINK_PATH ? UPGRADE : {}) }
      const plain = await answers(httpRequest({ ...where, path, headers }))
      accepted['console over plain HTTP with the key'] =
        (accepted['console over plain HTTP with the key'] ?? 0) + Number(plain)
      for (const [name, options] of Object.entries(kinds)) {
        const asked = httpsRequest({ ...where, path, headers, ...(await options()) })
        accepted[name] = (accepted[name] ?? 0) + Number(await answers(asked))
      }
    }
  }
  return accepted
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': randomBytes(16).toString('base64'),
}

async function answers(asked: ReturnType<typeof httpRequest>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  asked.on('response', (response: IncomingMessage) => {
    response.resume()
    resolve((response.statusCode ?? 0) < 400)
  })
  asked.on('upgrade', (_response, socket) => {
    socket.destroy()
    resolve(true)
  })
  asked.on('error', () => resolve(false))
  asked.end()
  return promise
}

async function codesThatAreNoGood(site: TestSite, id: string): Promise<Record<string, number>> {
  const params = { kind: 'server' as const, id }
  const ask = async (body: EnrolmentRequest) =>
    Number((await inject(site.app, enrolHost, '', { body })).status < 300)
  const accepted = { 'replayed code': 0, 'old code': 0, 'changed request': 0, guess: 0 }
  const other = await makeServer(site, `Gateway ${UNUSED_PORT}`, 'acants', UNUSED_PORT, [
    site.north,
  ])
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const used = enrolmentRequest(await newCode(site, { ...params, id: other }))
    expect(await ask(used)).toBe(1)
    accepted['replayed code'] += await ask(used)
    const code = await newCode(site, params)
    accepted['changed request'] += await ask({
      ...enrolmentRequest(code),
      publicKey: testKey().publicKey,
    })
    await site.ctx.db
      .updateTable('enrolment_codes')
      .set({ ends_at: new Date(site.ctx.clock() - 1).toISOString() })
      .where('used_at', 'is', null)
      .execute()
    accepted['old code'] += await ask(enrolmentRequest(code))
  }
  await newCode(site, params)
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  for (let guess = 0; guess < GUESSES; guess += 1) {
    const code = codeFrom(randomBytes(CODE_CHARACTERS))
    accepted.guess += await ask(enrolmentRequest(code, { publicKey: spki }))
  }
  return accepted
}

/** A host says of a program of another host what it likes: how often something of it is believed. */
async function reportsForAnother(site: TestSite): Promise<number> {
  const { id } = await addTestEncoder(site, 0)
  const wanted = [...site.ctx.programs.allWanted()].find((each) => each.id === id)
  if (wanted === undefined) throw new Error('The encoder is not wanted.')
  const { programId } = wanted
  const known = site.encoderHost.programs.get(programId)
  if (known === undefined) throw new Error('Its host does not have it.')
  const look = () => JSON.stringify(site.ctx.board.look(wanted))
  let believed = 0
  const stopListening = site.ctx.board.listen((event) => {
    if (event.event === 'restart') believed += 1
  })
  await site.linkHost.linked()
  const before = look()
  for (let report = 0; report < REPORTS; report += 1) {
    const nowMs = Date.now()
    site.linkHost.tell({
      type: 'program',
      nowMs,
      report: { ...known, state: 'fatal', cause: `Forged ${report}`, restarts: report },
    })
    site.linkHost.tell({
      type: 'restart',
      programId,
      atMs: nowMs,
      restarts: report,
      cause: 'Forged',
    })
    site.linkHost.tell({ type: 'removed', programId })
    // Its answer comes behind what was said before.
    await site.ctx.hosts.call(at(site.linkHost.port), 'probePort', { port: 6000 })
    if (look() !== before) believed += 1
  }
  stopListening()
  return believed
}

/** From the call until the agent has lost the link; then it is enrolled again. */
async function revokeOnce(site: TestSite, agent: TestAgent, id: string): Promise<number> {
  const port = agent.config.seats[0]?.port ?? 0
  const fault = () => site.ctx.hosts.status(at(port))?.fault?.sentence ?? ''
  const link = site.ctx.hosts.ownLink(at(port))
  expect(link?.status.online).toBe(true)
  const startMs = performance.now()
  await site.call('superadmin', revokeEnrolment, { params: { kind: 'server', id } })
  await vi.waitFor(() => expect(fault()).toContain('was revoked'), LIMIT)
  const cutOffMs = performance.now() - startMs
  await enrolByCommand(site, agent, id)
  await untilSecure(site, port)
  return cutOffMs
}
