/** Inputs and outputs as the programs that are wanted of their servers. */
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import type { Context } from '../context.ts'
import { inPartsById } from '../in-slices.ts'
import {
  idsOfKind,
  PROGRAMS_AT_ONCE,
  wantedProgram,
  type SomePrograms,
  type WantedProgram,
} from '../programs/wanted-program.ts'
import * as inputService from './inputs/input.service.ts'
import * as inputStore from './inputs/input.store.ts'
import type { InputRecord } from './inputs/input.store.ts'
import type { LoadedLink } from './link-kind.service.ts'
import { unsealed } from './link-status.service.ts'
import { inputSpec, outputSpec } from './link.program.ts'
import type { LinkName } from './link.store.ts'
import * as outputStore from './outputs/output.store.ts'
import type { OutputRecord } from './outputs/output.store.ts'

/** Those of all inputs and outputs. */
export async function* allPrograms(ctx: Context): AsyncGenerator<WantedProgram[]> {
  const inputs = inPartsById(
    async (id, limit) => inputStore.listBehind(ctx.db, id, limit),
    PROGRAMS_AT_ONCE,
  )
  for await (const some of inputs) yield some.flatMap((input) => inputProgram(ctx, input) ?? [])
  const outputs = inPartsById(
    async (id, limit) => outputStore.listBehind(ctx.db, id, limit),
    PROGRAMS_AT_ONCE,
  )
  for await (const some of outputs) yield withInputs(ctx, some)
}

/** Those of a server, of an input with its outputs, or one. */
export async function wantedPrograms(ctx: Context, filter: SomePrograms): Promise<WantedProgram[]> {
  const found = await Promise.all([inputPrograms(ctx, filter), outputPrograms(ctx, filter)])
  return found.flat()
}

async function inputPrograms(ctx: Context, filter: SomePrograms): Promise<WantedProgram[]> {
  if (filter.by === 'programs') {
    const ids = idsOfKind(filter.programIds, 'input')
    const some = await inputStore.listByIds(ctx.db, ids)
    return some.flatMap((input) => inputProgram(ctx, input) ?? [])
  }
  const inputId = filter.by === 'input' ? filter.id : idOf('input', filter)
  const only = inputId === null ? ofServer(filter) : { id: inputId }
  if (only === null) return []
  const inputs = await inputStore.listForFleet(ctx.db, only)
  return inputs.flatMap((input) => inputProgram(ctx, input) ?? [])
}

async function outputPrograms(ctx: Context, filter: SomePrograms): Promise<WantedProgram[]> {
  if (filter.by === 'programs') {
    const ids = idsOfKind(filter.programIds, 'output')
    return withInputs(ctx, await outputStore.listByIds(ctx.db, ids))
  }
  const outputId = idOf('output', filter)
  const ofInput = filter.by === 'input' ? { inputId: filter.id } : ofServer(filter)
  const only = outputId === null ? ofInput : { id: outputId }
  if (only === null) return []
  return withInputs(ctx, await outputStore.listForFleet(ctx.db, only))
}

async function withInputs(
  ctx: Context,
  outputs: readonly OutputRecord[],
): Promise<WantedProgram[]> {
  const inputIds = outputs.map((output) => output.inputId)
  const inputs = await inputService.listByIds(ctx, inputIds)
  return outputs.flatMap((output) => {
    const input = inputs.get(output.inputId)
    return input === undefined ? [] : [outputProgram(ctx, { link: output, input })]
  })
}

function idOf(kind: LinkName, filter: SomePrograms): string | null {
  return filter.by === 'program' && filter.kind === kind ? filter.id : null
}

/** Null for none. */
function ofServer(filter: SomePrograms): { serverId: string } | null {
  return filter.by === 'server' ? { serverId: filter.id } : null
}

/** Null for a Local input. */
export function inputProgram(ctx: Context, input: InputRecord): WantedProgram | null {
  const { inputType: type, config, encryption, advanced } = input
  const passphrase = unsealed(ctx, input)
  const spec = inputSpec({ type, config, encryption, passphrase, advanced })
  return spec === null ? null : programOf('input', { link: input, input }, spec)
}

export function outputProgram(
  ctx: Context,
  { link, input }: LoadedLink<OutputRecord>,
): WantedProgram {
  const { outputType: type, config, encryption, advanced } = link
  const settings = { type, config, encryption, passphrase: unsealed(ctx, link), advanced }
  const spec = outputSpec(settings, { type: input.inputType, config: input.config })
  return programOf('output', { link, input }, spec)
}

/** An output shares its input's server and group. */
function programOf(kind: LinkName, { link, input }: LoadedLink, spec: ProgramSpec): WantedProgram {
  return wantedProgram({
    ownerKind: 'input',
    ownerId: input.id,
    serverId: input.server._id,
    address: { host: input.server.hostKey, port: input.server.port },
    groupId: input.groupId,
    editorIds: [],
    createdAtMs: Date.parse(link.createdAt),
    kind,
    id: link.id,
    isEnabled: link.isEnabled,
    isWanted: link.wantedRunning,
    spec,
  })
}
