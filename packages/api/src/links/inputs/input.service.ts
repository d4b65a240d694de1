/** Inputs: listed, added and watched; which programs they are. Commands are in action.service.ts. */
import type {
  addInput,
  listInputs,
  nextMulticast as nextMulticastCall,
  readInput,
  readInputStatus,
} from '@trunkline/contract/contributions/input.calls'
import type { Input, InputConfig, InputDraft } from '@trunkline/contract/contributions/input.schema'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { invalid, notFound, refused } from '../../errors.ts'
import * as groupService from '../../groups/group.service.ts'
import {
  programIdOf,
  revisionOf,
  type ProgramFilter,
  type WantedProgram,
} from '../../hosts/wanted-program.ts'
import { newId } from '../../id.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import { groupScope, type Actor } from '../../security/actor.ts'
import * as serverService from '../../servers/server.service.ts'
import { uniqueName } from '../../unique-name.ts'
import * as busService from '../bus/bus.service.ts'
import { cleaned, keyMissing } from './input-draft.rules.ts'
import * as inputStore from './input.store.ts'
import type { InputRecord } from './input.store.ts'
import { inputSpec } from '../link.program.ts'
import { inputFaults } from '@trunkline/contract/contributions/link.rules'
import { linkStatus, unsealed, type LinkStatusReply } from '../link-status.service.ts'

export async function load(ctx: Context, actor: Actor, id: string): Promise<InputRecord> {
  return loadFrom(ctx.db, actor, id)
}

/** 404 when there is none, or none that the actor may see. */
export async function loadFrom(db: Db, actor: Actor, id: string): Promise<InputRecord> {
  const input = await inputStore.find(db, id, groupScope(actor))
  if (input === null) throw notFound('input')
  return input
}

