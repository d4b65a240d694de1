import { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import { compareKeys } from '@trunkline/contract/search/title-key.rules'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import { decodeJson, encodeJson } from '../../db/codecs.ts'
import { guarded, type Refusals } from '../../db/guarded.ts'
import { idList } from '../../db/id-list.ts'
import type { Db } from '../../db/open.ts'
import { hasDeleted } from '../../db/queries/row-counts.ts'
import { searchText, titleKey } from '../../db/search.ts'
import { updateVersioned } from '../../db/versioned-row.ts'
import { conflict } from '../../errors.ts'
import type { GroupScope } from '../../security/actor.ts'

export interface TemplateRecord {
  id: string
  title: string
  /** '' for all groups. */
  groupId: string
  /** Null for all groups. */
  group: GroupRef | null
  settings: TemplateSettings
  version: number
  createdAt: string
}

export type TemplateContent = Pick<TemplateRecord, 'title' | 'settings'>

/** In order of title, the same on both databases, whose collations differ. */
export async function list(db: Db, scope: GroupScope): Promise<TemplateRecord[]> {
  const rows = await scoped(db, scope).execute()
  return rows
    .toSorted((a, b) => compareKeys(a.title_key, b.title_key) || compareKeys(a.id, b.id))
    .map(toRecord)
}

/** In no order. */
export async function listByIds(
  db: Db,
  ids: readonly string[],
  scope: GroupScope,
): Promise<TemplateRecord[]> {
  const rows = scoped(db, scope).where('encoder_templates.id', 'in', idList(ids))
  return (await rows.execute()).map(toRecord)
}

export async function find(db: Db, id: string, scope: GroupScope): Promise<TemplateRecord | null> {
  const row = await scoped(db, scope).where('encoder_templates.id', '=', id).executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** Conflict when its group has one of that title, whatever its case. */
export async function insert(db: Db, template: Omit<TemplateRecord, 'group'>): Promise<void> {
  const { id, groupId, version, createdAt } = template
  const values = { id, group_id: groupId, version, created_at: createdAt, ...columnsOf(template) }
  await guarded(REFUSALS, async () => db.insertInto('encoder_templates').values(values).execute())
}

/**
 * Answers false when somebody else has changed or removed it since `read`. Conflict when its group
 * has one of that title, whatever its case.
 */
export async function update(
  db: Db,
  read: Pick<TemplateRecord, 'id' | 'version'>,
  content: TemplateContent,
): Promise<boolean> {
  return guarded(REFUSALS, async () =>
    updateVersioned(db, 'encoder_templates', read, columnsOf(content)),
  )
}

/** Answers false when it is gone already. */
export async function remove(db: Db, id: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('encoder_templates').where('id', '=', id))
}

function scoped(db: Db, scope: GroupScope) {
  const all = db
    .selectFrom('encoder_templates')
    .leftJoin('groups', 'groups.id', 'encoder_templates.group_id')
    .selectAll('encoder_templates')
    .select('groups.title as groupTitle')
  if (scope === 'all') return all
  return all.where('encoder_templates.group_id', 'in', scope)
}

type Row = Awaited<ReturnType<ReturnType<typeof scoped>['executeTakeFirstOrThrow']>>

function toRecord(row: Row): TemplateRecord {
  const { id, title, group_id: groupId, groupTitle, version, created_at: createdAt } = row
  return {
    id,
    title,
    groupId,
    group: groupTitle === null ? null : { _id: groupId, title: groupTitle },
    settings: decodeJson(TemplateSettings, row.settings),
    version,
    createdAt,
  }
}

function columnsOf({ title, settings }: TemplateContent) {
  return {
    title,
    title_key: titleKey(title),
    settings: encodeJson(settings),
    search: searchText([title]),
  }
}

const REFUSALS: Refusals = {
  unique: () =>
    conflict('There is already a template with this title. Choose another title.', {
      field: 'title',
    }),
}
