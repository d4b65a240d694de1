import type { GROUP_SORTS } from '@trunkline/contract/groups/group.calls'
import type { Sort } from '@trunkline/contract/paging.schema'
import type { Role } from '@trunkline/contract/roles'
import { guarded, type Refusals } from '../db/guarded.ts'
import { matches } from '../db/matches.ts'
import type { Db } from '../db/open.ts'
import { countRows } from '../db/queries/row-counts.ts'
import { readByIds } from '../db/read-by-ids.ts'
import { listPage, orderOf, type AskedPage } from '../db/page-rows.ts'
import type { GroupRow } from '../db/schema.ts'
import { searchText, titleKey } from '../db/search.ts'
import { holdRow, updateVersioned } from '../db/versioned-row.ts'
import { conflict } from '../errors.ts'
import type { GroupScope } from '../security/actor.ts'
import type { Content } from './group-content.rules.ts'

/** More ids than this are not spelled out: reading all rows is cheaper, and SQLite limits variables. */
const SPELLED_OUT_LIMIT = 500

export interface Person {
  id: string
  firstName: string
  lastName: string
  role: Role
}

export interface GroupRecord {
  id: string
  title: string
  description: string
  managerId: string
  version: number
  createdAt: string
  /** The manager first, then the members in order of creation (Q108). */
  people: Person[]
}

export type GroupContent = Pick<GroupRecord, 'title' | 'description' | 'managerId'>

export interface GroupFilter extends AskedPage {
  scope: GroupScope
  /** In title and description. */
  search: string
  /** '' for any. */
  id: string
  /** Whom the records name: everybody, or the manager alone. */
  people: NamedPeople
  sort?: Sort<(typeof GROUP_SORTS)[number]>
}

const ORDERS = { title: ['groups.title_key', 'groups.id'] }

type NamedPeople = 'all' | 'manager'

/** In order of creation, unless it is sorted. */
export async function list(
  db: Db,
  filter: GroupFilter,
): Promise<{ groups: GroupRecord[]; total: number }> {
  const { scope } = filter
  if (scope !== 'all' && scope.length === 0) return { groups: [], total: 0 }
  let wanted = db.selectFrom('groups')
  if (scope !== 'all') wanted = wanted.where('id', 'in', scope)
  if (filter.id !== '') wanted = wanted.where('id', '=', filter.id)
  if (filter.search.trim() !== '') wanted = wanted.where(matches('search', filter.search))
  const { rows, total } = await listPage(
    {
      matching: wanted,
      rows: db.selectFrom('groups').selectAll('groups'),
      order: orderOf(filter.sort ?? '', ['groups.created_at', 'groups.id'], ORDERS),
    },
    filter,
  )
  return { groups: await withPeople(db, rows, filter.people), total }
}

export async function find(db: Db, id: string): Promise<GroupRecord | null> {
  const rows = await db.selectFrom('groups').selectAll().where('id', '=', id).execute()
  return (await withPeople(db, rows, 'all'))[0] ?? null
}

/** What each of these is called; without those that are gone. */
export async function titlesOf(
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; title: string }[]> {
  return readByIds(ids, async (some) =>
    db.selectFrom('groups').select(['id', 'title']).where('id', 'in', some).execute(),
  )
}

/** Conflict when the title is taken, whatever its case. */
export async function insert(db: Db, group: Omit<GroupRecord, 'people'>): Promise<void> {
  const { id, version, createdAt } = group
  const values = { id, version, created_at: createdAt, ...columnsOf(group) }
  await guarded(REFUSALS, async () => db.insertInto('groups').values(values).execute())
}

/**
 * Answers false when somebody else has changed this group since `read`. Conflict when the title is
 * taken, whatever its case.
 */
export async function update(
  db: Db,
  read: Pick<GroupRecord, 'id' | 'version'>,
  content: GroupContent,
): Promise<boolean> {
  return guarded(REFUSALS, async () => updateVersioned(db, 'groups', read, columnsOf(content)))
}

