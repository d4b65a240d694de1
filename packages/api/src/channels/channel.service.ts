/** Channels: the streams of media servers that somebody saved, and who sees them. */
import {
  relayPath,
  type listChannels,
  type readPlayback,
  type renameChannel,
  type saveChannels,
} from '@trunkline/contract/channels/channel.calls'
import { tokenQuery } from '@trunkline/contract/channels/playback-token.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { AppError, conflict, invalid, notFound } from '../errors.ts'
import * as groupService from '../groups/group.service.ts'
import { newId } from '../id.ts'
import { groupScope, seesGroup, type Actor } from '../security/actor.ts'
import { isOutdated, outdated } from '../save-versioned.ts'
import * as serverService from '../servers/server.service.ts'
import type { ServerRecord } from '../servers/server.service.ts'
import { encodeName, playerOriginOf } from '../stream-servers/media-server.ts'
import { planSave, type PickedStream, type SavePlan } from './channel-save.rules.ts'
import { seesChannel } from './channel.policy.ts'
import * as channelStore from './channel.store.ts'
import type { ChannelRecord } from './channel.store.ts'
import * as playbackLinkService from './playback-link.service.ts'

const PLAYLIST = 'index.m3u8'

export async function list(
  ctx: Context,
  actor: Actor,
  query: BodyOf<typeof listChannels>,
): Promise<ReplyOf<typeof listChannels>> {
  const { channels, total } = await channelStore.list(ctx.db, {
    scope: groupScope(actor),
    serverId: query.serverId,
    groupId: query.groupId,
    search: query.searchValue,
    ids: query.ids ?? null,
    page: query.page,
    rows: query.rowsPerPage,
    sort: query.sort,
  })
  return { status: true, data: channels.map((channel) => wireChannel(actor, channel)), total }
}

/** As this actor may see them; those that are gone are left out. */
export async function listByIds(
  ctx: Context,
  actor: Actor,
  ids: readonly string[],
): Promise<Channel[]> {
  const channels = await channelStore.listByIds(ctx.db, ids)
  return channels
    .filter((channel) => seesChannel(actor, channel))
    .map((channel) => wireChannel(actor, channel))
}

/** 404 when there is none, or none that the actor may see. */
export async function load(ctx: Context, actor: Actor, id: string): Promise<ChannelRecord> {
  const channel = await channelStore.find(ctx.db, id, groupScope(actor))
  if (channel === null) throw notFound('channel')
  return channel
}

/** 409 when somebody else has saved it since the version that the caller has read. */
export async function rename(
  ctx: Context,
  actor: Actor,
  id: string,
  { title, version }: BodyOf<typeof renameChannel>,
): Promise<ReplyOf<typeof renameChannel>> {
  const renamed = await ctx.db.transaction().execute(async (trx) => {
    const channel = await channelStore.hold(trx, id, groupScope(actor))
    if (channel === null) throw notFound('channel')
    if (isOutdated(version, channel.version)) {
      throw outdated('channel', wireChannel(actor, channel), ['title'])
    }
    await channelStore.rename(trx, channel, title)
    await auditService.record(trx, {
      actor,
      call: 'channels.rename',
      object: { kind: 'channel', id },
      before: { title: channel.title },
      after: { title },
    })
    return { ...channel, title, version: channel.version + 1 }
  })
  ctx.notices.tell({ kind: 'channel', id, change: 'changed', groupIds: renamed.groupIds })
  return { status: true, data: wireChannel(actor, renamed) }
}

