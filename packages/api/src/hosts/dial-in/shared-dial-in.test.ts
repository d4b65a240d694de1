/** Several API processes: the process that has the lease of a host takes its connection, others pass it on. */
import { OTHER_PROCESS } from '@trunkline/contract/agent/host-link.messages'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Context } from '../../context.ts'
import { freePort } from '../../testing/process/own-port.ts'
import { makeServer } from '../../testing/role-walk/things.ts'
import { openAnother, openSharedSite, until } from '../sharing/shared-hosts.fixture.ts'
import {
  ADDRESS,
  dialIdentity,
  dialIn,
  enrolDialling,
  LIMIT,
  type DialEnd,
} from './dial-in.fixture.ts'

test('T11 decisions 44: one process takes the connection of a host, and the next one when that ends', async () => {
  const ports = [await freePort(), await freePort()] as const
  const listen = (port: number) => ({ agentListen: { ip: '127.0.0.1', port } })
  const first = await openSharedSite(listen(ports[0]))
  const second = await openAnother(first, listen(ports[1]))
  const { site } = first
  await makeServer(site, 'Behind NAT', 'acants', ADDRESS.port, [site.north])
  const identity = await dialIdentity(site.ctx)
  await enrolDialling(site, identity.keyHash)
  const both = [first.ctx, second.ctx] as const
  await until(() =>
    both.every(({ hosts }) => hosts.identities.findByKey(identity.keyHash) !== null),
  )

  // As an agent does, it connects again when its link ends: a process of a busy machine that misses its
  // lease hands the host over, and the other end of each link is here.
  await vi.waitFor(async () => {
    expect(both.filter(({ hosts }) => hosts.link(ADDRESS)?.isOwn === true)).toHaveLength(1)
    const isFirst = first.ctx.hosts.isOwn(ADDRESS)
    const [ownPort = 0, otherPort = 0] = isFirst ? ports : ports.toReversed()
    const [owner, other] = isFirst ? both : [both[1], both[0]]
    const passedOn = await dialIn(otherPort, identity)
    expect(passedOn).toMatchObject({ kind: 'refused', code: OTHER_PROCESS })
    await untilOnline(both, await dialIn(ownPort, identity))
    const asked = other.hosts.call(ADDRESS, 'probePort', { port: 6000 })
    expect(await asked).toMatchObject({ free: true })
    expect(owner.hosts.ownLink(ADDRESS)?.certificate).toMatchObject({ keyHash: identity.keyHash })
  }, LIMIT)

  await second.end()
  await until(() => first.ctx.hosts.isOwn(ADDRESS))
  await vi.waitFor(async () => untilOnline([first.ctx], await dialIn(ports[0], identity)), LIMIT)
})

/** Each shows the host as online that has connected; throws when it was refused, or its link ended. */
async function untilOnline(processes: readonly Context[], end: DialEnd): Promise<void> {
  if (end.kind !== 'link') throw new Error(JSON.stringify(end))
  const isOnline = () => processes.every(({ hosts }) => hosts.status(ADDRESS)?.online === true)
  await until(() => isOnline() || end.socket.readyState !== WebSocket.OPEN)
  expect(isOnline()).toBe(true)
}
