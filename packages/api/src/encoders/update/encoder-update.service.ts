/** Saving an encoder: who may change what, against whom, and what its host gets. */
import { isDeepStrictEqual } from 'node:util'
import { configFaultList } from '@trunkline/contract/encoders/effective-config.rules'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import { hostKeyOf, isSameHost, isSameSeat } from '@trunkline/contract/servers/server.schema'
import * as auditService from '../../audit/audit.service.ts'
import { changedFields } from '../../changed-fields.ts'
import type { Context, Db } from '../../context.ts'
import { conflict, forbidden, invalid, refused } from '../../errors.ts'
import * as groupService from '../../groups/group.service.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import { isOutdated, outdated, saveLooked } from '../../save-versioned.ts'
import { seesGroup, type Actor } from '../../security/actor.ts'
import { assertHostAllowed, assertPortAllowed } from '../../security/host-guard.ts'
import * as membershipService from '../../users/membership.service.ts'
import * as userService from '../../users/user.service.ts'
import * as encoderHostService from '../host/encoder-host.service.ts'
import { cardTaken, targetClaims, unseenEncoder } from '../host/host-claims.rules.ts'
import { encoderScope } from '../encoder-scope.ts'
import { mayEditRecord, mayOperate } from '../encoder.policy.ts'
import { feederReads } from '../encoder.program.ts'
import * as encoderService from '../encoder.service.ts'
import type { LoadedEncoder } from '../encoder.service.ts'
import * as encoderStore from '../encoder.store.ts'
import type { EncoderContent } from '../encoder.store.ts'
import {
  comparable,
  contentOf,
  isElsewhere,
  recorded,
  storedConfig,
  type Change,
} from './encoder-change.ts'
import { applyToHosts } from './encoder-hosts.service.ts'
import * as encoderHostStore from '../host/encoder-host.store.ts'

/** Saving never restarts (Q90): a running encoder keeps its old settings until somebody restarts it. */
export async function update(
  ctx: Context,
  actor: Actor,
  change: Change,
): Promise<ReplyOf<typeof updateEncoder>> {
  if (change.config !== undefined) assertConfig(change.config)
  const { before, after } = await saveLooked({
    save: async (looked) =>
      ctx.db.transaction().execute(async (trx) => save(ctx, trx, actor, { change, looked })),
    look: async () => look(ctx, actor, change),
    outdated: async () => outdatedBy(change, await encoderService.load(ctx, actor, change._id)),
  })
  const hostWarnings = await applyToHosts(ctx, before, after)
  const warnings =
    change.config === undefined
      ? hostWarnings
      : [...encoderHostService.warningsOf(ctx, after.record), ...hostWarnings]
  return { status: true, data: encoderService.wireEncoder(after), warnings }
}

/** What needs the network or other records, before the transaction. Answers of which version that is true. */
async function look(ctx: Context, actor: Actor, change: Change): Promise<number> {
  const encoder = await encoderService.load(ctx, actor, change._id)
  assertMayChange(actor, encoder, change)
  await assertPossible(ctx, actor, encoder, change)
  return encoder.record.version
}

function outdatedBy(change: Change, current: LoadedEncoder) {
  const wire = encoderService.wireEncoder(current)
  const { _id: _, version: __, apiKey: ___, ...sent } = contentOf(change)
  return outdated('encoder', wire, changedFields(comparable(sent), wire))
}

function assertMayChange(actor: Actor, before: LoadedEncoder, change: Change): void {
  if (!mayOperate(actor)) throw forbidden()
  if (change.apiKey !== undefined && change.apiKey !== '') encoderService.assertMaySetKey(actor)
  if (mayEditRecord(actor)) return
  const { config: _, _id: __, version: ___, apiKey: ____, ...rest } = contentOf(change)
  const changed = changedFields(rest, encoderService.wireEncoder(before))
  if (changed.length === 0) return
  throw forbidden(
    `An editor may change the configuration only, not ${changed.join(', ')}. Ask a manager.`,
  )
}

