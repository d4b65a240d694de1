/** Inputs: listed, read and watched. How they are saved is in input-kind.service.ts. */
import type {
  listInputs,
  nextMulticast as nextMulticastCall,
  readInputStatus,
} from '@trunkline/contract/contributions/input.calls'
import type { Input, InputConfig } from '@trunkline/contract/contributions/input.schema'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { Context, Db } from '../../context.ts'
import { notFound, refused } from '../../errors.ts'
import { groupScope, type Actor } from '../../security/actor.ts'
import * as serverService from '../../servers/server.service.ts'
import * as busService from '../bus/bus.service.ts'
import { linkStatus } from '../link-status.service.ts'
import * as inputStore from './input.store.ts'
import type { InputRecord } from './input.store.ts'

/** 404 when there is none, or none that the actor may see. */
export async function load(db: Db, actor: Actor, id: string): Promise<InputRecord> {
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
    sort: query.sort,
  })
  return { status: true, contributions: inputs.map(wireInput), total }
}

/** A server that runs inputs, and that the actor may see. `field`: what named it in the request. */
export async function loadServer(
  ctx: Context,
  actor: Actor,
  id: string,
  field: 'serverId' | 'newServerId',
): Promise<serverService.ServerRecord> {
  const server = await serverService.load(ctx, actor, id)
  if (server.serverType === 'acants') return server
  throw refused(`${server.title} runs no inputs: it is a channel server. Choose another server.`, {
    field,
  })
}

/** Offered, not kept: of two who ask at once both are offered the same, and saving looks again. */
export async function nextMulticast(
  ctx: Context,
  actor: Actor,
  /** '' for any: then no host is asked. */
  serverId: string,
): Promise<ReplyOf<typeof nextMulticastCall>> {
  const server = serverId === '' ? null : await loadServer(ctx, actor, serverId, 'serverId')
  const address = server === null ? null : { host: server.hostKey, port: server.port }
  const multicast = await busService.offerGroup(ctx, address)
  return { status: true, data: multicast, multicast }
}

export async function readStatus(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof readInputStatus>> {
  return linkStatus(ctx, 'input', await load(ctx.db, actor, id))
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
