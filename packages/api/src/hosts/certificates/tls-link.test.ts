import { DAY_MS } from '@trunkline/contract/durations'
import { expect, onTestFinished, test, vi } from 'vitest'
import { siteAuthorityOf } from '../../security/certificates/site-authority.ts'
import { FakeHost } from '../../testing/fake-host.ts'
import { makeServer } from '../../testing/role-walk/things.ts'
import { BOTH_DATABASES, openContextOn, openSiteOn } from '../../testing/site-on.ts'
import type { TestSite } from '../../testing/test-site.ts'
import * as hostIdentityService from './host-identity.service.ts'
import * as hostIdentityStore from './host-identity.store.ts'
import type { HostIdentity } from './host-access.ts'
import { testIdentity, TlsHost, type TestIdentity } from './tls-host.fixture.ts'

/** Only ends what hangs. */
const LIMIT = { timeout: 60_000, interval: 20 }

async function openTlsHost(identity: TestIdentity): Promise<TlsHost> {
  const host = await TlsHost.open(identity)
  onTestFinished(async () => host[Symbol.asyncDispose]())
  return host
}

const at = (port: number) => ({ host: '127.0.0.1', port })

/** As if it had been enrolled with these keys, oldest first. */
async function enrolAt(
  { ctx }: TestSite,
  port: number,
  keyHashes: readonly string[],
  security: HostIdentity['security'] = 'enrolled',
): Promise<void> {
  await hostIdentityStore.put(ctx.db, at(port), {
    security,
    openedBy: 'console',
    since: new Date().toISOString(),
  })
  for (const [index, keyHash] of keyHashes.entries()) {
    const issuedAt = new Date(Date.UTC(2026, 0, 1 + index)).toISOString()
    const endsAt = new Date(Date.now() + 30 * DAY_MS).toISOString()
    await hostIdentityStore.addPin(ctx.db, at(port), { keyHash, issuedAt, endsAt })
  }
  await hostIdentityService.publish(ctx, at(port))
}

async function faultAt({ ctx }: TestSite, port: number): Promise<string> {
  await vi.waitFor(() => {
    const fault = ctx.hosts.status(at(port))?.fault
    if (fault?.kind !== 'certificate') throw new Error(`Not yet: ${fault?.sentence}`)
  }, LIMIT)
  return ctx.hosts.status(at(port))?.fault?.sentence ?? ''
}

test.each(BOTH_DATABASES)(
  'T11 a host with its certificate is linked over TLS, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const identity = await testIdentity(site.ctx)
    const host = await openTlsHost(identity)
    await enrolAt(site, host.port, [identity.keyHash])
    const id = await makeServer(site, 'Gateway', 'acants', host.port, [site.north])
    await host.linked()
    await vi.waitFor(() => expect(site.ctx.hosts.status(at(host.port))?.online).toBe(true), LIMIT)
    const record = site.ctx.hosts.record('server', id)
    expect(record && site.ctx.board.host(record)).toMatchObject({ online: true, isEncrypted: true })
  },
)

test.each([
  ['of another authority', 'comes from another authority'],
  ['that has expired', 'has expired'],
  ['that is not valid yet', 'the clock of this console is wrong'],
  ['of another agent', 'another agent answers there'],
  ['that is made for a console', 'is not made for a host agent'],
] as const)(
  'T11 a host with a certificate %s is refused by its own sentence',
  async (which, words) => {
    const site = await openSiteOn('SQLite')
    const stranger = await openContextOn('SQLite')
    const nowMs = Date.now()
    const wishes = {
      'of another authority': { authority: await siteAuthorityOf(stranger.ctx) },
      'that has expired': { fromMs: nowMs - 40 * DAY_MS, untilMs: nowMs - DAY_MS },
      'that is not valid yet': { fromMs: nowMs + DAY_MS },
      'of another agent': {},
      'that is made for a console': { purpose: 'console' as const },
    }
    const own = await testIdentity(site.ctx)
    const shown = await testIdentity(site.ctx, wishes[which])
    const host = await openTlsHost(shown)
    // All but the other agent's are pinned: the pin alone must not be what refuses them.
    const pinned = which === 'of another agent' ? own.keyHash : shown.keyHash
    await enrolAt(site, host.port, [pinned])
    await makeServer(site, 'Gateway', 'acants', host.port, [site.north])
    expect(await faultAt(site, host.port)).toContain(words)
    expect(host.sockets.size).toBe(0)
  },
)

test('T11 an enrolled host that answers without TLS is not given the key', async () => {
  const site = await openSiteOn('SQLite')
  const host = await FakeHost.open({ seatKind: 'acants' })
  onTestFinished(async () => host[Symbol.asyncDispose]())
  const { keyHash } = await testIdentity(site.ctx)
  await enrolAt(site, host.port, [keyHash])
  await makeServer(site, 'Gateway', 'acants', host.port, [site.north])
  expect(await faultAt(site, host.port)).toContain('answers without encryption')
  expect(host.links).toBe(0)
})

