/** Outputs: listed, added and watched; which programs they are. An output runs on its input's server. */
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type {
  addOutput,
  listOutputs,
  readOutput,
  readOutputStatus,
} from '@trunkline/contract/contributions/output.calls'
import type { Output, OutputDraft } from '@trunkline/contract/contributions/output.schema'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import {
  programIdOf,
  revisionOf,
  type ProgramFilter,
  type WantedProgram,
} from '../../hosts/wanted-program.ts'
import { newId } from '../../id.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import { groupScope, seesGroup, type Actor } from '../../security/actor.ts'
import * as serverService from '../../servers/server.service.ts'
import { uniqueName } from '../../unique-name.ts'
import * as inputService from '../inputs/input.service.ts'
import type { InputRecord } from '../inputs/input.store.ts'
import { linkStatus, unsealed, type LinkStatusReply } from '../link-status.service.ts'
import { outputSpec } from '../link.program.ts'
import { assertOneReader, prepare, type PreparedOutput } from './output-draft.service.ts'
import * as outputStore from './output.store.ts'
import type { OutputRecord } from './output.store.ts'

export interface LoadedOutput {
  output: OutputRecord
  input: InputRecord
}

/** 404 when there is none, or none that the actor may see. */
export async function load(ctx: Context, actor: Actor, id: string): Promise<LoadedOutput> {
  return loadFrom(ctx.db, actor, id)
}

/** As `load`, inside a transaction. */
export async function loadFrom(db: Db, actor: Actor, id: string): Promise<LoadedOutput> {
  const output = await outputStore.find(db, id, groupScope(actor))
  if (output === null) throw notFound('output')
  return { output, input: await inputService.loadFrom(db, actor, output.inputId) }
}

