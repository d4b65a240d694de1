/** T11 The door of a seat before, during and after its enrolment: a real agent, TLS by Node. */
import { once } from 'node:events'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { HostMessage, LINK_PATH } from '@trunkline/contract/agent/host-link.messages'
import { afterAll, afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { eventually, openLink, openTestAgent, shared } from '../agent.fixture.ts'
import { openAuthority, type TestAuthority } from '../identity/authority.fixture.ts'
import { identityFile, writeIdentity } from '../identity/identity-file.ts'
import { newKey, publicKeyOf } from '../identity/seat-identity.ts'

const agent = shared(async () => openTestAgent(['acants', 'channel']))
const authority = openAuthority()
const stranger = openAuthority()
const consoleKey = newKey()

afterAll(() => {
  authority[Symbol.dispose]()
  stranger[Symbol.dispose]()
})

function seat() {
  const [found] = agent.config.seats
  if (!found) throw new Error('no seat')
  return found
}

const file = () => identityFile(agent.config.dataDir, 'acants-0')
const identity = () => agent.ctx.identities.of('acants-0')

/** As `trunkline-agent enrol` does beside the running agent. */
function enrolSeat(by: TestAuthority = authority): { certificate: string } {
  const key = newKey()
  const certificate = by.issue(publicKeyOf(key), 'agent')
  writeIdentity(file(), { key, certificate, authority: by.certificate, nextKey: null })
  identity()?.look()
  return { certificate }
}

afterEach(() => {
  rmSync(file(), { force: true })
  identity()?.look()
})

function consoleTls(
  by: TestAuthority = authority,
  purpose: 'console' | 'agent' = 'console',
): Record<string, unknown> {
  return {
    key: consoleKey,
    cert: by.issue(publicKeyOf(consoleKey), purpose),
    ca: authority.certificate,
    minVersion: 'TLSv1.3',
    checkServerIdentity: () => undefined,
  }
}

interface Answer {
  status: number
  refusal: string | undefined
  clockMs: number
}

async function askOverTls(options: Record<string, unknown>, path = '/health'): Promise<Answer> {
  const asked = httpsRequest({
    host: '127.0.0.1',
    port: seat().port,
    path,
    agent: false,
    ...options,
  })
  return answerTo(asked)
}

async function askPlain(path = '/health'): Promise<Answer> {
  const headers = { authorization: `Bearer ${seat().key}` }
  return answerTo(
    httpRequest({ host: '127.0.0.1', port: seat().port, path, agent: false, headers }),
  )
}

async function answerTo(asked: ReturnType<typeof httpRequest>): Promise<Answer> {
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  const refusal = response.headers['trunkline-refusal']
  return {
    status: response.statusCode ?? 0,
    refusal: typeof refusal === 'string' ? refusal : undefined,
    clockMs: Number(response.headers['trunkline-clock-ms']),
  }
}

interface SecureLink {
  socket: WebSocket
  certificate: string
  ask(call: string, params: object): Promise<HostMessage>
}

async function linkOverTls(): Promise<SecureLink> {
  const socket = new WebSocket(`wss://127.0.0.1:${seat().port}${LINK_PATH}`, consoleTls())
  const next = async () => {
    const [data] = (await once(socket, 'message')) as [Buffer]
    return HostMessage.parse(JSON.parse(data.toString()))
  }
  const hello = next()
  const [response] = (await once(socket, 'upgrade')) as [IncomingMessage]
  const shown = (response.socket as TLSSocket).getPeerX509Certificate()
  expect((await hello).type).toBe('hello')
  let id = 0
  return {
    socket,
    certificate: shown?.toString() ?? '',
    async ask(call, params) {
      id += 1
      const answer = next()
      socket.send(JSON.stringify({ id, call, params }))
      return answer
    },
  }
}

test('T11 a seat that is not enrolled is reached by its key', async () => {
  expect(await askPlain()).toMatchObject({ status: 200 })
})

test('T11 enrolment cuts the links that came with the key, and takes the console’s certificate from then on', async () => {
  const plain = await openLink(seat())
  const closed = once(plain.socket, 'close')
  const { certificate } = enrolSeat()
  await closed
  expect(await askPlain()).toMatchObject({ status: 403, refusal: 'TLS_ONLY' })
  expect(await askOverTls(consoleTls())).toMatchObject({ status: 200, refusal: undefined })
  const link = await linkOverTls()
  expect(link.certificate).toBe(certificate)
  link.socket.terminate()
})

test('T11 a running agent notices by itself that it was enrolled', async () => {
  const key = newKey()
  const certificate = authority.issue(publicKeyOf(key), 'agent')
  writeIdentity(file(), { key, certificate, authority: authority.certificate, nextKey: null })
  await eventually(async () => expect(await askPlain()).toMatchObject({ status: 403 }))
})

test('T11 nobody but a console of this authority is let in', async () => {
  enrolSeat()
  const refusals = [
    await askOverTls(consoleTls(stranger)),
    await askOverTls(consoleTls(authority, 'agent')),
    await askOverTls({ ...consoleTls(), key: undefined, cert: undefined }),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403])
  expect(refusals.map(({ refusal }) => refusal)).toEqual([
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'INVALID_PURPOSE',
    'UNABLE_TO_GET_ISSUER_CERT',
  ])
  expect(refusals[0]?.clockMs).toBeGreaterThan(Date.UTC(2026, 0, 1))
  const links = await Promise.all([
    askOverTls(consoleTls(stranger), LINK_PATH),
    askPlain(LINK_PATH),
  ])
  expect(links.map(({ status }) => status)).not.toContain(101)
})

