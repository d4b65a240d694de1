/** Inputs and outputs alike: found, added and watched. Commands are in action.service.ts. */
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { notFound } from '../errors.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import type {
  LinkKind,
  LinkRecord,
  LoadedLink,
  Prepared,
  SavedLinkKind,
} from './link-kind.service.ts'

/** 404 when there is none, or none that the actor may see. */
export async function load<Link extends LinkRecord>(
  db: Db,
  actor: Actor,
  kind: LinkKind<Link>,
  id: string,
): Promise<LoadedLink<Link>> {
  const link = await kind.find(db, id, groupScope(actor))
  if (link === null) throw notFound(kind.name)
  return kind.withInput(db, actor, link)
}

/** For the line of audit. */
export type Deed = 'add' | 'clone'

export async function add<Link extends LinkRecord, Wire, Draft, Found extends Prepared>(
  ctx: Context,
  actor: Actor,
  kind: SavedLinkKind<Link, Wire, Draft, Found>,
  draft: Draft,
  { id, deed }: { id: string; deed: Deed },
): Promise<{ status: true; data: Wire; id: string }> {
  const found = await kind.prepare(ctx, actor, draft, null)
  await portClaimService.withRetry(async () =>
    ctx.db.transaction().execute(async (trx) => insert(ctx, trx, actor, kind, { id, found }, deed)),
  )
  return { status: true, data: await announce(ctx, actor, kind, id), id }
}

/** In a transaction that is tried again when it loses a race for a port (`withRetry`). */
export async function insert<Link extends LinkRecord, Wire, Draft, Found extends Prepared>(
  ctx: Context,
  trx: Db,
  actor: Actor,
  kind: SavedLinkKind<Link, Wire, Draft, Found>,
  { id, found }: { id: string; found: Found },
  deed: Deed,
): Promise<void> {
  await kind.hold(trx, found)
  await kind.insert(ctx, trx, actor, found, id)
  await auditService.record(trx, {
    actor,
    call: `${kind.name}s.${deed}`,
    object: { kind: kind.name, id },
    after: found.recorded,
  })
}

/** Tells browsers and the host of a link that was added; answers it as this actor sees it. */
export async function announce<Link extends LinkRecord, Wire>(
  ctx: Context,
  actor: Actor,
  kind: LinkKind<Link, Wire>,
  id: string,
): Promise<Wire> {
  const added = await load(ctx.db, actor, kind, id)
  ctx.notices.tell({ kind: kind.name, id, change: 'added', groupIds: [added.input.groupId] })
  await ctx.programs.refresh(kind.programsOf(id))
  return kind.wire(added, actor)
}

/** As the call has answered that added it. */
export async function added<Link extends LinkRecord, Wire>(
  ctx: Context,
  actor: Actor,
  kind: LinkKind<Link, Wire>,
  id: string,
): Promise<{ status: true; data: Wire; id: string }> {
  return { status: true, data: await read(ctx, actor, kind, id), id }
}

export async function read<Link extends LinkRecord, Wire>(
  ctx: Context,
  actor: Actor,
  kind: LinkKind<Link, Wire>,
  id: string,
): Promise<Wire> {
  return kind.wire(await load(ctx.db, actor, kind, id), actor)
}

/** After several were changed: each server is asked once, whatever of it was changed. */
export async function refreshServers<Link extends LinkRecord>(
  ctx: Context,
  kind: LinkKind<Link>,
  links: readonly Link[],
): Promise<void> {
  const serverIds = new Set(await kind.serverIdsOf(ctx, links))
  await Promise.all([...serverIds].map(async (id) => ctx.programs.refresh({ by: 'server', id })))
}
