/** The hosts of a link test: who may name them, where they are, and whether they can test. */
import type { LinkTestHostKind } from '@trunkline/contract/link-tests/link-test.calls'
import { addressesOf, hostKeyOf } from '@trunkline/contract/servers/server.schema'
import { Ipv4 } from '@trunkline/contract/text.schema'
import type { Context } from '../context.ts'
import * as encoderService from '../encoders/encoder.service.ts'
import type { HostAddress } from '../hosts/host-address.ts'
import type { Actor } from '../security/actor.ts'
import * as serverService from '../servers/server.service.ts'
import type { ServerRecord } from '../servers/server.service.ts'

export interface TestHost {
  kind: LinkTestHostKind
  id: string
  title: string
  /** Of its agent. */
  address: HostAddress
  /** Where it is reached, by its record. */
  addresses: string[]
  /** It has no agent. */
  isMediaServer: boolean
}

export interface CalledServer extends TestHost {
  record: ServerRecord
}

/** 404 when there is none, or none that the actor may see. */
export async function loadHost(
  ctx: Context,
  actor: Actor,
  { kind, id }: Pick<TestHost, 'kind' | 'id'>,
): Promise<TestHost> {
  if (kind === 'server') return loadServer(ctx, actor, id)
  const { title, ip, port } = (await encoderService.load(ctx, actor, id)).record
  const host = hostKeyOf(ip)
  return { kind, id, title, address: { host, port }, addresses: [host], isMediaServer: false }
}

/** As `loadHost`. */
export async function loadServer(ctx: Context, actor: Actor, id: string): Promise<CalledServer> {
  const record = await serverService.load(ctx, actor, id)
  const { title, host, hostKey, port, adapters, serverType } = record
  return {
    kind: 'server',
    id,
    title,
    address: { host: hostKey, port },
    addresses: addressesOf({ host, adapterIps: adapters }),
    isMediaServer: serverType === 'channel',
    record,
  }
}

/** A sentence with what to do; '' when it can. */
export function unableReason(ctx: Context, { title, address, isMediaServer }: TestHost): string {
  if (isMediaServer) {
    return `${title} is a media server: it has no host agent that could test. Choose a server that runs inputs and outputs.`
  }
  if (ctx.hosts.status(address)?.online !== true) {
    return `${title} is offline. A link can be tested once it answers again.`
  }
  return ctx.hosts.capabilities(address)?.testsLinks === true
    ? ''
    : `The host agent of ${title} is of an older version that cannot test links. Update it.`
}

/** Where it may send from: by its record, and by what its agent says itself. */
export function senderIps(ctx: Context, { address, addresses }: TestHost): string[] {
  const own = ctx.hosts.capabilities(address)?.adapters ?? []
  const ips = [...addresses, ...own.map((adapter) => adapter.ip)]
  return [...new Set(ips)].filter((ip) => Ipv4.safeParse(ip).success)
}
