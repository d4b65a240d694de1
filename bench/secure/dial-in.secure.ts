/**
 * T11, T16: who is let in at the port for hosts that connect by themselves. While a host is linked there,
 * come strangers with certificates of every other kind, other paths, plain HTTP and bytes that are no
 * TLS; then that host is revoked again and again, and tries to come back. `BENCH_TRIES`,
 * `BENCH_GARBAGE`: fewer or more.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import {
  ADDRESS,
  dialIdentity,
  dialIn,
  enrolDialling,
  LIMIT,
  linked,
  openEnrolledSite,
  untilOnline,
  type DialInSite,
  type Shown,
} from '@trunkline/api/hosts/dial-in/dial-in.fixture'
import { testIdentity } from '@trunkline/api/hosts/certificates/tls-host.fixture'
import { dialInAuthorityOf } from '@trunkline/api/security/certificates/site-authority'
import { openTestApp } from '@trunkline/api/testing/test-app'
import { DAY_MS } from '@trunkline/contract/durations'
import { revokeEnrolment } from '@trunkline/contract/enrolment/enrolment.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { atMost, round, spread } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { printProof } from './proof.ts'

const TRIES = settingOf('TRIES', 20)
const GARBAGE = settingOf('GARBAGE', 2000)
/** As of hosts that are dialled. */
const REVOKED_WITHIN_MS = 2000

test('T11 nobody is let in at the port for agents but the host that was enrolled to connect', async () => {
  const { site, identity } = await openEnrolledSite()
  const first = await linked(site.agentPort, identity)
  await untilOnline(site, true)
  const accepted = await strangers(site)
  const garbage = await sendGarbage(site)
  expect(first.socket.readyState).toBe(first.socket.OPEN)
  expect(site.ctx.hosts.status(ADDRESS)?.online).toBe(true)
  first.socket.terminate()
  await untilOnline(site, false)
  const { cutOffMs, letBackIn } = await revokeAgainAndAgain(site)
  const all = { ...accepted, 'answered garbage': garbage, 'revoked host': letBackIn }
  const total = Object.values(all).reduce((sum, count) => sum + count, 0)
  const goals = [
    atMost('accepted', total, 0, ''),
    atMost('revoked to cut off, slowest', Math.max(...cutOffMs), REVOKED_WITHIN_MS, 'ms'),
  ]
  const ours = {
    triesOfEach: TRIES,
    garbage: GARBAGE,
    accepted: total,
    acceptedOf: all,
    revokedToCutOffMs: spread(cutOffMs.map(round)),
  }
  const missed = printProof('dial-in', { ours, faults: [], goals })
  expect(all).toEqual(Object.fromEntries(Object.keys(all).map((name) => [name, 0])))
  expect(missed).toEqual([])
})

/** How many of each kind got a link. Their keys are pinned, so that the pin alone is not what refuses them. */
async function strangers(site: DialInSite): Promise<Record<string, number>> {
  const { ctx } = site
  const stranger = await openTestApp()
  onTestFinished(async () => stranger[Symbol.asyncDispose]())
  const nowMs = Date.now()
  const kinds: Record<string, () => Promise<Shown>> = {
    'no certificate': async () => ({}),
    'host of another authority': async () =>
      dialIdentity(ctx, { authority: await dialInAuthorityOf(stranger.ctx) }),
    'host that is dialled': async () => testIdentity(ctx),
    'console that dials': async () => testIdentity(ctx, { purpose: 'console' }),
    'the port’s own kind': async () => dialIdentity(ctx, { purpose: 'console for agents' }),
    'expired certificate': async () =>
      dialIdentity(ctx, { fromMs: nowMs - 40 * DAY_MS, untilMs: nowMs - DAY_MS }),
    'certificate of tomorrow': async () =>
      dialIdentity(ctx, { fromMs: nowMs + DAY_MS, untilMs: nowMs + 2 * DAY_MS }),
    'certificate that is not pinned': async () => dialIdentity(ctx),
  }
  const { authority } = await dialIdentity(ctx)
  const accepted: Record<string, number> = {}
  for (const [name, shown] of Object.entries(kinds)) {
    accepted[name] = 0
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const identity = await shown()
      const isPinned = name !== 'certificate that is not pinned'
      if (isPinned && 'keyHash' in identity) await enrolDialling(site, String(identity.keyHash))
      const end = await dialIn(site.agentPort, { ...identity, authority })
      accepted[name] += Number(end.kind === 'link')
    }
  }
  return accepted
}

/** How many connections without TLS got an answer that is not of TLS. */
async function sendGarbage(site: DialInSite): Promise<number> {
  const HELLO = Buffer.from('GET /link HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\n\r\n')
  let answered = 0
  for (let sent = 0; sent < GARBAGE; sent += 1) {
    const socket = connect(site.agentPort, '127.0.0.1')
    let heard = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => (heard = Buffer.concat([heard, bytes])))
    const closed = once(socket, 'close')
    socket.end(sent % 2 === 0 ? HELLO : randomBytes(1 + (sent % 600)))
    await closed
    // 21: an alert of TLS.
    if (heard.length > 0 && heard[0] !== 21) answered += 1
  }
  return answered
}

/** A new key each time, as an operator enrols the host again. */
async function revokeAgainAndAgain(
  site: DialInSite,
): Promise<{ cutOffMs: number[]; letBackIn: number }> {
  const cutOffMs: number[] = []
  let letBackIn = 0
  const params = { kind: 'server' as const, id: site.serverId }
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const identity = await dialIdentity(site.ctx)
    await enrolDialling(site, identity.keyHash)
    const { socket } = await linked(site.agentPort, identity)
    await untilOnline(site, true)
    const closed = once(socket, 'close')
    const startMs = performance.now()
    await site.call('superadmin', revokeEnrolment, { params })
    await closed
    cutOffMs.push(performance.now() - startMs)
    await untilOnline(site, false)
    const again = await dialIn(site.agentPort, identity)
    letBackIn += Number(again.kind === 'link')
    await vi.waitFor(() => expect(site.ctx.hosts.ownLink(ADDRESS)?.certificate).toBeNull(), LIMIT)
  }
  return { cutOffMs, letBackIn }
}
