/**
 * Who did what, to what, from where, with which result. Written in the transaction of the change,
 * and never changed: nothing here or in the store can. Old lines go by retention.service.ts alone.
 */
import type { listAudit } from '@trunkline/contract/audit/audit.calls'
import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import { z } from 'zod'
import type { Context, Db } from '../context.ts'
import { isStorageFull } from '../http/storage-fault.ts'
import type { Actor } from '../security/actor.ts'
import * as auditStore from './audit.store.ts'

export interface AuditEntry {
  /** Null: nobody is signed in, or the product itself did it. */
  actor: Actor | null
  /** The call's name, such as 'encoders.update'. */
  call: string
  /** Without a title it is read, where `before` and `after` have none. */
  object: { kind: ObjectKind; id: string; title?: string } | null
  /** The object as it was and as it is; secrets are cut out here. */
  before?: unknown
  after?: unknown
  /** 'done' when missing. */
  result?: 'done' | 'refused' | 'failed'
  /** Where it was asked for; missing: from where the actor calls. */
  ip?: string
  /** Why it was refused or failed, or what was asked, in plain words. */
  reason?: string
  /** The failure of this line, which is thrown afterwards: it is recorded once. */
  failure?: Error
}

const REASON_CHARACTERS = 500

/** Pass the transaction of a change, so that both are kept or neither; the context otherwise. */
export async function record(ctxOrTrx: Context | Db, entry: AuditEntry): Promise<void> {
  const [db, nowMs] = 'clock' in ctxOrTrx ? [ctxOrTrx.db, ctxOrTrx.clock()] : [ctxOrTrx, Date.now()]
  await auditStore.insert(db, {
    at: new Date(nowMs).toISOString(),
    actor_id: entry.actor?.id ?? null,
    actor_name: entry.actor?.fullName ?? '',
    token: entry.actor?.apiToken?.title ?? '',
    role: entry.actor?.role ?? null,
    ...outcomeOf(entry),
    call: entry.call,
    object_kind: entry.object?.kind ?? null,
    object_id: entry.object?.id ?? null,
    object_title: titleOf(entry.after) || titleOf(entry.before) || (await storedTitle(db, entry)),
    reason: oneLine(entry.reason ?? '').slice(0, REASON_CHARACTERS),
    before: withoutSecrets(entry.before),
    after: withoutSecrets(entry.after),
  })
  if (entry.failure !== undefined) audited.add(entry.failure)
}

/**
 * For what goes on though the disk of the database is full, such as signing in: then the line is in our log only.
 * Throws other faults of the database.
 */
export async function recordIfRoom(ctx: Context, entry: AuditEntry): Promise<void> {
  try {
    await record(ctx, entry)
  } catch (error) {
    if (!isStorageFull(error)) throw error
    const { actor, call, object, reason } = entry
    ctx.log.warn(
      {
        err: error,
        line: { actorId: actor?.id ?? null, call, object, reason, ...outcomeOf(entry) },
      },
      'The disk of the database is full: this is missing in the record of activity.',
    )
  }
}

/** From where, and with which result, also where the entry does not say. */
function outcomeOf({ actor, ip = actor?.ip ?? '', result = 'done' }: AuditEntry) {
  return { ip, result }
}

const audited = new WeakSet<Error>()

/** Of a failure that is about several objects, each of which has a line of its own. */
export function markAudited(failure: Error): void {
  audited.add(failure)
}

/** Whether a line tells of this failure already. */
export function isAudited(failure: Error): boolean {
  return audited.has(failure)
}

export async function list(
  ctx: Context,
  asked: QueryOf<typeof listAudit>,
): Promise<ReplyOf<typeof listAudit>> {
  const { searchText, page, rowsPerPage, ...filters } = asked
  const { lines, total } = await auditStore.list(ctx.db, {
    ...filters,
    search: searchText,
    page,
    rows: rowsPerPage,
  })
  return { status: true, data: lines.map(wireEntry), total }
}

function wireEntry(line: auditStore.StoredLine): ReplyOf<typeof listAudit>['data'][number] {
  const { actor_id: actorId, object_kind: kind, object_id: objectId } = line
  return {
    _id: line.id,
    id: line.id,
    at: line.at,
    actor: actorId === null ? null : { _id: actorId, fullName: line.actor_name, role: line.role },
    token: line.token,
    ip: line.ip,
    call: line.call,
    object:
      kind === null || objectId === null
        ? null
        : { kind: kind as ObjectKind, _id: objectId, title: line.object_title },
    result: line.result,
    reason: line.reason,
    before: line.before,
    after: line.after,
  }
}

/** Each address once from which this user did that since then, such as signing in. */
export async function addressesOf(
  ctx: Context,
  asked: { actorId: string; calls: readonly string[]; since: string },
): Promise<string[]> {
  return auditStore.addressesOf(ctx.db, asked)
}

/**
 * Who saved that object last, by a call of the same feature as `call`; '' where that is not known. Another
 * change since, such as on air, is no save: then nobody is named rather than the wrong one.
 */
export async function lastSaverOf(ctx: Context, objectId: string, call: string): Promise<string> {
  const last = await auditStore.lastChangeOf(ctx.db, objectId)
  return last !== null && featureOf(last.call) === featureOf(call) ? last.actor_name : ''
}

/** 'encoders' of 'encoders.update'. */
function featureOf(call: string): string {
  return call.split('.')[0] ?? ''
}

const SECRET_NAME =
  /pass(word|phrase)?$|passphrase|password|api_?key$|secret|token$|_sealed$|_hash$/i
const MASK = '***'

/** A copy in which every secret that has a value reads '***'. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isSecret = typeof each === 'string' && each !== '' && SECRET_NAME.test(name)
      return [name, isSecret ? MASK : withoutSecrets(each)]
    }),
  )
}

/** Of a line without content, such as that of a command. */
async function storedTitle(db: Db, { actor, object }: AuditEntry): Promise<string> {
  if (object === null) return ''
  if (object.title !== undefined) return object.title
  if (object.kind === 'user' && object.id === actor?.id) return actor.fullName
  return auditStore.titleOf(db, object.kind, object.id)
}

/** What an operator calls the object: a record that is gone is known by it alone. */
function titleOf(content: unknown): string {
  const { data } = Named.safeParse(content)
  return data?.title ?? data?.fullName ?? data?.name ?? ''
}

const Named = z.object({
  title: z.string().optional(),
  fullName: z.string().optional(),
  name: z.string().optional(),
})

/** A line break in a reason would look like a second line in every listing. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