async function assertPossible(
  ctx: Context,
  actor: Actor,
  { record }: LoadedEncoder,
  change: Change,
): Promise<void> {
  if (change.groupId !== undefined && change.groupId !== record.group._id) {
    await groupService.load(ctx, actor, change.groupId)
  }
  if (change.ip !== undefined && !isSameHost(change.ip, record.ip)) {
    await assertHostAllowed(ctx, 'ip', change.ip)
  }
  if (change.port !== undefined && change.port !== record.port) assertPortAllowed(ctx, change.port)
}

/**
 * Only editors are assigned. A manager's are those of the own groups; a superadmin or admin assigns
 * every editor, also across groups (Q32, Q49). Who is assigned already may stay.
 */
async function assertEditors(trx: Db, acting: Actor, added: readonly string[]): Promise<void> {
  for (const id of added) {
    const user = await userService.findFrom(trx, id)
    const isSeen = user?.groups.some((group) => seesGroup(acting, group._id)) === true
    if (user?.role === 'editor' && (acting.role !== 'manager' || isSeen)) continue
    throw invalid(
      'users',
      'names a user who is not one of your editors. Choose editors from the list.',
    )
  }
}

function assertConfig(config: EncoderConfig): void {
  const [fault] = configFaultList(config)
  if (fault !== undefined) throw refused(fault.sentence, { field: `config.${fault.field}` })
}

interface Save {
  change: Change
  /** The version that `look` has looked at; null when it has not. */
  looked: number | null
}

interface Saved {
  before: LoadedEncoder
  after: LoadedEncoder
}

/**
 * Answers null when `look` is needed first, and when somebody else saves at the same moment. Whoever
 * may not change it, or no longer, is refused here.
 */
async function save(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { change, looked }: Save,
): Promise<Saved | null> {
  // Whoever leaves a group leaves its encoders with it: nobody is assigned in the middle of that.
  if (looked !== null && change.users !== undefined) await membershipService.lockPeople(trx)
  const before = await encoderService.loadFrom(trx, actor, change._id)
  const { record } = before
  assertMayChange(actor, before, change)
  if (isOutdated(change.version, record.version)) throw outdatedBy(change, before)
  const added = (change.users ?? []).filter((id) => !record.userIds.includes(id))
  const needsLook = isElsewhere(before, change) || added.length > 0
  if (needsLook && looked !== record.version) return null
  if (added.length > 0) {
    await assertEditors(trx, await userService.actingNow(trx, actor), added)
  }
  const content = await contentAfter(ctx, trx, actor, before, change)
  if (!isSameCard(content, record)) {
    await assertCardFree(trx, actor, record.id, content, change)
  }
  const stored = { ...record, groupId: record.group._id }
  if (!(await encoderStore.update(trx, stored, content))) return null
  if (content.apiKeySealed !== record.apiKeySealed) {
    await encoderHostStore.setKeyOfAddress(trx, content.ip, content.port, content.apiKeySealed)
  }
  if (change.users !== undefined) {
    await encoderStore.setUsers(trx, record.id, [...new Set(change.users)])
  }
  await claimPorts(trx, actor, before, content)
  await auditService.record(trx, {
    actor,
    call: 'encoders.update',
    object: { kind: 'encoder', id: record.id },
    before: encoderService.wireEncoder(before),
    after: recorded(change),
  })
  return { before, after: await savedAs(trx, actor, before, content, change) }
}

/** As it is stored now: what was just written needs no reading. */
async function savedAs(
  trx: Db,
  actor: Actor,
  { record, feeders }: LoadedEncoder,
  { groupId, ...content }: EncoderContent,
  { users }: Change,
): Promise<LoadedEncoder> {
  const { title } =
    groupId === record.group._id ? record.group : await groupService.loadFrom(trx, actor, groupId)
  const group = { _id: groupId, title }
  const userIds = users === undefined ? record.userIds : [...new Set(users)].toSorted()
  const version = record.version + 1
  const ip = content.ip === record.ip ? record.ip : hostKeyOf(content.ip)
  return { record: { ...record, ...content, ip, group, userIds, version }, feeders }
}

