/** Saving and removing a server: what lives on it is neither lost nor pulled out from under anybody. */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { removeServer, updateServer } from '@trunkline/contract/servers/server.calls'
import {
  ADAPTERS_MISSING,
  hostKeyOf,
  type Adapter,
} from '@trunkline/contract/servers/server.schema'
import * as auditService from '../audit/audit.service.ts'
import { changedFields } from '../changed-fields.ts'
import type { Context, Db } from '../context.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import * as leftHostService from '../hosts/left-host.service.ts'
import { newId } from '../id.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import { isOutdated, outdated, saveVersioned } from '../save-versioned.ts'
import type { Actor } from '../security/actor.ts'
import { assertHostAllowed, assertPortAllowed } from '../security/host-guard.ts'
import { stillUsed, themOrIt, usesInWords } from './server-use.rules.ts'
import * as serverUseStore from './server-use.store.ts'
import * as serverService from './server.service.ts'
import * as serverStore from './server.store.ts'
import type { ServerContent, ServerRecord } from './server.store.ts'

type Edit = BodyOf<typeof updateServer>

/** The link follows a changed host, port, type or key before this answers; programs run on. */
export async function update(
  ctx: Context,
  actor: Actor,
  id: string,
  edit: Edit,
): Promise<ReplyOf<typeof updateServer>> {
  const before = await serverService.load(ctx, actor, id)
  if (isOutdated(edit.version, before.version)) throw outdatedServer(actor, before, edit)
  if (edit.host !== undefined && hostKeyOf(edit.host) !== before.hostKey) {
    await assertHostAllowed(ctx, 'host', edit.host)
  }
  if (edit.port !== undefined && edit.port !== before.port) assertPortAllowed(ctx, edit.port)
  const saved = await ctx.db
    .transaction()
    .execute(async (trx) => save(ctx, trx, actor, { id, edit }))
  const groupIds = [...new Set([...groupIdsOf(saved.before), ...groupIdsOf(saved.after)])]
  ctx.notices.tell({ kind: 'server', id, change: 'changed', groupIds })
  await ctx.programs.refresh({ by: 'server', id })
  return { status: true, data: serverService.wireServer(actor, saved.after) }
}

/** Refused while anything is on it: 409 with what (Q117). */
export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeServer>> {
  const server = await serverService.load(ctx, actor, id)
  await assertUnused(ctx.db, server)
  const isRemoved = await ctx.db
    .transaction()
    .execute(async (trx) => removeFrom(ctx, trx, actor, id))
    .catch((error: unknown) => {
      if (error instanceof StillReferenced) return false
      throw error
    })
  if (!isRemoved) {
    await assertUnused(ctx.db, server)
    throw conflict(`Another operator has just added something to ${server.title}. Try again.`)
  }
  ctx.notices.tell({ kind: 'server', id, change: 'removed', groupIds: groupIdsOf(server) })
  await ctx.programs.refresh({ by: 'server', id })
  return { status: true, id }
}

/** Ends the transaction, which PostgreSQL would not let go on. */
class StillReferenced extends Error {}

async function removeFrom(ctx: Context, trx: Db, actor: Actor, id: string): Promise<boolean> {
  const found = await heldServer(trx, id)
  if (!(await serverStore.remove(trx, id))) throw new StillReferenced()
  await leaveHost(ctx, trx, found)
  await auditService.record(trx, {
    actor,
    call: 'servers.remove',
    object: { kind: 'server', id },
    before: serverService.wireServer(actor, found),
  })
  return true
}

/** Inputs that left it while it was away may run there still, and others have kept their definition there. */
async function leaveHost(
  ctx: Context,
  trx: Db,
  { serverType, hostKey, port, apiKeySealed }: ServerRecord,
): Promise<void> {
  if (serverType !== 'acants') return
  const address = { host: hostKey, port }
  const isEmpty =
    ctx.hosts.status(address)?.online === true && ctx.hosts.reports(address).length === 0
  if (!isEmpty) await leftHostService.leave(ctx, trx, { address, apiKeySealed })
}

async function assertUnused(db: Db, { id, title }: ServerRecord): Promise<void> {
  const sentence = stillUsed(title, await serverUseStore.count(db, id, 'all'))
  if (sentence !== null) throw conflict(sentence)
}