/** Until the transaction ends, whoever else holds this group waits. */
export async function hold(trx: Db, id: string): Promise<void> {
  await holdRow(trx, 'groups', id)
}

/** What is in a group besides its manager. */
export async function countContent(db: Db, id: string): Promise<Record<Content, number>> {
  const ofGroup = async (table: 'encoders' | 'inputs' | 'destinations') => {
    return countRows(db.selectFrom(table).where('group_id', '=', id))
  }
  const shared = async (table: 'server_groups' | 'channel_groups') => {
    return countRows(db.selectFrom(table).where('group_id', '=', id))
  }
  const members = db
    .selectFrom('group_users')
    .innerJoin('groups', 'groups.id', 'group_users.group_id')
    .where('groups.id', '=', id)
    .whereRef('group_users.user_id', '!=', 'groups.manager_id')
  return {
    member: await countRows(members),
    encoder: await ofGroup('encoders'),
    server: await shared('server_groups'),
    channel: await shared('channel_groups'),
    input: await ofGroup('inputs'),
    destination: await ofGroup('destinations'),
  }
}

/** Titles of the encoder templates that only this group has. */
export async function templateTitles(db: Db, id: string): Promise<string[]> {
  const rows = db.selectFrom('encoder_templates').select('title').where('group_id', '=', id)
  return (await rows.orderBy('title_key').execute()).map(({ title }) => title)
}

/** Its templates go with it. Conflict when something else came into it after it was counted. */
export async function remove(db: Db, group: Pick<GroupRecord, 'id' | 'managerId'>): Promise<void> {
  await db.deleteFrom('encoder_templates').where('group_id', '=', group.id).execute()
  const own = db.deleteFrom('group_users').where('group_id', '=', group.id)
  await own.where('user_id', '=', group.managerId).execute()
  await guarded(IN_USE, async () => db.deleteFrom('groups').where('id', '=', group.id).execute())
}

function columnsOf({ title, description, managerId }: GroupContent) {
  return {
    title,
    title_key: titleKey(title),
    description,
    manager_id: managerId,
    search: searchText([title, description]),
  }
}

const REFUSALS: Refusals = {
  unique: () =>
    conflict('There is already a group with this title. Choose another title.', { field: 'title' }),
}

const IN_USE: Refusals = {
  foreignKey: () =>
    conflict('Somebody else has just added something to this group. Check it, then try again.'),
}

async function withPeople(db: Db, rows: GroupRow[], named: NamedPeople): Promise<GroupRecord[]> {
  if (rows.length === 0) return []
  const people = db
    .selectFrom('users')
    .select(['users.id', 'users.first_name as firstName', 'users.last_name as lastName', 'role'])
    .orderBy('users.created_at')
    .orderBy('users.id')
  let managing = people
    .innerJoin('groups', 'groups.manager_id', 'users.id')
    .select('groups.id as groupId')
  let belonging = people
    .innerJoin('group_users', 'group_users.user_id', 'users.id')
    .select('group_users.group_id as groupId')
  if (rows.length <= SPELLED_OUT_LIMIT) {
    const ids = rows.map((row) => row.id)
    managing = managing.where('groups.id', 'in', ids)
    belonging = belonging.where('group_users.group_id', 'in', ids)
  }
  const managers = Map.groupBy(await managing.execute(), (item) => item.groupId)
  const members = Map.groupBy(
    named === 'all' ? await belonging.execute() : [],
    (item) => item.groupId,
  )
  return rows.map((row) => {
    const others = (members.get(row.id) ?? []).filter((item) => item.id !== row.manager_id)
    const everybody = [...(managers.get(row.id) ?? []), ...others]
    return {
      id: row.id,
      title: row.title,
      description: row.description,
      managerId: row.manager_id,
      version: row.version,
      createdAt: row.created_at,
      people: everybody.map(({ id, firstName, lastName, role }) => {
        return { id, firstName, lastName, role }
      }),
    }
  })
}
