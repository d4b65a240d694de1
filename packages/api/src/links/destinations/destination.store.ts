/** Far ends by name. Which outputs go there is counted, not kept. */
import type { DESTINATION_SORTS } from '@trunkline/contract/contributions/destination.calls'
import { Encryption } from '@trunkline/contract/contributions/link.schema'
import type { Sort } from '@trunkline/contract/paging.schema'
import { decodeJson, encodeJson } from '../../db/codecs.ts'
import { guarded, type Refusals } from '../../db/guarded.ts'
import { idList } from '../../db/id-list.ts'
import { findText, idsMatching } from '../../db/matches.ts'
import type { Db } from '../../db/open.ts'
import { hasDeleted } from '../../db/queries/row-counts.ts'
import { listPage, orderOf, type AskedPage } from '../../db/page-rows.ts'
import type { DestinationRow } from '../../db/schema.ts'
import { addressKey, searchText, titleKey } from '../../db/search.ts'
import { updateVersioned } from '../../db/versioned-row.ts'
import { conflict, invalid } from '../../errors.ts'
import { mapInSlices } from '../../in-slices.ts'
import type { GroupScope } from '../../security/actor.ts'
import { matchesOf } from '../matching/link-match.store.ts'

export interface DestinationRecord {
  id: string
  title: string
  ip: string
  groupId: string
  encryption: Encryption
  passphraseSealed: string | null
  version: number
  createdAt: string
}

/** What a save may change; the rest of a record is not an operator's. */
export type DestinationContent = Omit<DestinationRecord, 'id' | 'version' | 'createdAt'>

export interface DestinationFilter extends AskedPage {
  scope: GroupScope
  /** In title, address and group; '' for any. */
  search: string
  /** '' for any. */
  id: string
  sort?: Sort<(typeof DESTINATION_SORTS)[number]>
}

const BY_TITLE = ['destinations.title_key', 'destinations.id']
const ORDERS = { title: BY_TITLE, ip: ['destinations.address_key', 'destinations.id'] }

/** null when there is none, or none in this scope. */
export async function find(
  db: Db,
  id: string,
  scope: GroupScope,
): Promise<DestinationRecord | null> {
  const row = await inScope(db, scope).selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

export async function listByIds(
  db: Db,
  ids: readonly string[],
  scope: GroupScope,
): Promise<DestinationRecord[]> {
  const rows = await inScope(db, scope).selectAll().where('id', 'in', ids).execute()
  return rows.map(toRecord)
}

/** In order of title, unless it is sorted otherwise. */
export async function list(
  db: Db,
  filter: DestinationFilter,
): Promise<{ destinations: DestinationRecord[]; total: number }> {
  const { rows, total } = await listPage(
    {
      matching: await filtered(db, filter),
      rows: db.selectFrom('destinations').selectAll('destinations'),
      order: orderOf(filter.sort ?? '', BY_TITLE, ORDERS),
    },
    filter,
  )
  return { destinations: await mapInSlices(rows, toRecord), total }
}

/** All that match a filter without their rows, in order of title. */
export async function listMatches(
  db: Db,
  filter: Omit<DestinationFilter, keyof AskedPage>,
): Promise<{ matches: { id: string; title: string }[]; total: number }> {
  const wanted = await filtered(db, filter)
  const ordered = wanted.orderBy('destinations.title_key').orderBy('destinations.id')
  return matchesOf(ordered, async (part) =>
    part.select(['destinations.id as id', 'destinations.title as title']).execute(),
  )
}

/** Conflict when its group has one of that title; invalid when there is no such group. */
export async function insert(db: Db, destination: DestinationRecord): Promise<void> {
  const { id, version, createdAt } = destination
  const values = { id, version, created_at: createdAt, ...columns(destination) }
  await guarded(REFUSALS, async () => db.insertInto('destinations').values(values).execute())
}

/** Answers false when somebody else has changed or removed it since `read`. Refuses as `insert` does. */
export async function update(
  db: Db,
  read: Pick<DestinationRecord, 'id' | 'version'>,
  content: DestinationContent,
): Promise<boolean> {
  return guarded(REFUSALS, async () => updateVersioned(db, 'destinations', read, columns(content)))
}

/** As `update`, of the title alone. */
export async function rename(db: Db, read: DestinationRecord, title: string): Promise<boolean> {
  return update(db, read, { ...read, title })
}

/** Outputs that go there keep its address. Answers false when it is gone already. */
export async function remove(db: Db, id: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('destinations').where('id', '=', id))
}

function inScope(db: Db, scope: GroupScope) {
  const all = db.selectFrom('destinations')
  if (scope === 'all') return all
  return all.where('group_id', 'in', idList(scope))
}

async function filtered(
  db: Db,
  { scope, search, id }: Pick<DestinationFilter, 'scope' | 'search' | 'id'>,
) {
  const all = inScope(db, scope)
  const wanted = id === '' ? all : all.where('destinations.id', '=', id)
  if (search.trim() === '') return wanted
  const found = await findText(db, 'destinations', search, { isWhole: false })
  const groupIds = await idsMatching(db, 'groups', search)
  return wanted.where((eb) =>
    groupIds.length === 0
      ? found.where
      : eb.or([found.where, eb('destinations.group_id', 'in', groupIds)]),
  )
}

function columns(content: DestinationContent) {
  return {
    title: content.title,
    title_key: titleKey(content.title),
    ip: content.ip,
    address_key: addressKey(content.ip),
    group_id: content.groupId,
    encryption: encodeJson({ ...content.encryption, passphrase: '' }),
    passphrase_sealed: content.passphraseSealed,
    search: searchText([content.title, content.ip]),
  }
}

function toRecord(row: DestinationRow): DestinationRecord {
  return {
    id: row.id,
    title: row.title,
    ip: row.ip,
    groupId: row.group_id,
    encryption: decodeJson(Encryption, row.encryption),
    passphraseSealed: row.passphrase_sealed,
    version: row.version,
    createdAt: row.created_at,
  }
}

const REFUSALS: Refusals = {
  unique: () =>
    conflict('This group already has a destination with this title. Choose another title.', {
      field: 'title',
    }),
  foreignKey: () =>
    invalid('groupId', 'names a group that does not exist. Choose one from the list.'),
}