test.each([
  ['CERT_HAS_EXPIRED', 'Set the clock of the host'],
  ['CERT_NOT_YET_VALID', 'Set the clock of the host'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'does not take this console’s certificate'],
  ['TLS_ONLY', 'takes encrypted connections only'],
])('T11 F11 a host that refuses the console with %s says why by name', async (refusal, words) => {
  const site = await openSiteOn('SQLite')
  const identity = await testIdentity(site.ctx)
  const host = await openTlsHost(identity)
  host.refusal = refusal
  host.clockMs = Date.UTC(2031, 4, 3, 14, 1)
  await enrolAt(site, host.port, [identity.keyHash])
  await makeServer(site, 'Gateway', 'acants', host.port, [site.north])
  const sentence = await faultAt(site, host.port)
  expect(sentence).toContain(words)
  expect(sentence.includes('2031-05-03 14:01 UTC')).toBe(refusal.startsWith('CERT_'))
})

test('T11 a host that has not used its certificate yet is reached by its key, and over TLS from then on', async () => {
  const site = await openSiteOn('SQLite')
  const identity = await testIdentity(site.ctx)
  const plain = await FakeHost.open({ seatKind: 'acants' })
  const { port } = plain
  await enrolAt(site, port, [identity.keyHash], 'waiting')
  const id = await makeServer(site, 'Gateway', 'acants', port, [site.north])
  await plain.linked()
  const record = site.ctx.hosts.record('server', id)
  expect(record && site.ctx.board.host(record)).toMatchObject({ isEncrypted: false })
  await plain[Symbol.asyncDispose]()
  const host = await TlsHost.open(identity, port)
  onTestFinished(async () => host[Symbol.asyncDispose]())
  await host.linked()
  await vi.waitFor(
    () => expect(site.ctx.hosts.identities.find(at(port))?.security).toBe('enrolled'),
    LIMIT,
  )
})

test('T11 the old key is accepted until the new key was used, and not after', async () => {
  const site = await openSiteOn('SQLite')
  const [old, renewed] = [await testIdentity(site.ctx), await testIdentity(site.ctx)]
  const host = await openTlsHost(old)
  await enrolAt(site, host.port, [old.keyHash, renewed.keyHash])
  await makeServer(site, 'Gateway', 'acants', host.port, [site.north])
  await host.linked()
  host.use(renewed)
  host.cut()
  const pins = () => site.ctx.hosts.identities.find(at(host.port))?.pins.map((pin) => pin.keyHash)
  await vi.waitFor(() => expect(pins()).toEqual([renewed.keyHash]), LIMIT)
  host.use(old)
  host.cut()
  expect(await faultAt(site, host.port)).toContain('another agent answers there')
})

/** A host with five days left, which goes away in the middle of its renewal. */
async function openDue(goesAwayAt: TlsHost['goesAwayAt']) {
  const site = await openSiteOn('SQLite')
  const dueAtMs = Date.now() + 5 * DAY_MS
  const identity = await testIdentity(site.ctx, { untilMs: dueAtMs })
  const host = await openTlsHost(identity)
  host.goesAwayAt = goesAwayAt
  await enrolAt(site, host.port, [identity.keyHash])
  await makeServer(site, 'Gateway', 'acants', host.port, [site.north])
  return { site, host, dueAtMs, identity }
}

/** Once it has another certificate and was linked by it: which pins are left, and what it shows. */
async function renewed({ site, host, dueAtMs, identity }: Awaited<ReturnType<typeof openDue>>) {
  await vi.waitFor(() => {
    const shown = site.ctx.hosts.ownLink(at(host.port))?.certificate
    expect(host.given).toHaveLength(1)
    expect(host.keyHash).not.toBe(identity.keyHash)
    expect(shown).toMatchObject({ keyHash: host.keyHash })
    expect(shown?.endsAtMs).toBeGreaterThan(dueAtMs)
  }, LIMIT)
  host.goesAwayAt = null
  host.cut()
  const pins = () => site.ctx.hosts.identities.find(at(host.port))?.pins.map((pin) => pin.keyHash)
  await vi.waitFor(() => expect(pins()).toHaveLength(1), LIMIT)
  return { pins: pins(), shown: [host.keyHash] }
}

test('T11 a certificate with a third of its time left is renewed over the link', async () => {
  const { pins, shown } = await renewed(await openDue(null))
  expect(pins).toEqual(shown)
})

test('T11 a host that took the new certificate and whose answer is lost is reached by it', async () => {
  const { pins, shown } = await renewed(await openDue('answer'))
  expect(pins).toEqual(shown)
})

test.each(['key', 'certificate'] as const)(
  'T11 a host that goes away before it has the new certificate, at %j, is reached by the old one',
  async (goesAwayAt) => {
    const due = await openDue(goesAwayAt)
    const { site, host, identity } = due
    // It comes back each time, and goes away again.
    await vi.waitFor(() => {
      const shown = site.ctx.hosts.ownLink(at(host.port))?.certificate
      expect(shown?.keyHash).toBe(identity.keyHash)
    }, LIMIT)
    host.goesAwayAt = null
    const { pins, shown } = await renewed(due)
    expect(pins).toEqual(shown)
  },
)

test('T11 a certificate with more than a third of its time left is not renewed', async () => {
  const site = await openSiteOn('SQLite')
  const identity = await testIdentity(site.ctx, { untilMs: Date.now() + 11 * DAY_MS })
  const host = await openTlsHost(identity)
  await enrolAt(site, host.port, [identity.keyHash])
  await makeServer(site, 'Gateway', 'acants', host.port, [site.north])
  await host.linked()
  await hostIdentityService.renewDue(site.ctx)
  expect(host.given).toEqual([])
})
