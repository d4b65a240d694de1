/** Servers: the hosts we manage besides encoders. Their API keys go in and never come out. */
import { mayDo } from '@trunkline/contract/role-table'
import { isAdminLevel } from '@trunkline/contract/roles'
import type { BodyOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import type {
  addServer,
  findServer,
  listServers,
  readServerStatus,
} from '@trunkline/contract/servers/server.calls'
import { hostKeyOf, type Server } from '@trunkline/contract/servers/server.schema'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { randomKey } from '../security/keys.ts'
import { conflict, hostTimeout, hostUnreachable, notFound } from '../errors.ts'
import { newId } from '../id.ts'
import { groupScope, seesGroup, type Actor } from '../security/actor.ts'
import { assertHostAllowed, assertPortAllowed } from '../security/host-guard.ts'
import * as serverStore from './server.store.ts'
import type { ServerRecord } from './server.store.ts'

export type { ServerRecord } from './server.store.ts'

export async function list(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listServers>,
): Promise<ReplyOf<typeof listServers>> {
  const { servers, total } = await serverStore.list(ctx.db, {
    scope: groupScope(actor),
    type: query.type,
    search: query.searchText,
    groupId: query.groupId,
    address: hostKeyOf(query.address),
    page: query.page,
    rows: query.rowsPerPage,
    sort: query.sort,
  })
  return { status: true, data: servers.map((server) => wireServer(actor, server)), total }
}

export async function find(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof findServer>> {
  const server = await load(ctx, actor, id)
  return { status: true, data: wireServer(actor, server), adapterIps: server.adapters }
}

/** For other features too: 404 when there is none, or none that the actor may see. */
export async function load(ctx: Context, actor: Actor, id: string): Promise<ServerRecord> {
  const server = await serverStore.find(ctx.db, id)
  const isSeen =
    isAdminLevel(actor.role) || server?.groups.some((group) => seesGroup(actor, group._id)) === true
  if (server === null || !isSeen) throw notFound('server')
  return server
}

/**
 * Call it first in a transaction that puts something on the server: from then on, until the
 * transaction ends, the server is what the caller took it for. Conflict when it is not: another
 * operator has just moved it to another host, changed its type, or taken it from a group.
 */
export async function hold(
  trx: Db,
  known: Pick<ServerRecord, 'hostKey'> & { id: string } & Partial<ServerRecord>,
): Promise<void> {
  const now = await serverStore.hold(trx, known.id)
  if (now === null) throw notFound('server')
  const { serverType = now.serverType, groups = [] } = known
  const hasGroups = groups.every(({ _id }) => now.groups.some((group) => group._id === _id))
  if (now.hostKey === known.hostKey && now.serverType === serverType && hasGroups) return
  throw conflict(`Another operator has just changed ${now.title}. Check it, then try again.`, {
    field: 'serverId',
  })
}

/** As `hold`, for what is taken off the server: whatever it has become. */
export async function holdAny(trx: Db, id: string): Promise<void> {
  await serverStore.hold(trx, id)
}

/** In clear, for the calls to the server itself; never for an answer or a log. */
export function apiKeyOf(ctx: Context, server: Pick<ServerRecord, 'apiKeySealed'>): string {
  return ctx.keys.open(server.apiKeySealed)
}

export async function add(
  ctx: Context,
  actor: Actor,
  draft: BodyOf<typeof addServer>,
  id: string,
): Promise<ReplyOf<typeof addServer>> {
  await assertHostAllowed(ctx, 'host', draft.host)
  assertPortAllowed(ctx, draft.port)
  const { apiKey, groupIds, adapterIps, enrols: _, ...plain } = draft
  const server = {
    ...plain,
    id,
    // Whoever has been enrolled needs none; until then nobody has this one.
    apiKeySealed: ctx.keys.seal(apiKey || randomKey()),
    adapters: adapterIps.map((adapter) => ({ ...adapter, _id: newId() })),
    version: 1,
    createdAt: new Date(ctx.clock()).toISOString(),
  }
  const groups = [...new Set(groupIds)]
  await ctx.db.transaction().execute(async (trx) => {
    await serverStore.insert(trx, server, groups)
    await auditService.record(trx, {
      actor,
      call: 'servers.add',
      object: { kind: 'server', id },
      after: draft,
    })
  })
  ctx.notices.tell({ kind: 'server', id, change: 'added', groupIds: groups })
  return added(ctx, actor, id)
}

/** As the call has answered that added it. */
export async function added(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof addServer>> {
  return { status: true, data: wireServer(actor, await load(ctx, actor, id)) }
}

/** Only admins see why a host is away: it may name keys and addresses. */
export async function readStatus(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof readServerStatus>> {
  const server = await load(ctx, actor, id)
  const { host, port, serverType } = server
  const target = { host, port, serverType, apiKey: apiKeyOf(ctx, server) }
  const answer = await ctx.hosts.probe(target)
  if (answer.ok) return { status: true, results: answer.text, latencyMs: answer.latencyMs }
  const sentence = mayDo(actor.role, 'readFault')
    ? answer.reason
    : `${server.title} does not answer. Ask an admin to look after it.`
  throw answer.kind === 'timeout' ? hostTimeout(sentence) : hostUnreachable(sentence)
}

/** Which of these hosts have a server that the actor sees. */
export async function hostsWithServer(
  ctx: Context,
  actor: Actor,
  hosts: readonly string[],
): Promise<string[]> {
  return serverStore.hostsWithServer(ctx.db, hosts, groupScope(actor))
}

/**
 * Origins that a player of this person may load playlists from directly (Q119): for the content
 * policy of their page.
 */
export async function channelOrigins(ctx: Context, actor: Actor): Promise<string[]> {
  const seen = await serverStore.listByType(ctx.db, 'channel', groupScope(actor))
  return [...new Set(seen.map(originOf).filter((origin) => URL.canParse(origin)))]
}

/** A host with a scheme is used as it is, else http://host:port (Q119). */
function originOf({ host, port }: Pick<ServerRecord, 'host' | 'port'>): string {
  return /^https?:\/\//i.test(host) ? (URL.parse(host)?.origin ?? '') : `http://${host}:${port}`
}

/** Below admin a server shared by several groups shows the caller's own groups only (quality.md T3). */
export function wireServer(actor: Actor, server: ServerRecord): Server {
  const groups = server.groups.filter((group) => seesGroup(actor, group._id))
  return {
    _id: server.id,
    id: server.id,
    title: server.title,
    host: server.host,
    port: server.port,
    serverType: server.serverType,
    apiKeySet: server.apiKeySealed !== '',
    description: server.description,
    location: server.location,
    groupIds: groups.map((group) => group._id),
    groupInfo: groups,
    adapterIps: server.adapters,
    version: server.version,
  }
}
