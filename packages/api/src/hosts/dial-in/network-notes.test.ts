/** T16 Where hosts connect from is kept, some dozens a transaction, and none of it is lost or older than what is stored. */
import { DAY_MS } from '@trunkline/contract/durations'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Context } from '../../context.ts'
import { makeServer } from '../../testing/role-walk/things.ts'
import { BOTH_DATABASES, openContextOn } from '../../testing/site-on.ts'
import type { TestSite } from '../../testing/test-site.ts'
import * as hostIdentityService from '../certificates/host-identity.service.ts'
import * as hostIdentityStore from '../certificates/host-identity.store.ts'
import type { HostAddress } from '../host-address.ts'
import type { HostsEvent } from '../hosts-event.ts'
import { openAnother, openSharedSite, until } from '../sharing/shared-hosts.fixture.ts'
import { LIMIT } from './dial-in.fixture.ts'
import { NetworkNotes } from './network-notes.ts'

/** Four batches. */
const HOSTS = 100
const OWNED_HOSTS = 40
const FIRST_PORT = 8100

function addressesOf(count: number): HostAddress[] {
  return Array.from({ length: count }, (_, at) => ({ host: '127.0.0.1', port: FIRST_PORT + at }))
}

function notesOf(ctx: Context): NetworkNotes {
  const notes = new NetworkNotes(ctx)
  onTestFinished(() => notes[Symbol.dispose]())
  return notes
}

/** As if all had been enrolled for links that they open. */
async function enrolAll(ctx: Context, addresses: readonly HostAddress[]): Promise<void> {
  const since = new Date().toISOString()
  const endsAt = new Date(Date.now() + 30 * DAY_MS).toISOString()
  for (const address of addresses) {
    await hostIdentityStore.put(ctx.db, address, { security: 'enrolled', since, openedBy: 'host' })
    const pin = { keyHash: `key of ${address.port}`, issuedAt: since, endsAt }
    await hostIdentityStore.addPin(ctx.db, address, pin)
    await hostIdentityService.publish(ctx, address)
  }
}

async function makeServers(site: TestSite, addresses: readonly HostAddress[]): Promise<void> {
  for (const { port } of addresses) {
    await makeServer(site, `Host ${port}`, 'acants', port, [site.north])
  }
}

/** As stored, by port. */
async function storedNetworks(ctx: Context): Promise<Map<number, string | null>> {
  const stored = await hostIdentityStore.list(ctx.db)
  return new Map(stored.map(({ address, connectsFrom }) => [address.port, connectsFrom]))
}

function networksOf(addresses: readonly HostAddress[], network: (port: number) => string) {
  return new Map(addresses.map(({ port }) => [port, network(port)]))
}

const first = (port: number) => `127.20.0.${port - FIRST_PORT}`
const second = (port: number) => `127.30.0.${port - FIRST_PORT}`

test.each(BOTH_DATABASES)(
  'T16 the networks of many hosts are all stored, in few transactions, on %s',
  async (kind) => {
    const { ctx } = await openContextOn(kind)
    const addresses = addressesOf(HOSTS)
    await enrolAll(ctx, addresses)
    const begun = vi.spyOn(ctx.db, 'transaction')
    const events: HostsEvent[] = []
    onTestFinished(ctx.hosts.listen((event) => void events.push(event)))
    const notes = notesOf(ctx)
    for (const address of addresses) notes.note(address, first(address.port))
    await vi.waitFor(async () => {
      expect(await storedNetworks(ctx)).toEqual(networksOf(addresses, first))
    }, LIMIT)
    expect(begun).toHaveBeenCalledTimes(4)
    await until(() =>
      addresses.every(({ port }) => ctx.hosts.identities.isNetworkOfHost(first(port))),
    )
    // Their states are as before: nobody need look at thousands of them.
    expect(events).toEqual([])
  },
)

test('T16 of two networks of a host that wait to be stored the newer one is', async () => {
  const { ctx } = await openContextOn('SQLite')
  const addresses = addressesOf(2)
  await enrolAll(ctx, addresses)
  const notes = notesOf(ctx)
  for (const network of [first, second]) {
    for (const address of addresses) notes.note(address, network(address.port))
  }
  await vi.waitFor(async () => {
    expect(await storedNetworks(ctx)).toEqual(networksOf(addresses, second))
  }, LIMIT)
})

test('T16 F5 networks that the database did not take are stored once it is back', async () => {
  const { site, ctx, door } = await openSharedSite()
  const addresses = addressesOf(OWNED_HOSTS)
  await makeServers(site, addresses)
  await enrolAll(ctx, addresses)
  const refused = vi.spyOn(ctx.log, 'warn')
  await door.shut()
  const notes = notesOf(ctx)
  for (const address of addresses) notes.note(address, first(address.port))
  await until(() => refused.mock.calls.some(([, line]) => String(line).includes('tried again')))
  await door.open()
  await vi.waitFor(async () => {
    expect(await storedNetworks(ctx)).toEqual(networksOf(addresses, first))
  }, LIMIT)
})

test('T16 decisions 44: the network of a host is stored by the API process that has its link', async () => {
  const shared = await openSharedSite()
  const another = await openAnother(shared)
  const addresses = addressesOf(OWNED_HOSTS)
  await makeServers(shared.site, addresses)
  await enrolAll(shared.ctx, addresses)
  const both = [shared.ctx, another.ctx] as const
  // A process of a busy machine that misses its lease hands its hosts over: they connect to the other one then.
  await vi.waitFor(async () => {
    const owners = addresses.map((address) => both.filter(({ hosts }) => hosts.isOwn(address)))
    expect(owners.every((processes) => processes.length === 1)).toBe(true)
    for (const ctx of both) {
      const notes = notesOf(ctx)
      for (const [at, address] of addresses.entries()) {
        const network = owners[at]?.[0] === ctx ? second : first
        notes.note(address, network(address.port))
      }
    }
    await vi.waitFor(async () => {
      expect(await storedNetworks(shared.ctx)).toEqual(networksOf(addresses, second))
    }, ONE_TRY)
  }, LIMIT)
  const isKnown = ({ hosts }: Context) =>
    addresses.every(({ port }) => hosts.identities.isNetworkOfHost(second(port)))
  await until(() => both.every(isKnown))
})

/** Then another process has some of the hosts, and they are noted there. */
const ONE_TRY = { timeout: 5000, interval: 20 }

test('T16 decisions 44: two API processes that store the same hosts in opposite orders do not block each other', async () => {
  const shared = await openSharedSite()
  const another = await openAnother(shared)
  const addresses = addressesOf(OWNED_HOSTS)
  await enrolAll(shared.ctx, addresses)
  for (let turn = 0; turn < 4; turn += 1) {
    const network = turn % 2 === 0 ? first : second
    const notes = addresses.map((address) => ({ address, network: network(address.port) }))
    await Promise.all([
      hostIdentityService.noteNetworks(shared.ctx, notes),
      hostIdentityService.noteNetworks(another.ctx, notes.toReversed()),
    ])
  }
  expect(await storedNetworks(shared.ctx)).toEqual(networksOf(addresses, second))
})
