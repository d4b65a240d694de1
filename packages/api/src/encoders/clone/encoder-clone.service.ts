/**
 * A new encoder with the settings of another: its contact data, its configuration on another card,
 * its editors. It has no feeders and nothing is started.
 */
import { parseTarget } from '@trunkline/contract/encoders/encoder-config.schema'
import type { cloneEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { isAdminLevel } from '@trunkline/contract/roles'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import { hostKeyOf, isSameSeat } from '@trunkline/contract/servers/server.schema'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { AppError, conflict, forbidden } from '../../errors.ts'
import type { HostAddress } from '../../hosts/host-address.ts'
import { targetKey } from '../../ports/port-claim.rules.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import { seesGroup, type Actor } from '../../security/actor.ts'
import { assertHostAllowed, assertPortAllowed } from '../../security/host-guard.ts'
import { uniqueName } from '../../unique-name.ts'
import * as membershipService from '../../users/membership.service.ts'
import * as userService from '../../users/user.service.ts'
import { freedOutputs } from './encoder-clone.rules.ts'
import * as encoderHostService from '../host/encoder-host.service.ts'
import { targetClaims } from '../host/host-claims.rules.ts'
import { encoderScope } from '../encoder-scope.ts'
import * as encoderService from '../encoder.service.ts'
import * as encoderStore from '../encoder.store.ts'
import type { EncoderRecord, StoredConfig } from '../encoder.store.ts'
import * as encoderHostStore from '../host/encoder-host.store.ts'

type Draft = BodyOf<typeof cloneEncoder>

interface Clone {
  /** Of the copy. */
  id: string
  originalId: string
  draft: Draft
}

export async function clone(
  ctx: Context,
  actor: Actor,
  clone: Clone,
): Promise<ReplyOf<typeof cloneEncoder>> {
  const { id, originalId, draft } = clone
  const { record } = await encoderService.load(ctx, actor, originalId)
  const at = addressAfter(record, draft)
  if (at.host !== hostKeyOf(record.ip)) await assertHostAllowed(ctx, 'ip', at.host)
  if (at.port !== record.port) assertPortAllowed(ctx, at.port)
  const writeWarnings = await write(ctx, actor, clone)
  const groupIds = [record.group._id]
  ctx.notices.tell({ kind: 'encoder', id, change: 'added', groupIds })
  await ctx.programs.refresh({ by: 'encoder', id })
  const answer = await cloned(ctx, actor, id)
  return { ...answer, warnings: [...writeWarnings, ...answer.warnings] }
}

/** As the call has answered that made it, but for what became of its outputs, key and editors. */
export async function cloned(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof cloneEncoder>> {
  const copy = await encoderService.load(ctx, actor, id)
  const ofHost = encoderHostService.warningsOf(ctx, copy.record)
  const warnings = [...ofHost, ...encoderHostService.refusalsOf(ctx, id)]
  return { status: true, data: encoderService.wireEncoder(copy), id, warnings }
}

function addressAfter(record: EncoderRecord, draft: Draft): HostAddress {
  return { host: hostKeyOf(draft.ip ?? record.ip), port: draft.port ?? record.port }
}

/** Answers what became of the outputs, the key and the editors. */
async function write(ctx: Context, actor: Actor, clone: Clone): Promise<string[]> {
  try {
    return await portClaimService.withRetry(async () =>
      ctx.db.transaction().execute(async (trx) => writeOnce(ctx, trx, actor, clone)),
    )
  } catch (error) {
    // Somebody took the card at the same moment; the transaction is over, so who is asked anew.
    if (!(error instanceof AppError) || error.field !== 'config.card-idx') throw error
    const { record } = await encoderService.load(ctx, actor, clone.originalId)
    await assertCardFree(ctx.db, actor, addressAfter(record, clone.draft), clone.draft['card-idx'])
    throw error
  }
}

async function writeOnce(ctx: Context, trx: Db, actor: Actor, clone: Clone): Promise<string[]> {
  const { id, draft } = clone
  // Whoever leaves a group leaves its encoders with it: nobody is assigned in the middle of that.
  await membershipService.lockPeople(trx)
  const { record } = await encoderService.loadFrom(trx, actor, clone.originalId)
  const at = addressAfter(record, draft)
  const key = await keyFor(trx, actor, record, at)
  const { config, warnings } = await configFor(trx, actor, record.config, at, draft)
  const { group, userIds: _, ...plain } = record
  await encoderStore.insert(trx, {
    ...plain,
    id,
    name: uniqueName(draft.title),
    title: draft.title,
    ip: at.host,
    port: at.port,
    groupId: group._id,
    apiKeySealed: key.sealed,
    isEnabled: true,
    wantedRunning: false,
    config,
    version: 1,
    createdAt: new Date(ctx.clock()).toISOString(),
  })
  const left = await assignEditors(trx, await userService.actingNow(trx, actor), id, record)
  await claimTargets(trx, actor, id, at, config)
  const copy = encoderService.wireEncoder(await encoderService.loadFrom(trx, actor, id))
  await auditService.record(trx, {
    actor,
    call: 'encoders.clone',
    object: { kind: 'encoder', id },
    after: { ...copy, clonedFrom: record.title },
  })
  return [...warnings, ...key.warnings, ...editorsLeft(left)]
}

/** Answers how many of the editors were left out: a manager assigns only those of the own groups (matrix row M). */
async function assignEditors(
  trx: Db,
  actor: Actor,
  id: string,
  { userIds }: EncoderRecord,
): Promise<number> {
  const found = await Promise.all(userIds.map(async (each) => userService.findFrom(trx, each)))
  const assigned = found.flatMap((user) => {
    if (user === null) return []
    const isSeen = user.groups.some((group) => seesGroup(actor, group._id))
    return isAdminLevel(actor.role) || isSeen ? [user.id] : []
  })
  await encoderStore.setUsers(trx, id, assigned)
  return userIds.length - assigned.length
}

function editorsLeft(count: number): string[] {
  if (count === 0) return []
  const who = count === 1 ? '1 editor of another group is' : `${count} editors of other groups are`
  return [`${who} not assigned to the copy. An admin may assign them.`]
}

interface SharedKey {
  sealed: string
  warnings: string[]
}

/** Same host, same key (decisions.md 7); at a new address the key of the original (matrix row K). */
async function keyFor(
  trx: Db,
  actor: Actor,
  record: EncoderRecord,
  at: HostAddress,
): Promise<SharedKey> {
  if (isSameSeat({ ip: at.host, port: at.port }, record))
    return { sealed: record.apiKeySealed, warnings: [] }
  const known = await encoderService.keyOfHost(trx, actor, at.host, at.port)
  if (known !== null) return { sealed: known, warnings: [] }
  if (!isAdminLevel(actor.role)) {
    throw forbidden(
      'Only an admin may clone an encoder to an address of no other encoder: its API key goes there with it. Ask an admin.',
    )
  }
  const warning = `The copy has the API key of ${record.title}. If the agent on ${at.host}:${at.port} has another key, type it under Edit Encoder.`
  return { sealed: record.apiKeySealed, warnings: [warning] }
}

interface CopiedConfig {
  config: StoredConfig | null
  warnings: string[]
}

/** Conflict when the card is taken, or an address that is sent to has no free port left. */
async function configFor(
  trx: Db,
  actor: Actor,
  original: StoredConfig | null,
  at: HostAddress,
  { title, 'card-idx': cardIdx }: Draft,
): Promise<CopiedConfig> {
  if (original === null) return { config: null, warnings: [] }
  await assertCardFree(trx, actor, at, cardIdx)
  const freed = freedOutputs(original.output, await takenPorts(trx, at, original))
  if (freed === null) {
    throw conflict(
      `No port is left on ${at.host} for the outputs of the copy. Change a target of the original first.`,
    )
  }
  const { outputs: output, warnings } = freed
  return { config: { ...original, title, 'card-idx': cardIdx, output }, warnings }
}

/** Names the encoder that has the card to those who may see it. */
async function assertCardFree(
  db: Db,
  actor: Actor,
  at: HostAddress,
  cardIdx: number,
): Promise<void> {
  const used = await encoderHostStore.usedCards(db, at.host, at.port, encoderScope(actor))
  const owner = used.find((card) => card.cardIdx === cardIdx)
  if (owner === undefined) return
  const who = owner.title === '' ? 'an encoder of another group' : `encoder '${owner.title}'`
  throw conflict(`Card ${cardIdx} of ${at.host}:${at.port} is taken by ${who}. Choose another.`, {
    field: 'card-idx',
  })
}

/** Of each address that is sent to: what is fed there, and what is read on the host itself. */
async function takenPorts(
  trx: Db,
  at: HostAddress,
  { output }: StoredConfig,
): Promise<Map<string, ReadonlySet<number>>> {
  const read = await portClaimService.takenPorts(trx, at.host)
  const taken = new Map<string, ReadonlySet<number>>()
  for (const { target } of output) {
    const host = parseTarget(target)?.host
    if (host === undefined || taken.has(host)) continue
    const fed = await portClaimService.takenPorts(trx, targetKey(at.host, host))
    taken.set(host, new Set([...fed, ...read]))
  }
  return taken
}

async function claimTargets(
  trx: Db,
  actor: Actor,
  id: string,
  at: HostAddress,
  config: StoredConfig | null,
): Promise<void> {
  const claims = targetClaims(at.host, config?.output ?? []).map((target) => ({
    ...target,
    field: 'card-idx',
    isPicked: true,
  }))
  await portClaimService.claim(trx, actor, { kind: 'encoder', id }, claims)
}
