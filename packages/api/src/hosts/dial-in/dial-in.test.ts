/** T11 Hosts that connect by themselves: who is let in, and what becomes of the link. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { CLOSE_REPLACED, serverNameOf } from '@trunkline/contract/agent/host-link.messages'
import { DAY_MS } from '@trunkline/contract/durations'
import { revokeEnrolment } from '@trunkline/contract/enrolment/enrolment.calls'
import { removeServer } from '@trunkline/contract/servers/server.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testKey } from '../../enrolment/enrolment.fixture.ts'
import { outcomesOf } from '../../outcome-counts.ts'
import { dialInAuthorityOf, siteAuthorityOf } from '../../security/certificates/site-authority.ts'
import { openContextOn } from '../../testing/site-on.ts'
import * as hostIdentityStore from '../certificates/host-identity.store.ts'
import { testIdentity } from '../certificates/tls-host.fixture.ts'
import {
  ADDRESS,
  dialIdentity,
  dialIn,
  enrolDialling,
  faultOf,
  LIMIT,
  linked,
  openDialInSite,
  openEnrolledSite,
  untilOnline,
  type Shown,
} from './dial-in.fixture.ts'

test('T11 a host that is not dialled says so in its row until it connects, and has the usual link then', async () => {
  const { site, identity } = await openEnrolledSite()
  await vi.waitFor(() => expect(faultOf(site)).toContain('has not connected. It is not'), LIMIT)
  const record = site.ctx.hosts.record('server', site.serverId)
  const shown = () => record && site.ctx.board.host(record)
  expect(shown()).toMatchObject({ fault: 'not-connected', isEncrypted: true, heardAtMs: null })

  const { host, socket } = await linked(site.agentPort, identity)
  await untilOnline(site, true)
  const { free } = await site.ctx.hosts.call(ADDRESS, 'probePort', { port: 6000 })
  expect(free).toBe(true)
  expect(host.calls.map(({ call }) => call)).toContain('probePort')

  socket.terminate()
  await untilOnline(site, false)
  expect(faultOf(site)).toContain('has closed its connection to this console, or lost it')
  await linked(site.agentPort, identity)
  await untilOnline(site, true)
})

test('T11 a newer connection of a host takes the place of the older one, which hears it', async () => {
  const { site, identity } = await openEnrolledSite()
  const first = await linked(site.agentPort, identity)
  await untilOnline(site, true)
  first.host.silentOn.add('probePort')
  const asked = site.ctx.hosts.call(ADDRESS, 'probePort', { port: 6000 })
  const failed = asked.catch(String)
  await first.host.asked('probePort')
  const closed = once(first.socket, 'close')
  const second = await linked(site.agentPort, identity)
  expect((await closed)[0]).toBe(CLOSE_REPLACED)
  expect(await failed).toContain('has connected anew')
  await second.host.linked()
  await site.ctx.hosts.call(ADDRESS, 'probePort', { port: 6001 })
  expect(second.host.paramsOf('probePort')).toContainEqual({ port: 6001 })
})

test.each([
  ['without a certificate', 'NO_CERTIFICATE', 'Only host agents connect here'],
  ['with a certificate of another authority', 'OTHER_AUTHORITY', 'comes from another authority'],
  ['with that of a host which is dialled', 'OTHER_AUTHORITY', 'comes from another authority'],
  ['with that of a console which dials', 'OTHER_AUTHORITY', 'comes from another authority'],
  ['with that of the console’s port', 'INVALID_PURPOSE', 'not made for a host'],
  ['with an expired certificate', 'CERT_HAS_EXPIRED', 'has expired'],
  ['with a certificate of tomorrow', 'CERT_NOT_YET_VALID', 'the clock of the console is wrong'],
  ['with a certificate that is not pinned', 'NOT_PINNED', 'was revoked in the console'],
] as const)(
  'T11 whoever comes %s is refused by a sentence of its own',
  async (which, code, words) => {
    const { site } = await openEnrolledSite()
    const stranger = await openContextOn('SQLite')
    const nowMs = Date.now()
    const shown = {
      'without a certificate': async (): Promise<Shown> => ({}),
      'with a certificate of another authority': async () =>
        dialIdentity(site.ctx, { authority: await dialInAuthorityOf(stranger.ctx) }),
      'with that of a host which is dialled': async () => testIdentity(site.ctx),
      'with that of a console which dials': async () =>
        testIdentity(site.ctx, { purpose: 'console' }),
      'with that of the console’s port': async () =>
        dialIdentity(site.ctx, { purpose: 'console for agents' }),
      'with an expired certificate': async () =>
        dialIdentity(site.ctx, { fromMs: nowMs - 40 * DAY_MS, untilMs: nowMs - DAY_MS }),
      'with a certificate of tomorrow': async () =>
        dialIdentity(site.ctx, { fromMs: nowMs + DAY_MS, untilMs: nowMs + 2 * DAY_MS }),
      'with a certificate that is not pinned': async () => dialIdentity(site.ctx),
    }
    const identity = await shown[which]()
    // The pin alone must not be what refuses them.
    if ('keyHash' in identity && code !== 'NOT_PINNED') {
      await enrolDialling(site, String(identity.keyHash))
    }
    const { authority } = await dialIdentity(site.ctx)
    const end = await dialIn(site.agentPort, { ...identity, authority })
    expect(end).toMatchObject({ kind: 'refused', code })
    expect(end.kind === 'refused' && end.sentence).toContain(words)
    expect(site.ctx.hosts.status(ADDRESS)?.online).toBe(false)
    const isExpired = code === 'CERT_HAS_EXPIRED'
    expect(faultOf(site).includes('tries to connect, and its certificate has')).toBe(isExpired)
  },
)

test('T11 a revoked host is cut off before the call answers, and not let in again', async () => {
  const { site, identity } = await openEnrolledSite()
  const { socket } = await linked(site.agentPort, identity)
  await untilOnline(site, true)
  const closed = once(socket, 'close')
  const params = { kind: 'server' as const, id: site.serverId }
  const { answer } = await site.call('superadmin', revokeEnrolment, { params })
  expect(answer.data).toMatchObject({ security: 'revoked', openedBy: 'host' })
  expect(site.ctx.hosts.ownLink(ADDRESS)?.certificate).toBeNull()
  await closed
  await untilOnline(site, false)
  expect(faultOf(site)).toContain('was revoked')
  expect(await dialIn(site.agentPort, identity)).toMatchObject({ code: 'NOT_PINNED' })
})

test('T16 where a host was linked from, and the name it asks by, are known, as long as the host may connect', async () => {
  const { site, identity } = await openEnrolledSite()
  const { identities } = site.ctx.hosts
  expect(identities.isNetworkOfHost('127.0.0.1')).toBe(false)
  expect(identities.isNameOfHost(serverNameOf(identity.keyHash))).toBe(true)
  const { socket } = await linked(site.agentPort, identity)
  await vi.waitFor(() => expect(identities.isNetworkOfHost('127.0.0.1')).toBe(true), LIMIT)
  expect((await hostIdentityStore.find(site.ctx.db, ADDRESS))?.connectsFrom).toBe('127.0.0.1')
  expect(socket.readyState).toBe(socket.OPEN)
  const params = { kind: 'server' as const, id: site.serverId }
  await site.call('superadmin', revokeEnrolment, { params })
  expect(identities.isNetworkOfHost('127.0.0.1')).toBe(false)
  expect(identities.isNameOfHost(serverNameOf(identity.keyHash))).toBe(false)
})

test('T16 the log says that the port for agents is full, and it is counted how often', async () => {
  const { site } = await openEnrolledSite()
  const warn = vi.spyOn(site.ctx.log, 'warn')
  const sockets = Array.from({ length: 32 }, () => connect(site.agentPort, '127.0.0.1'))
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  for (const socket of sockets) socket.on('error', () => undefined).resume()
  await vi.waitFor(() => expect(outcomesOf(site.ctx).agentPortRefusals.full).toBe(2), LIMIT)
  const full = { ip: '127.0.0.1', code: 'FULL', refusedSinceLastLine: 0 }
  expect(warn.mock.calls).toEqual([[full, expect.stringContaining('The port for agents has')]])
})

test('T11 a host whose record was removed is told so', async () => {
  const { site, identity } = await openEnrolledSite()
  await site.call('admin', removeServer, { params: { id: site.serverId } })
  await vi.waitFor(async () => {
    const end = await dialIn(site.agentPort, identity)
    expect(end).toMatchObject({ kind: 'refused', code: 'NO_RECORD' })
  }, LIMIT)
})

test('T11 the certificate of a host that connects cannot be used as that of the console', async () => {
  const { site, identity } = await openEnrolledSite()
  const dialled = await siteAuthorityOf(site.ctx)
  const dialling = await dialInAuthorityOf(site.ctx)
  // An agent that is dialled takes whatever client comes from the authority that it has.
  expect(dialled.certificate).not.toBe(dialling.certificate)
  const end = await dialIn(site.agentPort, { ...identity, authority: dialled.certificate })
  expect(end.kind).toBe('failed')
})

test('T11 what was recorded of a connection opens none when it is sent again', async () => {
  const { site, identity } = await openEnrolledSite()
  const sent: Buffer[] = []
  const relay = createServer((near: Socket) => {
    const far = connect(site.agentPort, '127.0.0.1')
    near.on('data', (bytes: Buffer) => sent.push(bytes))
    near.on('error', () => undefined).on('close', () => far.destroy())
    far.on('error', () => undefined).on('close', () => near.destroy())
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  onTestFinished(() => void relay.close())
  const { port } = relay.address() as AddressInfo
  const { socket } = await linked(port, identity)
  await untilOnline(site, true)
  socket.terminate()
  await untilOnline(site, false)
  const replay = connect(site.agentPort, '127.0.0.1')
  replay.on('error', () => undefined).resume()
  const ended = once(replay, 'close')
  replay.write(Buffer.concat(sent))
  await ended
  expect(site.ctx.hosts.status(ADDRESS)?.online).toBe(false)
})

test('T11 a certificate that ends soon is renewed over the link that the host has opened', async () => {
  const dueAtMs = Date.now() + 5 * DAY_MS
  const { site, identity } = await openEnrolledSite({ untilMs: dueAtMs })
  const next = testKey()
  const certificates: string[] = []
  const { socket } = await linked(site.agentPort, identity, ({ call, params }) => {
    if (call === 'makeCertificateKey') return { publicKey: next.publicKey }
    if (call !== 'useCertificate') return undefined
    certificates.push((params as { certificate: string }).certificate)
    return { used: true }
  })
  await vi.waitFor(() => expect(certificates).toHaveLength(1), LIMIT)
  const [certificate = ''] = certificates
  expect(new X509Certificate(certificate).validToDate.getTime()).toBeGreaterThan(dueAtMs)
  expect(socket.readyState).toBe(socket.OPEN)
  // Of the same authority, and it takes the place of the first one once it was shown.
  await linked(site.agentPort, { ...identity, key: next.key, certificate })
  await vi.waitFor(() => {
    expect(site.ctx.hosts.identities.findByKey(identity.keyHash)).toBeNull()
  }, LIMIT)
  expect(await dialIn(site.agentPort, identity)).toMatchObject({ code: 'NOT_PINNED' })
})

test('T11 another path, an older TLS and plain HTTP get no link', async () => {
  const { site, identity } = await openEnrolledSite()
  expect(await dialIn(site.agentPort, identity, '/other')).toMatchObject({ code: 'NOT_FOUND' })
  const { key, certificate: cert, authority: ca } = identity
  const options = { key, cert, ca, checkServerIdentity: () => undefined }
  const old = connectTls({ ...options, port: site.agentPort, maxVersion: 'TLSv1.2' })
  expect(await once(old, 'error').catch(String)).toBeDefined()
  expect(old.authorized).toBe(false)
  const plain = connect(site.agentPort, '127.0.0.1')
  let heard = ''
  plain.on('error', () => undefined)
  plain.on('data', (bytes: Buffer) => (heard += bytes.toString('latin1')))
  plain.write('GET /link HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(plain, 'close')
  expect(heard).not.toContain('HTTP')
  expect(site.ctx.hosts.status(ADDRESS)?.online).toBe(false)
})

test('a site without the setting listens nowhere for hosts', async () => {
  const site = await openDialInSite({ agentListen: null })
  await expect(once(connect(site.agentPort, '127.0.0.1'), 'connect')).rejects.toThrow(
    'ECONNREFUSED',
  )
})
