/**
 * Link tests: the two hosts do them, and keep what they measured until it is read. Nothing is kept
 * here, so that every API process can answer for each test, and none has to stay.
 */
import { randomBytes } from 'node:crypto'
import type {
  HostCallAnswer,
  HostCallName,
  HostCallParams,
} from '@trunkline/contract/agent/host-link.messages'
import type {
  cancelLinkTest,
  readLinkTest,
  readLinkTestServer,
  startLinkTest,
} from '@trunkline/contract/link-tests/link-test.calls'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import { addressesOf } from '@trunkline/contract/servers/server.schema'
import { Ipv4 } from '@trunkline/contract/text.schema'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import * as feederPortService from '../encoders/feeders/feeder-port.service.ts'
import { AppError, invalid, refused } from '../errors.ts'
import type { HostAddress } from '../hosts/host-address.ts'
import { HostFault } from '../hosts/host-fault.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import type { Actor } from '../security/actor.ts'
import * as serverService from '../servers/server.service.ts'
import type { ServerRecord } from '../servers/server.service.ts'
import { joinedTest } from './link-test.rules.ts'

const TEST_ID_BYTES = 16

export async function readServer(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof readLinkTestServer>> {
  const server = await serverService.load(ctx, actor, id)
  const { title } = server
  const addresses = reachedAt(server)
  return { status: true, data: { id, title, addresses, unable: unableReason(ctx, server) } }
}

/** The responder is opened first: the caller gives up when nobody answers. */
export async function start(
  ctx: Context,
  actor: Actor,
  fromId: string,
  draft: BodyOf<typeof startLinkTest>,
  ip: string,
): Promise<ReplyOf<typeof startLinkTest>> {
  const from = await serverService.load(ctx, actor, fromId)
  const to = await serverService.load(ctx, actor, draft.toServerId)
  assertTestable(ctx, from, to, draft.address)
  const { toServerId, address, rateKbps, durationS } = draft
  const port = await portAt(ctx, actor, to, draft.port)
  const testId = randomBytes(TEST_ID_BYTES).toString('hex')
  const load = { testId, rateKbps, durationMs: durationS * 1000, port }
  await ask(ctx, to, 'openLinkTest', { ...load, callerIps: senderIps(ctx, from) }, 'port')
  try {
    await ask(ctx, from, 'callLinkTest', { ...load, host: address }, 'address')
  } catch (error) {
    // It would end by itself, seconds later.
    await ask(ctx, to, 'endLinkTest', { testId, end: 'responder' }).catch(() => undefined)
    throw error
  }
  const settings = { toServerId, address, port, rateKbps, durationS }
  await auditService.record(ctx, {
    actor,
    call: 'servers.startLinkTest',
    object: { kind: 'server', id: fromId },
    after: { ...settings, toServer: to.title },
    result: 'done',
    ip,
  })
  return { status: true, data: { id: testId, ...settings } }
}

interface TestRef {
  /** The server that calls. */
  id: string
  toServerId: string
  testId: string
}

export async function read(
  ctx: Context,
  actor: Actor,
  { id, toServerId, testId }: TestRef,
): Promise<ReplyOf<typeof readLinkTest>> {
  const from = await serverService.load(ctx, actor, id)
  const to = await serverService.load(ctx, actor, toServerId)
  const [caller, responder] = await Promise.all([
    ask(ctx, from, 'readLinkTest', { testId, end: 'caller' }),
    ask(ctx, to, 'readLinkTest', { testId, end: 'responder' }),
  ])
  const titles = { from: from.title, to: to.title }
  return { status: true, data: joinedTest({ caller, responder, titles }) }
}

/** Done as far as possible: what cannot be reached ends by itself within seconds. */
export async function cancel(
  ctx: Context,
  actor: Actor,
  { id, toServerId, testId }: TestRef,
  ip: string,
): Promise<ReplyOf<typeof cancelLinkTest>> {
  const from = await serverService.load(ctx, actor, id)
  const to = await serverService.load(ctx, actor, toServerId)
  const [caller, responder] = await Promise.allSettled([
    ask(ctx, from, 'endLinkTest', { testId, end: 'caller' }),
    ask(ctx, to, 'endLinkTest', { testId, end: 'responder' }),
  ])
  if (caller.status === 'rejected' && responder.status === 'rejected') throw caller.reason
  await auditService.record(ctx, {
    actor,
    call: 'servers.cancelLinkTest',
    object: { kind: 'server', id },
    result: 'done',
    ip,
  })
  return { status: true, id: testId }
}

function assertTestable(ctx: Context, from: ServerRecord, to: ServerRecord, address: string): void {
  if (from.id === to.id) throw invalid('toServerId', 'must be another server. Choose another one.')
  for (const [server, field] of [
    [from, 'id'],
    [to, 'toServerId'],
  ] as const) {
    const reason = unableReason(ctx, server)
    if (reason !== '') throw refused(reason, { field })
  }
  const addresses = reachedAt(to)
  if (!addresses.includes(address.toLowerCase())) {
    throw invalid('address', `must be an address of ${to.title}: ${addresses.join(', ')}.`)
  }
  if (address.startsWith('127.') && from.hostKey !== to.hostKey) {
    const sentence = `must be reached from ${from.title}: ${address} is that host itself. Choose another address, or add the adapter to ${to.title}.`
    throw invalid('address', sentence)
  }
}

/** A sentence with what to do; '' when it can. */
function unableReason(ctx: Context, server: ServerRecord): string {
  const { title, serverType } = server
  if (serverType === 'channel') {
    return `${title} is a media server: it has no host agent that could test. Choose a server that runs inputs and outputs.`
  }
  const address = hostOf(server)
  if (ctx.hosts.status(address)?.online !== true) {
    return `${title} is offline. A link can be tested once it answers again.`
  }
  return ctx.hosts.capabilities(address)?.testsLinks === true
    ? ''
    : `The host agent of ${title} is of an older version that cannot test links. Update it.`
}

function reachedAt({ host, adapters }: ServerRecord): string[] {
  return addressesOf({ host, adapterIps: adapters })
}

/** By its record, and by what its agent says itself. */
function senderIps(ctx: Context, server: ServerRecord): string[] {
  const own = ctx.hosts.capabilities(hostOf(server))?.adapters ?? []
  const ips = [...reachedAt(server), ...own.map((adapter) => adapter.ip)]
  return [...new Set(ips)].filter((ip) => Ipv4.safeParse(ip).success)
}

function hostOf({ hostKey, port }: ServerRecord): HostAddress {
  return { host: hostKey, port }
}

/** As asked, when nothing of ours has it, running or not; else the next free one. */
async function portAt(
  ctx: Context,
  actor: Actor,
  to: ServerRecord,
  asked: number | undefined,
): Promise<number> {
  if (asked === undefined) return feederPortService.freePort(ctx, to, 'port')
  const claim = { hostKey: to.hostKey, port: asked, leg: 'outer', field: 'port', isPicked: false }
  await portClaimService.assertFree(ctx.db, actor, NO_OWNER, [claim])
  return asked
}

/** The test takes the port for seconds only, and claims nothing. */
const NO_OWNER = { kind: 'input', id: '' } as const

/** `field`: at fault when the host refuses. */
async function ask<N extends HostCallName>(
  ctx: Context,
  server: ServerRecord,
  name: N,
  params: HostCallParams<N>,
  field?: string,
): Promise<HostCallAnswer<N>> {
  try {
    return await ctx.hosts.call(hostOf(server), name, params)
  } catch (error) {
    if (!(error instanceof HostFault)) throw error
    const sentence = `${server.title}: ${error.message}`
    if (error.code === 'not_found') throw new AppError('not_found', sentence, {})
    throw refused(sentence, field === undefined ? {} : { field })
  }
}
