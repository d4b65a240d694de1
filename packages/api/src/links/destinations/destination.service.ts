/** Destinations: far ends by name. Their keys go in and never come out (decisions.md 17). */
import type {
  addDestination,
  cloneDestination,
  listDestinations,
  matchDestinations,
  updateDestination,
} from '@trunkline/contract/contributions/destination.calls'
import type {
  Destination,
  DestinationDraft,
} from '@trunkline/contract/contributions/destination.schema'
import { destinationFaults } from '@trunkline/contract/contributions/link.rules'
import type { BodyOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../../audit/audit.service.ts'
import { changedFields } from '../../changed-fields.ts'
import type { Context, Db } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import * as groupService from '../../groups/group.service.ts'
import { outdated, saveVersioned } from '../../save-versioned.ts'
import { groupScope, type Actor } from '../../security/actor.ts'
import * as destinationUseStore from './destination-use.store.ts'
import { groupOfClone, groupOfNew, groupOfSaved } from './destination.policy.ts'
import * as destinationStore from './destination.store.ts'
import type { DestinationRecord } from './destination.store.ts'

type Edit = BodyOf<typeof updateDestination>

/** 404 when there is none, or none that the actor may see. */
export async function loadFrom(db: Db, actor: Actor, id: string): Promise<DestinationRecord> {
  const found = await destinationStore.find(db, id, groupScope(actor))
  if (found === null) throw notFound('destination')
  return found
}

export async function list(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listDestinations>,
): Promise<ReplyOf<typeof listDestinations>> {
  const { destinations, total } = await destinationStore.list(ctx.db, {
    scope: groupScope(actor),
    search: query.searchValue,
    id: query.id,
    page: query.page,
    rows: query.rowsPerPage,
    sort: query.sort,
  })
  const wired = await wireAll(ctx.db, actor, destinations)
  return { status: true, destinations: wired, length: total, total }
}

export async function matching(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof matchDestinations>,
): Promise<ReplyOf<typeof matchDestinations>> {
  const { matches, total } = await destinationStore.listMatches(ctx.db, {
    scope: groupScope(actor),
    search: query.searchValue,
    id: '',
  })
  const ids = matches.map(({ id }) => id)
  return { status: true, data: { total, ids, titles: matches.map(({ title }) => title) } }
}

export async function add(
  ctx: Context,
  actor: Actor,
  draft: DestinationDraft,
  id: string,
): Promise<ReplyOf<typeof addDestination>> {
  return create(ctx, actor, draft, { id, call: 'destinations.add', original: null })
}

/** In the group of the original where the caller may choose it, with its address and its key. */
export async function clone(
  ctx: Context,
  actor: Actor,
  { originalId, title, id }: { originalId: string; title: string; id: string },
): Promise<ReplyOf<typeof cloneDestination>> {
  const original = await loadFrom(ctx.db, actor, originalId)
  const { encryption } = original
  const groupId = groupOfClone(actor, original.groupId)
  const draft = { title, ip: original.ip, encryption, ...(groupId === null ? {} : { groupId }) }
  return create(ctx, actor, draft, { id, call: 'destinations.clone', original })
}

interface Creation {
  id: string
  call: 'destinations.add' | 'destinations.clone'
  /** Whose key an empty passphrase takes; null for none. */
  original: DestinationRecord | null
}

async function create(
  ctx: Context,
  actor: Actor,
  draft: DestinationDraft,
  { id, call, original }: Creation,
): Promise<ReplyOf<typeof addDestination>> {
  const groupId = groupOfNew(actor, draft.groupId)
  await groupService.load(ctx, actor, groupId)
  const content = { ...contentOf(ctx, draft, original), groupId }
  await ctx.db.transaction().execute(async (trx) => {
    const createdAt = new Date(ctx.clock()).toISOString()
    await destinationStore.insert(trx, { ...content, id, version: 1, createdAt })
    await auditService.record(trx, {
      actor,
      call,
      object: { kind: 'destination', id },
      after: { ...recorded(draft), groupId },
    })
  })
  ctx.notices.tell({ kind: 'destination', id, change: 'added', groupIds: [groupId] })
  return added(ctx, actor, id)
}

/** As the call has answered that added it. */
export async function added(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof addDestination>> {
  const data = await wire(ctx.db, actor, await loadFrom(ctx.db, actor, id))
  return { status: true, msg: 'Destination added successfully', data }
}

/** No output is changed by it: live links stay as they are (Q151). */
export async function update(
  ctx: Context,
  actor: Actor,
  id: string,
  edit: Edit,
): Promise<ReplyOf<typeof updateDestination>> {
  const { before, data } = await ctx.db
    .transaction()
    .execute(async (trx) => save(ctx, trx, actor, { id, edit }))
  const groupIds = [...new Set([before.groupId, data.groupId])]
  ctx.notices.tell({ kind: 'destination', id, change: 'changed', groupIds })
  return { status: true, msg: 'Destination updated successfully', data }
}

async function save(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { id, edit }: { id: string; edit: Edit },
): Promise<{ before: DestinationRecord; data: Destination }> {
  const before = await saveVersioned({
    version: edit.version,
    read: async () => loadFrom(trx, actor, id),
    versionOf: (stored) => stored.version,
    write: async (stored) => {
      const groupId = groupOfSaved(actor, edit.groupId, stored.groupId)
      if (groupId !== stored.groupId) await groupService.loadFrom(trx, actor, groupId)
      return destinationStore.update(trx, stored, { ...contentOf(ctx, edit, stored), groupId })
    },
    outdated: async (current) => {
      const wired = await wire(trx, actor, current)
      return outdated('destination', wired, changedFields(comparable(edit), wired))
    },
  })
  await auditService.record(trx, {
    actor,
    call: 'destinations.update',
    object: { kind: 'destination', id },
    before: await wire(trx, actor, before),
    after: recorded(edit),
  })
  return { before, data: await wire(trx, actor, await loadFrom(trx, actor, id)) }
}

/** Keys never come back, so whether one differs is not known. */
function comparable({ title, ip, groupId, encryption }: Edit) {
  const { selection, type } = encryption
  return { title, ip, groupId, encryption: { selection, type } }
}

/** Encryption 'no' clears the key; an empty passphrase keeps the stored passphrase. */
function contentOf(
  ctx: Context,
  { title, ip, encryption }: Pick<DestinationDraft, 'title' | 'ip' | 'encryption'>,
  stored: DestinationRecord | null,
): Omit<destinationStore.DestinationContent, 'groupId'> {
  const [fault] = destinationFaults({ ip })
  if (fault !== undefined) throw invalid(fault.field, fault.sentence)
  if (encryption.selection === 'no') {
    const clear = { selection: 'no', passphrase: '', type: 128 } as const
    return { title, ip, encryption: clear, passphraseSealed: null }
  }
  const { passphrase, selection, type } = encryption
  const typed = passphrase === '' ? null : ctx.keys.seal(passphrase)
  const passphraseSealed = typed ?? stored?.passphraseSealed ?? null
  if (passphraseSealed === null) {
    throw invalid(
      'encryption.passphrase',
      'must not be empty while encryption is on. Use Generate A Key.',
    )
  }
  return { title, ip, encryption: { selection, type, passphrase: '' }, passphraseSealed }
}

/** Without the read-only fields that a client may echo back. */
function recorded({ title, ip, groupId, encryption }: DestinationDraft) {
  return { title, ip, groupId, encryption }
}

/** With the outputs that the actor may see counted. */
export async function wire(
  db: Db,
  actor: Actor,
  destination: DestinationRecord,
): Promise<Destination> {
  const [wired] = await wireAll(db, actor, [destination])
  return wired ?? wireCounted(destination, { outputs: 0, linkable: 0 })
}

/** Outputs are counted as far as the caller may see them. */
async function wireAll(
  db: Db,
  actor: Actor,
  destinations: readonly DestinationRecord[],
): Promise<Destination[]> {
  if (destinations.length === 0) return []
  const outputsOf = await destinationUseStore.count(db, groupScope(actor))
  return destinations.map((destination) => wireCounted(destination, outputsOf(destination)))
}

function wireCounted(
  { id, title, ip, groupId, encryption, passphraseSealed, version }: DestinationRecord,
  { outputs, linkable }: destinationUseStore.DestinationUse,
): Destination {
  return {
    _id: id,
    id,
    title,
    ip,
    groupId,
    encryption: { ...encryption, passphrase: '', passphraseSet: passphraseSealed !== null },
    outputs,
    linkable,
    version,
  }
}