type PlaceOfCard = Pick<EncoderContent, 'ip' | 'port' | 'config'>

/** Two encoders of a host never have one. */
function isSameCard(a: PlaceOfCard, b: PlaceOfCard): boolean {
  const isSameIndex = a.config?.['card-idx'] === b.config?.['card-idx']
  return isSameIndex && isSameSeat(a, b)
}

/** Q68: one card of a host has one encoder. The constraint of the table holds it against races. */
async function assertCardFree(
  trx: Db,
  actor: Actor,
  id: string,
  content: EncoderContent,
  change: Change,
): Promise<void> {
  const cardIdx = content.config?.['card-idx']
  const cards = await encoderHostStore.usedCards(trx, content.ip, content.port, encoderScope(actor))
  const owner = cards.find((card) => card.encoderId !== id && card.cardIdx === cardIdx)
  if (owner === undefined) return
  const who = owner.title === '' ? unseenEncoder(actor.role) : `encoder '${owner.title}'`
  const place = { hostKey: hostKeyOf(content.ip), port: content.port, cardIdx: owner.cardIdx }
  const { field, sentence } = cardTaken(place, who, change.config !== undefined)
  throw conflict(sentence, { field })
}

/** Absent fields stay as they are. */
async function contentAfter(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { record }: LoadedEncoder,
  change: Change,
): Promise<EncoderContent> {
  const next = {
    title: change.title ?? record.title,
    description: change.description ?? record.description,
    ip: change.ip ?? record.ip,
    port: change.port ?? record.port,
    location: change.location ?? record.location,
    physicalAddress: change.physicalAddress ?? record.physicalAddress,
    contactNumber: change.contactNumber ?? record.contactNumber,
    email: change.email ?? record.email,
    groupId: change.groupId ?? record.group._id,
    config: change.config === undefined ? record.config : storedConfig(change.config),
  }
  return { ...next, apiKeySealed: await keyAfter(ctx, trx, actor, record, { ...change, ...next }) }
}

async function keyAfter(
  ctx: Context,
  trx: Db,
  actor: Actor,
  record: LoadedEncoder['record'],
  next: { ip: string; port: number; apiKey?: string | undefined },
): Promise<string> {
  const isMoved = !isSameSeat(next, record)
  const known = isMoved ? await encoderService.keyOfHost(trx, actor, next.ip, next.port) : null
  // Where the stored key goes to is as much as seeing it: a manager could send it to themselves.
  if (isMoved && known === null) encoderService.assertMaySendKey(actor)
  if (next.apiKey === undefined || next.apiKey === '') return known ?? record.apiKeySealed
  return ctx.keys.seal(next.apiKey)
}

/** Targets and feeders' ports are unique on the host that the encoder is on now. */
async function claimPorts(
  trx: Db,
  actor: Actor,
  { record, feeders }: LoadedEncoder,
  content: EncoderContent,
): Promise<void> {
  const isMoved = !isSameHost(content.ip, record.ip)
  if (isMoved || !isDeepStrictEqual(content.config?.output, record.config?.output)) {
    const targets = targetClaims(hostKeyOf(content.ip), content.config?.output ?? []).map(
      (target) => ({ ...target, isPicked: false }),
    )
    await portClaimService.claim(trx, actor, { kind: 'encoder', id: record.id }, targets)
  }
  if (!isMoved) return
  const hostKey = hostKeyOf(content.ip)
  for (const { feeder } of feeders) {
    const { port } = feederReads(feeder)
    const claims = [{ hostKey, port, leg: 'local', field: 'ip', isPicked: false }]
    await portClaimService.claim(trx, actor, { kind: 'feeder', id: feeder.name }, claims)
  }
}
