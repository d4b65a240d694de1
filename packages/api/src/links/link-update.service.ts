/** Saving an input or an output: against which version, and what its host makes of it. It restarts nothing (Q178). */
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import { outdated, saveVersioned } from '../save-versioned.ts'
import type { Actor } from '../security/actor.ts'
import {
  isLocal,
  type LinkRecord,
  type LoadedLink,
  type Prepared,
  type SavedLinkKind,
} from './link-kind.service.ts'
import { warningsOf } from './link-warnings.service.ts'
import * as linkService from './link.service.ts'

/** The read-only fields that a client may echo back are ignored. */
export async function update<Link extends LinkRecord, Wire, Draft, Found extends Prepared>(
  ctx: Context,
  actor: Actor,
  kind: SavedLinkKind<Link, Wire, Draft, Found>,
  id: string,
  edit: Draft & { version?: number | undefined },
): Promise<{ status: true; data: Wire; warnings: string[] }> {
  const draft = kind.draftOf(edit)
  // What needs the network is looked at before the transaction; when somebody saves meanwhile, that
  // look is of no use and is taken anew.
  const before = await saveVersioned({
    version: edit.version,
    read: async () => linkService.load(ctx.db, actor, kind, id),
    versionOf: ({ link }) => link.version,
    write: async (stored) => {
      const found = await kind.prepare(ctx, actor, draft, stored)
      return portClaimService.withRetry(async () =>
        ctx.db
          .transaction()
          .execute(async (trx) => write(ctx, trx, actor, kind, { stored, found })),
      )
    },
    outdated: (current) => {
      const wire = kind.wire(current, actor)
      return outdated(kind.name, wire, kind.differences(draft, wire))
    },
  })
  const after = await linkService.load(ctx.db, actor, kind, id)
  const groupIds = [...new Set([before.input.groupId, after.input.groupId])]
  ctx.notices.tell({ kind: kind.name, id, change: 'changed', groupIds })
  await ctx.programs.refresh(kind.programsOf(id))
  const warnings = isLocal(after.link) ? [] : warningsOf(ctx, { ...after.link, kind: kind.name })
  return { status: true, data: kind.wire(after, actor), warnings }
}

interface Save<Link extends LinkRecord, Found> {
  stored: LoadedLink<Link>
  found: Found
}

/** Answers false when somebody has saved it since `stored` was read. */
async function write<Link extends LinkRecord, Wire, Draft, Found extends Prepared>(
  ctx: Context,
  trx: Db,
  actor: Actor,
  kind: SavedLinkKind<Link, Wire, Draft, Found>,
  { stored, found }: Save<Link, Found>,
): Promise<boolean> {
  const { id, version } = stored.link
  await kind.hold(trx, found)
  const current = await linkService.load(trx, actor, kind, id)
  if (current.link.version !== version) return false
  if (!(await kind.update(ctx, trx, actor, found, current))) return false
  await auditService.record(trx, {
    actor,
    call: `${kind.name}s.update`,
    object: { kind: kind.name, id },
    before: kind.wire(current, actor),
    after: found.recorded,
  })
  return true
}