/** For outputs, which live with their inputs; without a scope of its own. */
export async function listByIds(
  ctx: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InputRecord>> {
  const inputs = await inputStore.listByIds(ctx.db, [...new Set(ids)])
  return new Map(inputs.map((input) => [input.id, input]))
}

export async function list(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listInputs>,
): Promise<ReplyOf<typeof listInputs>> {
  const { inputs, total } = await inputStore.list(ctx.db, {
    scope: groupScope(actor),
    serverId: query.serverId,
    groupId: query.groupId,
    port: query.port ?? null,
    search: query.searchValue,
    page: query.page,
    rows: query.rowsPerPage,
  })
  return { status: true, contributions: inputs.map(wireInput), total }
}

/** Of the line of audit. */
export interface AddedBy {
  call: 'inputs.add' | 'inputs.clone'
  ip: string
}

export async function add(
  ctx: Context,
  actor: Actor,
  draft: InputDraft,
  by: AddedBy,
): Promise<ReplyOf<typeof addInput>> {
  const prepared = await prepare(ctx, actor, draft)
  await portClaimService.withRetry(async () =>
    ctx.db.transaction().execute(async (trx) => insert(ctx, trx, actor, prepared, by)),
  )
  const data = await announce(ctx, actor, prepared)
  return { status: true, data, id: prepared.id }
}

/** A new input that may be made, and the place it will have. */
export interface PreparedInput {
  id: string
  draft: InputDraft
  place: busService.Place
  server: serverService.ServerRecord
}

/** Refuses by field what cannot work; asks the host, so call it before the transaction. */
export async function prepare(
  ctx: Context,
  actor: Actor,
  asked: InputDraft,
): Promise<PreparedInput> {
  const server = await loadServer(ctx, actor, asked.serverId)
  await groupService.load(ctx, actor, asked.groupId)
  assertAdapter(server, asked)
  const draft = cleaned(asked)
  assertPossible(draft)
  const address = { host: server.hostKey, port: server.port }
  const place = await busService.placeOn(ctx, address, draft)
  return { id: newId(), draft, place, server }
}

/** In a transaction that is tried again when it loses a race for a port (`withRetry`). */
export async function insert(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { id, draft, place, server }: PreparedInput,
  { call, ip }: AddedBy,
): Promise<void> {
  const { passphrase } = draft.encryption
  await serverService.hold(trx, server)
  const bus = await busService.pick(trx, place, draft)
  await inputStore.insert(trx, {
    ...draft,
    id,
    name: uniqueName(draft.title),
    config: { ...draft.config, multicast: bus.ip, multicastPort: bus.port },
    isEnabled: true,
    wantedRunning: false,
    passphraseSealed: passphrase ? ctx.keys.seal(passphrase) : null,
    version: 1,
    createdAt: new Date(ctx.clock()).toISOString(),
  })
  await busService.take(trx, actor, place, { ...draft, id }, bus)
  const object = { kind: 'input', id } as const
  await auditService.record(trx, { actor, call, object, after: draft, result: 'done', ip })
}

/** Tells browsers and the host of an input that was added; answers it as they see it. */
export async function announce(
  ctx: Context,
  actor: Actor,
  { id, draft }: PreparedInput,
): Promise<Input> {
  ctx.notices.tell({ kind: 'input', id, change: 'added', groupIds: [draft.groupId] })
  await ctx.hosts.refresh({ by: 'input', id })
  return wireInput(await load(ctx, actor, id))
}

/** Inputs run on servers that take links, and that the actor may see. */
export async function loadServer(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<serverService.ServerRecord> {
  const server = await serverService.load(ctx, actor, id)
  if (server.serverType === 'acants') return server
  throw refused(`${server.title} runs no inputs: it is a channel server. Choose another server.`, {
    field: 'serverId',
  })
}

/** The adapter of the outer leg is one of the server's, or Any. */
export function assertAdapter(
  server: serverService.ServerRecord,
  { config }: Pick<InputDraft, 'config'>,
): void {
  const isKnown = server.adapters.some(({ adapterIp }) => adapterIp === config.adapterIp)
  if (config.adapterIp === '' || isKnown) return
  const known = server.adapters.map(({ adapterIp }) => adapterIp).join(', ')
  throw invalid('config.adapterIp', `is no adapter of ${server.title}. Choose ${known}, or Any.`)
}

function assertPossible(draft: InputDraft): void {
  const [fault] = inputFaults(draft)
  if (fault !== undefined) throw invalid(fault.field, fault.sentence)
  if (draft.encryption.selection === 'yes' && draft.encryption.passphrase === '') throw keyMissing()
}

export async function read(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof readInput>> {
  const data = wireInput(await load(ctx, actor, id))
  return { status: true, data, contribution: data }
}

/** Offered, not kept: of two who ask at once both are offered the same, and saving looks again. */
export async function nextMulticast(
  ctx: Context,
  actor: Actor,
  /** '' for any: then no host is asked. */
  serverId: string,
): Promise<ReplyOf<typeof nextMulticastCall>> {
  const server = serverId === '' ? null : await loadServer(ctx, actor, serverId)
  const address = server === null ? null : { host: server.hostKey, port: server.port }
  const multicast = await busService.offerGroup(ctx, address)
  return { status: true, data: multicast, multicast }
}

export async function readStatus(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof readInputStatus>> {
  return statusOf(ctx, await load(ctx, actor, id))
}

export function statusOf(ctx: Context, input: InputRecord): LinkStatusReply {
  if (input.inputType === 'Local') return { status: false, results: 'Local', state: 'absent' }
  return linkStatus(ctx, input, programIdOf('input', input.id))
}

export function wireInput(input: InputRecord): Input {
  const {
    server,
    config,
    encryption,
    passphraseSealed,
    wantedRunning: _,
    createdAt: __,
    ...plain
  } = input
  return {
    ...plain,
    _id: input.id,
    serverId: server._id,
    serverInfo: { _id: server._id, title: server.title, host: server.host },
    config: wireConfig(input.inputType, config),
    encryption: { ...encryption, passphrase: '', passphraseSet: passphraseSealed !== null },
  }
}

/** SRT ports are answered as text (Q168). */
function wireConfig(inputType: Input['inputType'], config: InputConfig): Input['config'] {
  return inputType === 'SRT' ? { ...config, port: String(config.port) } : config
}

/** All inputs' programs, one server's, or one. */
export async function wantedPrograms(
  ctx: Context,
  filter: ProgramFilter,
): Promise<WantedProgram[]> {
  const only = fleetFilter(filter)
  if (only === null) return []
  const inputs = await inputStore.listForFleet(ctx.db, only)
  return inputs.flatMap((input) => wantedProgram(ctx, input) ?? [])
}

function fleetFilter(filter: ProgramFilter): { serverId?: string; id?: string } | null {
  if (filter.by === 'all') return {}
  if (filter.by === 'server') return { serverId: filter.id }
  if (filter.by === 'input') return { id: filter.id }
  return filter.by === 'program' && filter.kind === 'input' ? { id: filter.id } : null
}

export function wantedProgram(ctx: Context, input: InputRecord): WantedProgram | null {
  const { inputType: type, config, encryption, advanced } = input
  const passphrase = unsealed(ctx, input)
  const spec = inputSpec({ type, config, encryption, passphrase, advanced })
  if (spec === null) return null
  return {
    ...placeOf(input),
    programId: programIdOf('input', input.id),
    kind: 'input',
    id: input.id,
    isEnabled: input.isEnabled,
    wanted: input.isEnabled && input.wantedRunning ? 'running' : 'stopped',
    spec,
    revision: revisionOf(spec),
  }
}

/** An output shares its input's server and group. */
export function placeOf(input: InputRecord) {
  return {
    ownerKind: 'input',
    ownerId: input.id,
    serverId: input.server._id,
    address: { host: input.server.hostKey, port: input.server.port },
    groupId: input.groupId,
    editorIds: [],
  } as const
}
