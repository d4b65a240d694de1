/** Notification rules in the database: settings as JSON, secrets sealed beside them. */
import { NotificationRuleDraft } from '@trunkline/contract/notifications/notification.schema'
import { z } from 'zod'
import { decodeFlag, decodeJson, encodeFlag, encodeJson } from '../db/codecs.ts'
import { guarded, type Refusals } from '../db/guarded.ts'
import type { Db } from '../db/open.ts'
import { hasDeleted } from '../db/queries/row-counts.ts'
import type { NotificationRuleRow } from '../db/schema.ts'
import { searchText, titleKey } from '../db/search.ts'
import { holdRow, updateVersioned } from '../db/versioned-row.ts'
import { conflict } from '../errors.ts'

/** Secrets are '' in its target. */
export interface RuleRecord extends NotificationRuleDraft {
  id: string
  version: number
  createdAt: string
  secretsSealed: string | null
}

export type RuleContent = Omit<RuleRecord, 'id' | 'version' | 'createdAt'>

const Settings = NotificationRuleDraft.omit({ title: true, isEnabled: true })

/** By name. */
export const Secrets = z.record(z.string(), z.string())
export type Secrets = z.infer<typeof Secrets>

export async function list(db: Db): Promise<RuleRecord[]> {
  const rows = await db
    .selectFrom('notification_rules')
    .selectAll()
    .orderBy('title_key')
    .orderBy('id')
    .execute()
  return rows.map(toRecord)
}

export async function find(db: Db, id: string): Promise<RuleRecord | null> {
  const row = await db
    .selectFrom('notification_rules')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** Conflict when there is a rule of that title, whatever its case. */
export async function insert(db: Db, rule: RuleRecord): Promise<void> {
  const { id, version, createdAt } = rule
  const values = { id, version, created_at: createdAt, ...columnsOf(rule) }
  await guarded(REFUSALS, async () => db.insertInto('notification_rules').values(values).execute())
}

/** Answers false when somebody else has changed or removed it since `read`. */
export async function update(
  db: Db,
  read: Pick<RuleRecord, 'id' | 'version'>,
  content: RuleContent,
): Promise<boolean> {
  return guarded(REFUSALS, async () =>
    updateVersioned(db, 'notification_rules', read, columnsOf(content)),
  )
}

/** Until the transaction ends, other processes that hold or change it wait. */
export async function hold(trx: Db, id: string): Promise<void> {
  await holdRow(trx, 'notification_rules', id)
}

export async function remove(db: Db, id: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('notification_rules').where('id', '=', id))
}

function toRecord(row: NotificationRuleRow): RuleRecord {
  return {
    id: row.id,
    version: row.version,
    createdAt: row.created_at,
    title: row.title,
    isEnabled: decodeFlag(row.is_enabled),
    ...decodeJson(Settings, row.settings),
    secretsSealed: row.secrets_sealed,
  }
}

function columnsOf({ title, isEnabled, secretsSealed, ...settings }: RuleContent) {
  return {
    title,
    title_key: titleKey(title),
    search: searchText([title]),
    is_enabled: encodeFlag(isEnabled),
    // Only what the schema has: no id and no version of a whole record.
    settings: encodeJson(Settings.parse(pick(settings))),
    secrets_sealed: secretsSealed,
  }
}

function pick(content: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(Settings.shape).map((name) => [name, content[name]]))
}

const REFUSALS: Refusals = {
  unique: () =>
    conflict('There is already a notification rule with this title. Choose another title.', {
      field: 'title',
    }),
}