export async function read(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof readOutput>> {
  const output = wireOutput(await load(ctx, actor, id), actor)
  return { status: true, data: output, output }
}

export async function list(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listOutputs>,
): Promise<ReplyOf<typeof listOutputs>> {
  const { outputs, total } = await outputStore.list(ctx.db, {
    scope: groupScope(actor),
    inputId: query.contributionId,
    destinationId: query.destinationId,
    linkableTo: query.linkableTo,
    search: query.searchValue,
    page: query.page,
    rows: query.rowsPerPage,
  })
  const inputs = await inputService.listByIds(
    ctx,
    outputs.map((output) => output.inputId),
  )
  const wired = outputs.flatMap((output) => {
    const input = inputs.get(output.inputId)
    return input === undefined ? [] : [wireOutput({ output, input }, actor)]
  })
  return { status: true, outputs: wired, total }
}

/** Of the line of audit. */
export interface AddedBy {
  call: 'outputs.add' | 'outputs.clone'
  ip: string
}

export async function add(
  ctx: Context,
  actor: Actor,
  draft: OutputDraft,
  by: AddedBy,
): Promise<ReplyOf<typeof addOutput>> {
  const input = await inputService.load(ctx, actor, draft.contributionId)
  const added = {
    id: newId(),
    draft,
    ...(await prepare(ctx, actor, { draft, input, stored: null })),
  }
  await ctx.db
    .transaction()
    .execute(async (trx) => insert(ctx, trx, actor, { ...added, input }, by))
  const data = await announce(ctx, actor, { id: added.id, groupId: input.groupId })
  return { status: true, data, id: added.id }
}

interface AddedOutput extends PreparedOutput {
  id: string
  draft: OutputDraft
  input: InputRecord
}

/** In a transaction. */
export async function insert(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { id, draft, content, claims, input }: AddedOutput,
  { call, ip }: AddedBy,
): Promise<void> {
  await holdPlace(trx, input)
  await assertOneReader(ctx, trx, input, id)
  await outputStore.insert(trx, {
    ...content,
    id,
    name: uniqueName(content.title),
    isEnabled: true,
    wantedRunning: false,
    version: 1,
    createdAt: new Date(ctx.clock()).toISOString(),
  })
  await portClaimService.claim(trx, actor, { kind: 'output', id }, claims)
  const object = { kind: 'output', id } as const
  await auditService.record(trx, { actor, call, object, after: draft, result: 'done', ip })
}

/** Tells browsers and the host of an output that was added; answers it as this actor sees it. */
export async function announce(
  ctx: Context,
  actor: Actor,
  { id, groupId }: { id: string; groupId: string },
): Promise<Output> {
  ctx.notices.tell({ kind: 'output', id, change: 'added', groupIds: [groupId] })
  await ctx.hosts.refresh({ by: 'program', kind: 'output', id })
  return wireOutput(await load(ctx, actor, id), actor)
}

/** From here to the end of the transaction the input is on the server that it was looked at on. */
export async function holdPlace(trx: Db, { id, title, server }: InputRecord): Promise<void> {
  await serverService.hold(trx, { id: server._id, hostKey: server.hostKey })
  if ((await outputStore.holdInput(trx, id)) === server._id) return
  throw conflict(
    `Another operator has just moved or removed ${title}. Look at it, then try again.`,
    {
      field: 'contributionId',
    },
  )
}

export async function readStatus(
  ctx: Context,
  actor: Actor,
  contributionId: string,
  name: string,
): Promise<ReplyOf<typeof readOutputStatus>> {
  await inputService.load(ctx, actor, contributionId)
  const output = await outputStore.findOfInput(ctx.db, contributionId, name)
  if (output === null) throw notFound('output')
  return statusOf(ctx, output)
}

export function statusOf(ctx: Context, output: OutputRecord): LinkStatusReply {
  return linkStatus(ctx, output, programIdOf('output', output.id))
}

/** As this actor may see it: a destination of a group that is not theirs is an id, no more. */
export function wireOutput({ output, input }: LoadedOutput, actor: Actor): Output {
  const { outputType, inputId, destination, config, encryption, passphraseSealed, ...plain } =
    output
  const isSeen = destination !== null && seesGroup(actor, destination.groupId)
  const { multicast, port } = inputService.wireInput(input).config
  return {
    ...plain,
    _id: output.id,
    inputType: outputType,
    contributionId: inputId,
    destinationInfo: isSeen ? destination : null,
    contributionInfo: {
      _id: input.id,
      title: input.title,
      serverId: input.server._id,
      config: { multicast: multicast as string, port: port as Input['config']['port'] },
    },
    config: outputType === 'SRT' ? { ...config, port: String(config.port) } : config,
    encryption: { ...encryption, passphrase: '', passphraseSet: passphraseSealed !== null },
  }
}

/** After several were changed: each server is asked once, whatever of it was changed. */
export async function refreshAll(ctx: Context, outputs: readonly OutputRecord[]): Promise<void> {
  const inputs = await inputService.listByIds(
    ctx,
    outputs.map((output) => output.inputId),
  )
  const servers = new Set([...inputs.values()].map(({ server }) => server._id))
  await Promise.all([...servers].map(async (id) => ctx.hosts.refresh({ by: 'server', id })))
}

/** All outputs' programs, those of one input or server, or one. */
export async function wantedPrograms(
  ctx: Context,
  filter: ProgramFilter,
): Promise<WantedProgram[]> {
  const only = fleetFilter(filter)
  if (only === null) return []
  const outputs = await outputStore.listForFleet(ctx.db, only)
  const inputs = await inputService.listByIds(
    ctx,
    outputs.map((output) => output.inputId),
  )
  return outputs.flatMap((output) => {
    const input = inputs.get(output.inputId)
    return input === undefined ? [] : [wantedProgram(ctx, { output, input })]
  })
}

function fleetFilter(
  filter: ProgramFilter,
): { serverId?: string; inputId?: string; id?: string } | null {
  if (filter.by === 'all') return {}
  if (filter.by === 'server') return { serverId: filter.id }
  if (filter.by === 'input') return { inputId: filter.id }
  return filter.by === 'program' && filter.kind === 'output' ? { id: filter.id } : null
}

export function wantedProgram(ctx: Context, { output, input }: LoadedOutput): WantedProgram {
  const { outputType: type, config, encryption, advanced } = output
  const settings = { type, config, encryption, passphrase: unsealed(ctx, output), advanced }
  const spec = outputSpec(settings, { type: input.inputType, config: input.config })
  return {
    ...inputService.placeOf(input),
    programId: programIdOf('output', output.id),
    kind: 'output',
    id: output.id,
    isEnabled: output.isEnabled,
    wanted: output.isEnabled && output.wantedRunning ? 'running' : 'stopped',
    spec,
    revision: revisionOf(spec),
  }
}
