/** Outputs: listed, added and watched; which programs they are. An output runs on its input's server. */
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type {
  addOutput,
  listOutputs,
  readOutputStatus,
} from '@trunkline/contract/contributions/output.calls'
import type { Output, OutputDraft } from '@trunkline/contract/contributions/output.schema'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { invalid, notFound, refused } from '../errors.ts'
import {
  programIdOf,
  revisionOf,
  type ProgramFilter,
  type WantedProgram,
} from '../hosts/wanted-program.ts'
import { newId } from '../id.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import * as serverService from '../servers/server.service.ts'
import { uniqueName } from '../unique-name.ts'
import * as busService from './bus.service.ts'
import * as destinationStore from './destination.store.ts'
import * as inputService from './input.service.ts'
import type { InputRecord } from './input.store.ts'
import { linkStatus, unsealed, type LinkStatusReply } from './link-status.service.ts'
import { outputSpec } from './link.program.ts'
import { outerPorts, outputFaults } from '@trunkline/contract/contributions/link.rules'
import * as outputStore from './output.store.ts'
import type { OutputRecord } from './output.store.ts'

export interface LoadedOutput {
  output: OutputRecord
  input: InputRecord
}

/** 404 when there is none, or none that the actor may see. */
export async function load(ctx: Context, actor: Actor, id: string): Promise<LoadedOutput> {
  const output = await outputStore.find(ctx.db, id, groupScope(actor))
  if (output === null) throw notFound('output')
  return { output, input: await inputService.load(ctx, actor, output.inputId) }
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
    return input === undefined ? [] : [wireOutput({ output, input })]
  })
  return { status: true, outputs: wired, total }
}

export async function add(
  ctx: Context,
  actor: Actor,
  draft: OutputDraft,
  ip: string,
): Promise<ReplyOf<typeof addOutput>> {
  const input = await inputService.load(ctx, actor, draft.contributionId)
  const clean = cleaned(draft)
  const passphraseSealed = await keyOf(ctx, actor, clean)
  await assertPossible(ctx, actor, input, clean)
  const { hostKey, port } = input.server
  const claims = outerPorts(clean.inputType, clean.config).map((outer) => {
    return { ...outer, hostKey, field: 'config.port', isPicked: false }
  })
  await busService.assertFreeOnHost(ctx, { host: hostKey, port }, claims)
  const id = newId()
  await ctx.db.transaction().execute(async (trx) => {
    await serverService.hold(trx, { id: input.server._id, hostKey })
    await assertOneReader(ctx, trx, input)
    await outputStore.insert(trx, {
      ...clean,
      id,
      name: uniqueName(clean.title),
      outputType: clean.inputType,
      inputId: input.id,
      destinationId: clean.destinationId ?? null,
      isEnabled: true,
      wantedRunning: false,
      passphraseSealed,
      version: 1,
      createdAt: new Date(ctx.clock()).toISOString(),
    })
    await portClaimService.claim(trx, actor, { kind: 'output', id }, claims)
    const object = { kind: 'output', id } as const
    const call = 'outputs.add'
    await auditService.record(trx, { actor, call, object, after: draft, result: 'done', ip })
  })
  ctx.notices.tell({ kind: 'output', id, change: 'added', groupIds: [input.groupId] })
  await ctx.hosts.refresh({ by: 'program', kind: 'output', id })
  return { status: true, data: wireOutput(await load(ctx, actor, id)), id }
}

/** Advanced parameters are SRT's alone (OUT-FORM-10); encryption 'no' clears the key (OUT-FORM-09). */
function cleaned(draft: OutputDraft): OutputDraft {
  const isClear = draft.encryption.selection === 'no'
  return {
    ...draft,
    advanced: draft.inputType === 'SRT' ? draft.advanced : [],
    encryption: isClear ? { selection: 'no', passphrase: '', type: 128 } : draft.encryption,
  }
}

/** The key typed, or that of the destination it goes to, copied here so that no browser sees it. */
async function keyOf(ctx: Context, actor: Actor, draft: OutputDraft): Promise<string | null> {
  const destinationId = draft.destinationId ?? null
  const destination =
    destinationId === null
      ? null
      : await destinationStore.find(ctx.db, destinationId, groupScope(actor))
  if (destinationId !== null && destination === null) throw notFound('destination')
  const { selection, passphrase } = draft.encryption
  if (selection === 'no') return null
  if (passphrase !== '') return ctx.keys.seal(passphrase)
  const copied = destination?.passphraseSealed ?? null
  if (copied !== null) return copied
  throw invalid(
    'encryption.passphrase',
    'must not be empty while encryption is on. Use Generate A Key.',
  )
}

async function assertPossible(
  ctx: Context,
  actor: Actor,
  input: InputRecord,
  draft: OutputDraft,
): Promise<void> {
  const [fault] = outputFaults(draft)
  if (fault !== undefined) throw invalid(fault.field, fault.sentence)
  const { adapterIp } = draft.config
  if (adapterIp === '') return
  const server = await serverService.load(ctx, actor, input.server._id)
  if (server.adapters.some((adapter) => adapter.adapterIp === adapterIp)) return
  const known = server.adapters.map((adapter) => adapter.adapterIp).join(', ')
  throw invalid('config.adapterIp', `is no adapter of ${server.title}. Choose ${known}, or Any.`)
}

/** Without multicast on its host's loopback a bus has one reader (decisions.md 2). */
async function assertOneReader(ctx: Context, trx: Db, input: InputRecord): Promise<void> {
  const { hostKey, port } = input.server
  const bus = ctx.hosts.capabilities({ host: hostKey, port })?.localBus
  if (bus === undefined || bus.works || input.inputType === 'Local') return
  if ((await outputStore.countOfInput(trx, input.id)) === 0) return
  throw refused(
    `${input.title} has an output already, and its server cannot feed a second one: ${bus.reason}`,
    { field: 'contributionId' },
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

export function wireOutput({ output, input }: LoadedOutput): Output {
  const { outputType, inputId, destination, config, encryption, passphraseSealed, ...plain } =
    output
  const { multicast, port } = inputService.wireInput(input).config
  return {
    ...plain,
    _id: output.id,
    inputType: outputType,
    contributionId: inputId,
    destinationInfo: destination,
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
