/** What an admin does about the certificates of a host: look, make a code, revoke. */
import { randomBytes } from 'node:crypto'
import {
  CODE_CHARACTERS,
  codeFrom,
  readCode,
} from '@trunkline/contract/enrolment/enrolment-code.rules'
import type {
  addEnrolmentCode,
  readEnrolment,
  revokeEnrolment,
} from '@trunkline/contract/enrolment/enrolment.calls'
import {
  ENROLMENT_CODE_MINUTES,
  type HostEnrolment,
} from '@trunkline/contract/enrolment/enrolment.schema'
import { DAY_MS, MINUTE_MS } from '@trunkline/contract/durations'
import type { HostKind } from '@trunkline/contract/fleet/fleet.schema'
import type { ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { conflict, notFound } from '../errors.ts'
import * as hostIdentityService from '../hosts/certificates/host-identity.service.ts'
import * as hostIdentityStore from '../hosts/certificates/host-identity.store.ts'
import type { Actor } from '../security/actor.ts'
import { secretsOf } from './code-proof.rules.ts'
import * as enrolmentStore from './enrolment.store.ts'
import type { EnrolledRecord } from './enrolment.store.ts'

interface HostRef {
  kind: HostKind
  id: string
}

const CHANNEL_SERVER =
  'A channel server is reached over its HTTP API, not by a host agent’s link. To encrypt it, give its host with https://.'

export async function read(ctx: Context, host: HostRef): Promise<ReplyOf<typeof readEnrolment>> {
  return { status: true, data: await enrolmentOf(ctx, await load(ctx, host)) }
}

/** The code is in the answer and nowhere else: what is stored proves it and does not tell it. */
export async function addCode(
  ctx: Context,
  actor: Actor,
  host: HostRef,
): Promise<ReplyOf<typeof addEnrolmentCode>> {
  const record = await load(ctx, host)
  if (record.seat === 'channel') throw conflict(CHANNEL_SERVER)
  const code = codeFrom(randomBytes(CODE_CHARACTERS))
  const { codeId, proofKey } = secretsOf(readCode(code) ?? '')
  const nowMs = ctx.clock()
  const endsAt = new Date(nowMs + ENROLMENT_CODE_MINUTES * MINUTE_MS).toISOString()
  await ctx.db.transaction().execute(async (trx) => {
    await enrolmentStore.removeEnded(trx, new Date(nowMs - DAY_MS).toISOString())
    await enrolmentStore.replace(trx, {
      id: codeId,
      kind: record.kind,
      objectId: record.id,
      address: record.address,
      proofKeySealed: ctx.keys.seal(proofKey.toString('hex')),
      madeBy: actor.id,
      endsAt,
      usedAt: null,
    })
    await auditService.record(trx, {
      actor,
      call: 'enrolment.addCode',
      object: { ...host, title: record.title },
    })
  })
  return { status: true, data: await enrolmentOf(ctx, record), code }
}

/** Cut off in this process before it answers, in others within a moment. */
export async function revoke(
  ctx: Context,
  actor: Actor,
  host: HostRef,
): Promise<ReplyOf<typeof revokeEnrolment>> {
  const record = await load(ctx, host)
  const { address, title } = record
  await ctx.db.transaction().execute(async (trx) => {
    const identity = await hostIdentityStore.find(trx, address)
    if (identity === null || identity.security === 'revoked') {
      throw conflict(`${title} has no certificate that could be revoked.`)
    }
    const since = new Date(ctx.clock()).toISOString()
    const { openedBy } = identity
    await hostIdentityStore.put(trx, address, { security: 'revoked', since, openedBy })
    await hostIdentityStore.removePins(trx, address, null)
    await enrolmentStore.removeUnused(trx, address)
    await auditService.record(trx, {
      actor,
      call: 'enrolment.revoke',
      object: { ...host, title },
    })
  })
  await hostIdentityService.publish(ctx, address)
  return { status: true, data: await enrolmentOf(ctx, record) }
}

/** Of every group: who may do this may do it everywhere (row enrolHosts of the role table). */
async function load(ctx: Context, { kind, id }: HostRef): Promise<EnrolledRecord> {
  const record = await enrolmentStore.findRecord(ctx.db, kind, id)
  if (record === null) throw notFound(kind)
  return record
}

async function enrolmentOf(
  ctx: Context,
  { kind, id, address, seat }: EnrolledRecord,
): Promise<HostEnrolment> {
  const nowMs = ctx.clock()
  const identity = await hostIdentityStore.find(ctx.db, address)
  const openUntil = await enrolmentStore.openUntil(ctx.db, address, new Date(nowMs).toISOString())
  return {
    kind,
    id,
    security: identity?.security ?? 'key',
    openedBy: identity?.openedBy ?? 'console',
    takesHosts: ctx.config.agentListen !== null,
    since: identity?.since ?? null,
    certificateEndsAt: identity?.pins.at(-1)?.endsAt ?? null,
    codeEndsInMs: openUntil === null ? null : Date.parse(openUntil) - nowMs,
    obstacle: seat === 'channel' ? CHANNEL_SERVER : '',
  }
}