async function save(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { id, edit }: { id: string; edit: Edit },
): Promise<{ before: ServerRecord; after: ServerRecord }> {
  const before = await saveVersioned({
    version: edit.version,
    read: async () => heldServer(trx, id),
    versionOf: ({ version }) => version,
    write: async (stored) => {
      assertAdaptersLeft(stored, edit)
      const content = contentAfter(ctx, stored, edit)
      const groupIds = [...new Set(edit.groupIds ?? groupIdsOf(stored))]
      await assertTypeFree(trx, stored, content)
      await assertGroupsFree(trx, stored, groupIds)
      return serverStore.update(trx, stored, content, groupIds)
    },
    outdated: (current) => outdatedServer(actor, current, edit),
  })
  const hostKey = hostKeyOf(edit.host ?? before.host)
  if (hostKey !== before.hostKey) await portClaimService.moveServer(trx, actor, id, hostKey)
  await auditService.record(trx, {
    actor,
    call: 'servers.update',
    object: { kind: 'server', id },
    before: serverService.wireServer(actor, before),
    after: sentOf(edit),
  })
  const after = await serverStore.find(trx, id)
  if (after === null) throw notFound('server')
  return { before, after }
}

/** SRV-11: only a server of which none was known yet stays without. */
function assertAdaptersLeft({ adapters }: ServerRecord, { adapterIps }: Edit): void {
  if (adapterIps?.length === 0 && adapters.length > 0) throw invalid('adapterIps', ADAPTERS_MISSING)
}

/** Nobody else changes or removes it until the transaction ends. */
async function heldServer(trx: Db, id: string): Promise<ServerRecord> {
  const held = await serverStore.hold(trx, id)
  if (held === null) throw notFound('server')
  return held
}

function outdatedServer(actor: Actor, current: ServerRecord, edit: Edit) {
  const wire = serverService.wireServer(actor, current)
  const { apiKey: _, ...sent } = sentOf(edit)
  return outdated('server', wire, changedFields(comparable(sent), comparable(wire)))
}

/** Without the read-only fields that a client may echo back. */
function sentOf(edit: Edit) {
  const { _id: _1, id: _2, groupInfo: _3, apiKeySet: _4, version: _5, ...more } = edit
  const { apiResult: _6, uptime: _7, ...sent } = more
  return sent
}

/** The order of groups says nothing, and a client need not send the ids of adapters. */
function comparable<T extends Pick<Edit, 'groupIds' | 'adapterIps'>>(t: T) {
  return {
    ...t,
    groupIds: t.groupIds?.toSorted(),
    adapterIps: t.adapterIps?.map(({ adapterName, adapterIp }) => ({ adapterName, adapterIp })),
  }
}

/** Absent fields stay as they are, and an empty API key keeps the stored one (SRV-18). */
function contentAfter(ctx: Context, before: ServerRecord, edit: Edit): ServerContent {
  return {
    title: edit.title ?? before.title,
    host: edit.host ?? before.host,
    port: edit.port ?? before.port,
    serverType: edit.serverType ?? before.serverType,
    apiKeySealed: edit.apiKey ? ctx.keys.seal(edit.apiKey) : before.apiKeySealed,
    description: edit.description ?? before.description,
    location: edit.location ?? before.location,
    adapters: edit.adapterIps ? adaptersAfter(before, edit.adapterIps) : before.adapters,
  }
}

/** An adapter that is sent with its id keeps it; the API gives the ids. */
function adaptersAfter(
  before: ServerRecord,
  sent: readonly (Omit<Adapter, '_id'> & { _id?: string | undefined })[],
): Adapter[] {
  const known = new Set(before.adapters.map((adapter) => adapter._id))
  return sent.map(({ _id = '', ...adapter }) => ({
    ...adapter,
    _id: known.delete(_id) ? _id : newId(),
  }))
}

/** Inputs and feeders need an agent there, channels a media server. */
async function assertTypeFree(
  trx: Db,
  before: ServerRecord,
  { serverType }: ServerContent,
): Promise<void> {
  if (serverType === before.serverType) return
  const sentence = stillUsed(before.title, await serverUseStore.count(trx, before.id, 'all'))
  if (sentence !== null) {
    throw conflict(`The server type cannot change: ${sentence}`, { field: 'serverType' })
  }
}

/** What people of a group have on the server would be out of their sight. */
async function assertGroupsFree(
  trx: Db,
  before: ServerRecord,
  groupIds: readonly string[],
): Promise<void> {
  const left = before.groups.filter(({ _id }) => !groupIds.includes(_id))
  for (const { _id, title } of left) {
    const counts = await serverUseStore.count(trx, before.id, [_id])
    const uses = usesInWords(counts)
    if (uses === null) continue
    throw conflict(
      `Group ${title} cannot be removed from ${before.title}: it still has ${uses} there. Delete or move ${themOrIt(counts)} first.`,
      { field: 'groupIds' },
    )
  }
}

function groupIdsOf(server: ServerRecord): string[] {
  return server.groups.map((group) => group._id)
}
