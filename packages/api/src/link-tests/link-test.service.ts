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
  readLinkTestHost,
  startLinkTest,
} from '@trunkline/contract/link-tests/link-test.calls'
import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import * as feederPortService from '../encoders/feeders/feeder-port.service.ts'
import { AppError, invalid, refused } from '../errors.ts'
import { HostFault } from '../hosts/host-fault.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import type { Actor } from '../security/actor.ts'
import { joinedTest } from './link-test.rules.ts'
import {
  loadHost,
  loadServer,
  senderIps,
  unableReason,
  type CalledServer,
  type TestHost,
} from './test-host.service.ts'

type Ends = QueryOf<typeof readLinkTest>

const TEST_ID_BYTES = 16

export async function readHost(
  ctx: Context,
  actor: Actor,
  ref: ParamsOf<typeof readLinkTestHost>,
): Promise<ReplyOf<typeof readLinkTestHost>> {
  const host = await loadHost(ctx, actor, ref)
  const { title, addresses } = host
  return { status: true, data: { title, addresses, unable: unableReason(ctx, host) } }
}

/** The responder is opened first: the caller gives up when nobody answers. */
export async function start(
  ctx: Context,
  actor: Actor,
  draft: BodyOf<typeof startLinkTest>,
): Promise<ReplyOf<typeof startLinkTest>> {
  const { from, to } = await loadEnds(ctx, actor, draft)
  assertTestable(ctx, from, to, draft.address)
  const { port: asked, ...settings } = draft
  const port = await portAt(ctx, actor, to, asked)
  const testId = randomBytes(TEST_ID_BYTES).toString('hex')
  const load = { testId, rateKbps: draft.rateKbps, durationMs: draft.durationS * 1000, port }
  await ask(ctx, to, 'openLinkTest', { ...load, callerIps: senderIps(ctx, from) }, 'port')
  try {
    await ask(ctx, from, 'callLinkTest', { ...load, host: draft.address }, 'address')
  } catch (error) {
    // It would end by itself, seconds later.
    await ask(ctx, to, 'endLinkTest', { testId, end: 'responder' }).catch(() => undefined)
    throw error
  }
  await auditService.record(ctx, {
    actor,
    call: 'linkTests.start',
    object: { kind: from.kind, id: from.id },
    after: { ...settings, port, toServer: to.title },
  })
  return { status: true, data: { id: testId, ...settings, port } }
}

export async function read(
  ctx: Context,
  actor: Actor,
  testId: string,
  ends: Ends,
): Promise<ReplyOf<typeof readLinkTest>> {
  const { from, to } = await loadEnds(ctx, actor, ends)
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
  testId: string,
  ends: Ends,
): Promise<ReplyOf<typeof cancelLinkTest>> {
  const { from, to } = await loadEnds(ctx, actor, ends)
  const [caller, responder] = await Promise.allSettled([
    ask(ctx, from, 'endLinkTest', { testId, end: 'caller' }),
    ask(ctx, to, 'endLinkTest', { testId, end: 'responder' }),
  ])
  if (caller.status === 'rejected' && responder.status === 'rejected') throw caller.reason
  await auditService.record(ctx, {
    actor,
    call: 'linkTests.cancel',
    object: { kind: from.kind, id: from.id },
  })
  return { status: true, id: testId }
}

async function loadEnds(
  ctx: Context,
  actor: Actor,
  { fromKind, fromId, toServerId }: Ends,
): Promise<{ from: TestHost; to: CalledServer }> {
  const from = await loadHost(ctx, actor, { kind: fromKind, id: fromId })
  return { from, to: await loadServer(ctx, actor, toServerId) }
}

function assertTestable(ctx: Context, from: TestHost, to: CalledServer, address: string): void {
  if (from.id === to.id) throw invalid('toServerId', 'must be another server. Choose another one.')
  for (const [host, field] of [
    [from, 'fromId'],
    [to, 'toServerId'],
  ] as const) {
    const reason = unableReason(ctx, host)
    if (reason !== '') throw refused(reason, { field })
  }
  if (!to.addresses.includes(address.toLowerCase())) {
    throw invalid('address', `must be an address of ${to.title}: ${to.addresses.join(', ')}.`)
  }
  if (address.startsWith('127.') && from.address.host !== to.address.host) {
    const sentence = `must be reached from ${from.title}: ${address} is that host itself. Choose another address, or add the adapter to ${to.title}.`
    throw invalid('address', sentence)
  }
}

/** As asked, when nothing of ours has it, running or not; else the next free one. */
async function portAt(
  ctx: Context,
  actor: Actor,
  { record }: CalledServer,
  asked: number | undefined,
): Promise<number> {
  if (asked === undefined) return feederPortService.freePort(ctx, record, 'port')
  const { hostKey } = record
  const claim = { hostKey, port: asked, leg: 'outer', field: 'port', isPicked: false }
  await portClaimService.assertFree(ctx.db, actor, NO_OWNER, [claim])
  return asked
}

/** The test takes the port for seconds only, and claims nothing. */
const NO_OWNER = { kind: 'input', id: '' } as const

/** `field`: at fault when the host refuses. */
async function ask<N extends HostCallName>(
  ctx: Context,
  { address, title }: TestHost,
  name: N,
  params: HostCallParams<N>,
  field?: string,
): Promise<HostCallAnswer<N>> {
  try {
    return await ctx.hosts.call(address, name, params)
  } catch (error) {
    if (!(error instanceof HostFault)) throw error
    const sentence = `${title}: ${error.message}`
    if (error.code === 'not_found') throw new AppError('not_found', sentence, {})
    throw refused(sentence, field === undefined ? {} : { field })
  }
}
