/** Encoders: listed, found and added; what of them is to run. Saving is in update/. */
import { configName, type EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type {
  addEncoder,
  findEncoder,
  listAllEncoders,
  listEncoders,
} from '@trunkline/contract/encoders/encoder.calls'
import type { EncodersAsked } from '@trunkline/contract/encoders/encoder-list.rules'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { ALL_ROWS_LIMIT } from '@trunkline/contract/paging.schema'
import { isAdminLevel } from '@trunkline/contract/roles'
import type { BodyOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { conflict, forbidden, notFound, refused, requiredMissing } from '../errors.ts'
import * as groupService from '../groups/group.service.ts'
import { wantedProgram, type WantedProgram } from '../programs/wanted-program.ts'
import { mapInSlices, PART_ROWS, type WithParts } from '../in-slices.ts'
import { seesGroup, type Actor } from '../security/actor.ts'
import { randomKey } from '../security/keys.ts'
import { assertHostAllowed, assertPortAllowed } from '../security/host-guard.ts'
import { uniqueName } from '../unique-name.ts'
import { encoderScope } from './encoder-scope.ts'
import { encoderSpec, feederSpec } from './encoder.program.ts'
import * as encoderStore from './encoder.store.ts'
import type { EncoderRecord } from './encoder.store.ts'
import * as encoderHostStore from './host/encoder-host.store.ts'
import {
  hostOfAnotherGroup,
  keyDiffers,
  MAY_NOT_SEND_KEY,
  MAY_NOT_SET_KEY,
} from './host/host-key.rules.ts'
import * as feederStore from './feeders/feeder.store.ts'
import type { FeederRecord } from './feeders/feeder.store.ts'

export interface LoadedEncoder {
  record: EncoderRecord
  feeders: FeederRecord[]
}

/** 404 when there is none, or none that the actor may see. */
export async function load(ctx: Context, actor: Actor, id: string): Promise<LoadedEncoder> {
  return loadFrom(ctx.db, actor, id)
}

/** As `load`, inside a transaction. */
export async function loadFrom(db: Db, actor: Actor, id: string): Promise<LoadedEncoder> {
  const record = await encoderStore.find(db, id, encoderScope(actor))
  if (record === null) throw notFound('encoder')
  return { record, feeders: await feederStore.listByEncoders(db, [id]) }
}

export async function list(
  ctx: Context,
  actor: Actor,
  asked: EncodersAsked & Pick<encoderStore.EncoderFilter, 'sort'>,
): Promise<WithParts<ReplyOf<typeof listAllEncoders>>> {
  const { sort = '' } = asked
  // The parts of a list of all come in order of creation.
  const isAll = asked.rows === 0 && asked.page === 0 && sort === ''
  const filter = {
    scope: encoderScope(actor),
    groupId: asked.group,
    search: asked.search,
    ids: asked.ids,
    page: asked.page,
    rows: isAll ? PART_ROWS : asked.rows,
    sort,
  }
  const { encoders, total } = await encoderStore.list(ctx.db, filter)
  const hasMore = isAll && total > PART_ROWS
  const result = hasMore ? partsOf(ctx, filter, encoders) : await withFeeders(ctx, encoders)
  return { status: true, result, total }
}

/** Of a list of all: the records of a large site are never held as a whole. */
async function* partsOf(
  ctx: Context,
  filter: encoderStore.EncoderFilter,
  first: readonly EncoderRecord[],
): AsyncGenerator<Encoder[]> {
  let records = first
  let left = ALL_ROWS_LIMIT
  while (records.length > 0) {
    yield withFeeders(ctx, records)
    left -= records.length
    const last = records.at(-1)
    if (last === undefined || records.length < PART_ROWS || left <= 0) return
    records = await encoderStore.listBehind(ctx.db, filter, last, Math.min(PART_ROWS, left))
  }
}

/** As they are answered. */
export async function withFeeders(
  ctx: Context,
  records: readonly EncoderRecord[],
): Promise<Encoder[]> {
  const ids = records.map((record) => record.id)
  const feeders = Map.groupBy(
    await feederStore.listByEncoders(ctx.db, ids),
    (feeder) => feeder.encoderId,
  )
  return mapInSlices(records, (record) =>
    wireEncoder({ record, feeders: feeders.get(record.id) ?? [] }),
  )
}

/** The encoder manager's dialect (Q53). */
export async function listForManager(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listEncoders>,
): Promise<WithParts<ReplyOf<typeof listEncoders>>> {
  const { result, total } = await list(ctx, actor, {
    page: query.page,
    rows: query.rowsPerPage,
    search: query.searchValue,
    group: query.groupId,
    ids: null,
    show: 'all',
    sort: query.sort,
  })
  return { status: true, encoders: result, total }
}

export async function find(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof findEncoder>> {
  const encoder = wireEncoder(await load(ctx, actor, id))
  return { status: true, data: encoder, encoder }
}

export async function add(
  ctx: Context,
  actor: Actor,
  draft: BodyOf<typeof addEncoder>,
  id: string,
): Promise<ReplyOf<typeof addEncoder>> {
  const groupId = groupOfNew(actor, draft.groupId)
  await groupService.load(ctx, actor, groupId)
  await assertHostAllowed(ctx, 'ip', draft.ip)
  assertPortAllowed(ctx, draft.port)
  const { apiKey: _, enrols: __, ...plain } = { ...draft, groupId }
  await ctx.db.transaction().execute(async (trx) => {
    const apiKeySealed = await keyFor(ctx, trx, actor, draft)
    await encoderStore.insert(trx, {
      ...plain,
      id,
      name: uniqueName(draft.title),
      apiKeySealed,
      isEnabled: true,
      wantedRunning: false,
      config: null,
      version: 1,
      createdAt: new Date(ctx.clock()).toISOString(),
    })
    const object = { kind: 'encoder', id } as const
    const call = 'encoders.add'
    const after = { ...draft, groupId }
    await auditService.record(trx, { actor, call, object, after })
  })
  const notice = { kind: 'encoder', id, change: 'added', groupIds: [groupId] } as const
  ctx.notices.tell(notice)
  await ctx.programs.refresh({ by: 'encoder', id })
  return added(ctx, actor, id)
}

/** As the call has answered that added it. */
export async function added(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof addEncoder>> {
  return { status: true, data: wireEncoder(await load(ctx, actor, id)), id }
}

/** ENC-27: a manager's joins their first group when none is named. */
function groupOfNew(actor: Actor, asked: string): string {
  if (asked !== '') return asked
  if (isAdminLevel(actor.role)) throw requiredMissing('groupId')
  const [first] = actor.groupIds
  if (first !== undefined) return first
  throw refused('You are in no group that an encoder could join. Ask an admin for one.')
}

/**
 * Same host, same key (decisions.md 7). An admin names the key of a new address (API-24), or enrols its
 * host next; a manager may not, so a random one is made (Q37).
 */
async function keyFor(
  ctx: Context,
  trx: Db,
  actor: Actor,
  {
    ip,
    port,
    apiKey,
    enrols,
  }: Pick<BodyOf<typeof addEncoder>, 'ip' | 'port' | 'apiKey' | 'enrols'>,
): Promise<string> {
  if (apiKey !== '') assertMaySetKey(actor)
  const known = await keyOfHost(trx, actor, ip, port)
  if (known === null) {
    const isNamed = apiKey !== '' || enrols === true
    if (!isNamed && isAdminLevel(actor.role)) throw requiredMissing('apiKey')
    return ctx.keys.seal(apiKey || randomKey())
  }
  if (apiKey !== '' && ctx.keys.open(known) !== apiKey) {
    const { field, sentence } = keyDiffers(ip, port)
    throw conflict(sentence, { field })
  }
  return known
}

/**
 * The sealed key that the encoders of this host and port share; null when there are none. A manager
 * may not come to a host by the key of a group that is not theirs.
 */
export async function keyOfHost(
  trx: Db,
  actor: Actor,
  ip: string,
  port: number,
): Promise<string | null> {
  const neighbours = await encoderHostStore.neighbours(trx, ip, port)
  const [first] = neighbours
  if (first === undefined) return null
  if (!neighbours.some(({ groupId }) => seesGroup(actor, groupId))) {
    const { field, sentence } = hostOfAnotherGroup(ip, port)
    throw conflict(sentence, { field })
  }
  return first.apiKeySealed
}

export function assertMaySendKey(actor: Actor): void {
  if (!isAdminLevel(actor.role)) throw forbidden(MAY_NOT_SEND_KEY)
}

export function assertMaySetKey(actor: Actor): void {
  if (!isAdminLevel(actor.role)) throw forbidden(MAY_NOT_SET_KEY)
}

export function wireEncoder({ record, feeders }: LoadedEncoder): Encoder {
  const { group, userIds, apiKeySealed, wantedRunning: _, createdAt: __, ...plain } = record
  return {
    ...plain,
    _id: record.id,
    groupId: group._id,
    groupInfo: group,
    users: userIds,
    apiKeySet: apiKeySealed !== '',
    config: wireConfig(record, feeders),
  }
}

function wireConfig(
  { config }: Pick<EncoderRecord, 'config'>,
  feeders: readonly FeederRecord[],
): EncoderConfig | null {
  if (config === null) return null
  const name = configName(config['card-idx'])
  return { ...config, name, feeder: feeders.map((feeder) => feeder.feeder) }
}

/** Of the encoder itself or of one of its feeders; 404 when it has none such, or is not configured. */
export function programOf(
  ctx: Context,
  encoder: LoadedEncoder,
  kind: 'encoder' | 'feeder',
  id: string,
): WantedProgram {
  const found = programsOf(ctx, encoder).find((each) => each.kind === kind && each.id === id)
  if (found === undefined) throw notFound(kind)
  return found
}

/** The encoder itself, if it is configured, and its feeders. */
export function programsOf(ctx: Context, { record, feeders }: LoadedEncoder): WantedProgram[] {
  const config = wireConfig(record, feeders)
  if (config === null) return []
  const shared = {
    ownerKind: 'encoder',
    ownerId: record.id,
    serverId: '',
    address: { host: hostKeyOf(record.ip), port: record.port },
    groupId: record.group._id,
    editorIds: record.userIds,
    createdAtMs: Date.parse(record.createdAt),
    isEnabled: record.isEnabled,
  } as const
  return [
    wantedProgram({
      ...shared,
      kind: 'encoder',
      id: record.id,
      isWanted: record.wantedRunning,
      spec: encoderSpec(config, config.feeder),
    }),
    ...feeders.map((feeder) =>
      wantedProgram({
        ...shared,
        kind: 'feeder',
        id: feeder.feeder.name,
        isWanted: feeder.wantedRunning,
        spec: feederSpec(feeder.feeder, passphraseOf(ctx, feeder)),
      }),
    ),
  ]
}

/** In clear, for what is made here; '' for none. */
export function passphraseOf(ctx: Context, { passphraseSealed }: FeederRecord): string {
  return passphraseSealed === null ? '' : ctx.keys.open(passphraseSealed)
}

/** The feeder of that name; 404 when this encoder has none such. */
export function feederOf(encoder: LoadedEncoder, name: string): FeederRecord {
  const found = encoder.feeders.find(({ feeder }) => feeder.name === name)
  if (found === undefined) throw notFound('feeder')
  return found
}