test('T11 TLS older than 1.3 is refused', async () => {
  enrolSeat()
  const old = { ...consoleTls(), minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }
  await expect(askOverTls(old)).rejects.toThrow(/protocol version|disconnected|ECONNRESET/)
})

test('T11 a client that sends byte by byte, or nothing, delays no other client', async () => {
  enrolSeat()
  const slow = connect(seat().port, '127.0.0.1')
  slow.on('error', () => undefined)
  await once(slow, 'connect')
  slow.write('G')
  expect(await askOverTls(consoleTls())).toMatchObject({ status: 200 })
  slow.write('ET /health HTTP/1.1\r\nhost: seat\r\n\r\n')
  const [answer] = (await once(slow, 'data')) as [Buffer]
  expect(answer.toString()).toContain('403 Forbidden')
  slow.destroy()
})

test('T11 a certificate is renewed over the link, which stays open; the next link shows the new certificate', async () => {
  const { certificate } = enrolSeat()
  const link = await linkOverTls()
  const [first, again] = [
    await link.ask('makeCertificateKey', {}),
    await link.ask('makeCertificateKey', {}),
  ]
  expect(again).toMatchObject({ result: 'result' in first && first.result })
  const { publicKey } = ('result' in first ? first.result : {}) as { publicKey: string }
  const renewed = authority.issue(publicKey, 'agent')
  expect(await link.ask('useCertificate', { certificate: renewed })).toMatchObject({
    result: { used: true },
  })
  expect(link.socket.readyState).toBe(WebSocket.OPEN)
  const next = await linkOverTls()
  expect([next.certificate === renewed, next.certificate === certificate]).toEqual([true, false])
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toMatchObject({ nextKey: null })
  // The answer of the last time may have been lost.
  expect(await next.ask('useCertificate', { certificate: renewed })).toMatchObject({
    result: { used: true },
  })
  link.socket.terminate()
  next.socket.terminate()
})

test('T11 a certificate for another key, of another authority, or none at all is not used', async () => {
  const { certificate } = enrolSeat()
  const link = await linkOverTls()
  const made = await link.ask('makeCertificateKey', {})
  const { publicKey } = ('result' in made ? made.result : {}) as { publicKey: string }
  const offered = [
    authority.issue(publicKeyOf(newKey()), 'agent'),
    stranger.issue(publicKey, 'agent'),
    'no certificate',
  ]
  for (const each of offered) {
    expect(await link.ask('useCertificate', { certificate: each })).toMatchObject({
      failure: { code: 'refused' },
    })
  }
  const next = await linkOverTls()
  expect(next.certificate).toBe(certificate)
  link.socket.terminate()
  next.socket.terminate()
})

test('T11 a damaged identity lets nobody in, neither with the key nor over TLS', async () => {
  enrolSeat()
  writeIdentity(file(), {} as never)
  identity()?.look()
  await expect(askPlain()).rejects.toThrow(/hang up|ECONNRESET/)
  await expect(askOverTls(consoleTls())).rejects.toThrow(/disconnected|hang up|ECONNRESET/)
})

test('T11 a channel seat has no identity: players meet it over HTTP', () => {
  expect(agent.ctx.identities.of('channel-0')).toBeNull()
})

test('T11 a seat that dials out accepts no connections, not even from another host of its authority', async () => {
  const key = newKey()
  const certificate = authority.issue(publicKeyOf(key), 'console')
  const dialTo = ['127.0.0.1:1']
  const enrolled = { key, certificate, authority: authority.certificate, nextKey: null, dialTo }
  writeIdentity(file(), enrolled)
  identity()?.look()
  expect(await askPlain()).toMatchObject({ status: 403, refusal: 'DIALS_OUT' })
  // The other host is a client of the same authority, as a console would be.
  for (const path of ['/health', LINK_PATH]) {
    await expect(askOverTls(consoleTls(), path)).rejects.toThrow(
      /EPROTO|ECONNRESET|wrong version|socket hang up|packet length/,
    )
  }
})