/** CHAN-32: the server's own address; ours for browsers that cannot reach it (decisions.md 21). */
export async function playback(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof readPlayback>> {
  const { name, server } = await load(ctx, actor, id)
  await playbackLinkService.askOnce(ctx, server)
  const pass = playbackLinkService.passFor(ctx, server, name)
  const address = `${playerOriginOf(server.host, server.port)}/${encodeName(name)}/${PLAYLIST}`
  return {
    status: true,
    direct: pass === null ? address : address + tokenQuery(pass.token),
    directExpiresAt: pass === null ? null : new Date(pass.expiresAtMs).toISOString(),
    relayed: relayPath(id, PLAYLIST),
  }
}

/** An upsert on server and name (Q126). The whole list is saved, or nothing of it. */
export async function save(
  ctx: Context,
  actor: Actor,
  picked: BodyOf<typeof saveChannels>,
): Promise<ReplyOf<typeof saveChannels>> {
  const servers = await serversOf(ctx, actor, picked)
  await assertGroups(ctx, actor, picked)
  const ids = await twice(async () => write(ctx, actor, { picked, servers }))
  const saved = await channelStore.listByIds(ctx.db, ids)
  return { status: true, data: saved.map((item) => wireChannel(actor, item)) }
}

async function serversOf(
  ctx: Context,
  actor: Actor,
  picked: readonly PickedStream[],
): Promise<Map<string, ServerRecord>> {
  const servers = new Map<string, ServerRecord>()
  for (const [at, { serverId }] of picked.entries()) {
    if (servers.has(serverId)) continue
    const server = await serverService.load(ctx, actor, serverId)
    if (server.serverType !== 'channel') {
      throw invalid(`${at}.serverId`, 'must be a server of type channel. Choose another server.')
    }
    servers.set(serverId, server)
  }
  return servers
}

/** Admin-level may leave it to the server; anybody else names groups of their own (Q125, CHAN-34). */
async function assertGroups(
  ctx: Context,
  actor: Actor,
  picked: readonly PickedStream[],
): Promise<void> {
  const chooses = groupScope(actor) !== 'all'
  const unchosen = picked.findIndex((item) => chooses && item.groupIds.length === 0)
  if (unchosen !== -1) throw invalid(`${unchosen}.groupIds`, 'Select a group')
  const groupIds = new Set(picked.flatMap((item) => item.groupIds))
  for (const groupId of groupIds) await groupService.load(ctx, actor, groupId)
}

interface Saving {
  picked: readonly PickedStream[]
  servers: ReadonlyMap<string, ServerRecord>
}

/** Answers the ids of all channels that were picked. */
async function write(ctx: Context, actor: Actor, saving: Saving): Promise<string[]> {
  const { picked, servers } = saving
  const createdAt = new Date(ctx.clock()).toISOString()
  // In one order, so that two saves never wait for each other.
  const held = [...servers.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const { plan, added } = await ctx.db.transaction().execute(async (trx) => {
    for (const server of held) await serverService.hold(trx, server)
    const known = await channelStore.listByServers(trx, [...servers.keys()])
    assertOwn(actor, picked, known)
    const groupsOfServer = (id: string) => servers.get(id)?.groups.map((group) => group._id) ?? []
    const planned = planSave(picked, known, groupsOfServer)
    const additions = planned.additions.map((stream) => ({ ...stream, id: newId(), createdAt }))
    for (const { groupIds, ...channel } of additions) {
      await channelStore.insert(trx, channel, groupIds)
      await record(trx, actor, channel.id, { after: { ...channel, groupIds } })
    }
    for (const { channel, groupIds: more } of planned.widened) {
      await channelStore.addGroups(trx, channel.id, more)
      const before = { groupIds: channel.groupIds }
      const after = { groupIds: [...channel.groupIds, ...more] }
      await record(trx, actor, channel.id, { before, after })
    }
    return { plan: planned, added: additions }
  })
  tellSaved(ctx, plan, added)
  return [...plan.knownIds, ...added.map((item) => item.id)]
}

/** quality.md T3: on a shared server the channels of other groups are not a manager's to take. */
function assertOwn(
  actor: Actor,
  picked: readonly PickedStream[],
  known: readonly ChannelRecord[],
): void {
  const foreign = known.filter((channel) => !seesChannel(actor, channel))
  const at = picked.findIndex(({ serverId, name }) =>
    foreign.some((channel) => channel.server.id === serverId && channel.name === name),
  )
  if (at === -1) return
  throw conflict(
    `The stream ${picked[at]?.name} is a channel of another group. Leave it out, or ask an admin to share it.`,
    { field: `${at}.name` },
  )
}

async function record(
  trx: Db,
  actor: Actor,
  id: string,
  change: { before?: unknown; after: unknown },
): Promise<void> {
  const object = { kind: 'channel', id } as const
  await auditService.record(trx, {
    actor,
    call: 'channels.save',
    object,
    ...change,
  })
}

/**
 * One notice for the list that was saved: a thousand would make everybody read a thousand times. Of
 * several it names none.
 */
function tellSaved(
  ctx: Context,
  { widened }: SavePlan<ChannelRecord>,
  added: readonly (PickedStream & { id: string })[],
): void {
  const touched = [
    ...added.map(({ id, groupIds }) => ({ id, groupIds, change: 'added' as const })),
    ...widened.map(({ channel, groupIds }) => ({
      id: channel.id,
      groupIds: [...channel.groupIds, ...groupIds],
      change: 'changed' as const,
    })),
  ]
  const [first] = touched
  if (first === undefined) return
  const groupIds = [...new Set(touched.flatMap((item) => item.groupIds))]
  const id = touched.length === 1 ? first.id : ''
  ctx.notices.tell({ kind: 'channel', id, change: first.change, groupIds })
}

/** Two may save the same stream at once: the later one finds it saved and only adds groups. */
async function twice<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    // The other kind of conflict, a channel of another group, is the same at the second look.
    if (error instanceof AppError && error.code === 'conflict') return act()
    throw error
  }
}

/** Below admin a channel shared by several groups shows the caller's own groups only (quality.md T3). */
function wireChannel(actor: Actor, channel: ChannelRecord): Channel {
  const { id, name, title, server, version } = channel
  return {
    _id: id,
    id,
    name,
    title,
    serverId: server.id,
    serverInfo: { _id: server.id, host: server.host, port: server.port, title: server.title },
    groupIds: channel.groupIds.filter((groupId) => seesGroup(actor, groupId)),
    version,
  }
}
