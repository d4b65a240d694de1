/** Several API processes: the process that has the lease of a host takes its connection, others pass it on. */
import { OTHER_PROCESS } from '@trunkline/contract/agent/host-link.messages'
import { expect, test, vi } from 'vitest'
import { makeServer } from '../../testing/role-walk/things.ts'
import { openAnother, openSharedSite, until } from '../sharing/shared-hosts.fixture.ts'
import { ADDRESS, dialIdentity, dialIn, enrolDialling, freePort, LIMIT } from './dial-in.fixture.ts'

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
  await until(() => both.filter(({ hosts }) => hosts.link(ADDRESS)?.isOwn === true).length === 1)

  const isFirst = first.ctx.hosts.isOwn(ADDRESS)
  const [ownPort, otherPort] = isFirst ? ports : ports.toReversed()
  const passedOn = await dialIn(otherPort ?? 0, identity)
  expect(passedOn).toMatchObject({ kind: 'refused', code: OTHER_PROCESS })
  const taken = await dialIn(ownPort ?? 0, identity)
  expect(taken.kind).toBe('link')
  await until(() => both.every(({ hosts }) => hosts.status(ADDRESS)?.online === true))
  const [owner, other] = isFirst ? both : [both[1], both[0]]
  const asked = other.hosts.call(ADDRESS, 'probePort', { port: 6000 })
  expect(await asked).toMatchObject({ free: true })
  expect(owner.hosts.ownLink(ADDRESS)?.certificate).toMatchObject({ keyHash: identity.keyHash })

  await second.end()
  await until(() => first.ctx.hosts.isOwn(ADDRESS))
  await vi.waitFor(async () => {
    expect((await dialIn(ports[0], identity)).kind).toBe('link')
  }, LIMIT)
  await until(() => first.ctx.hosts.status(ADDRESS)?.online === true)
})
