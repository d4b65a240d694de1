/** What the tables of inputs and outputs have alike; the two stores beside it have the rest. */
import {
  AdvancedParameters,
  Encryption,
  type LinkMode,
} from '@trunkline/contract/contributions/link.schema'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import { decodeFlag, decodeJson, encodeFlag, encodeJson } from '../db/codecs.ts'
import { setRowEnabled } from '../db/enabled-row.ts'
import { foreignKeyViolation } from '../db/faults.ts'
import type { Db } from '../db/open.ts'
import type { LinkRow } from '../db/schema.ts'
import { searchText, titleKey } from '../db/search.ts'
import { updateVersioned } from '../db/versioned-row.ts'

export type LinkName = 'input' | 'output'

const TABLES = { input: 'inputs', output: 'outputs' } as const

export interface SharedFields {
  id: string
  name: string
  title: string
  isEnabled: boolean
  wantedRunning: boolean
  encryption: Encryption
  passphraseSealed: string | null
  advanced: AdvancedParameters
  version: number
  createdAt: string
}

type AdvancedParameters = ReturnType<typeof AdvancedParameters.parse>

export function sharedFields(row: LinkRow): SharedFields {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    isEnabled: decodeFlag(row.is_enabled),
    wantedRunning: decodeFlag(row.wanted_running),
    encryption: decodeJson(Encryption, row.encryption),
    passphraseSealed: row.passphrase_sealed,
    advanced: decodeJson(AdvancedParameters, row.advanced),
    version: row.version,
    createdAt: row.created_at,
  }
}

/** Columns that no save of an operator changes. */
export function firstColumns(link: SharedFields) {
  return {
    id: link.id,
    name: link.name,
    is_enabled: encodeFlag(link.isEnabled),
    wanted_running: encodeFlag(link.wantedRunning),
    version: link.version,
    created_at: link.createdAt,
  }
}

type SharedContent = Pick<
  SharedFields,
  'title' | 'encryption' | 'passphraseSealed' | 'advanced'
> & {
  config: { mode: LinkMode; host: string; port: number }
}

/** Whom the link calls; nobody when it listens. */
export function calledPlace({ mode, host, port }: { mode: LinkMode; host: string; port: number }) {
  return mode === 'Push'
    ? { calls_address: hostKeyOf(host), calls_port: port }
    : { calls_address: '', calls_port: 0 }
}

/** Columns of what a save may change. */
export function contentColumns(name: string, content: SharedContent) {
  return {
    title: content.title,
    title_key: titleKey(content.title),
    config: encodeJson(content.config),
    encryption: encodeJson({ ...content.encryption, passphrase: '' }),
    passphrase_sealed: content.passphraseSealed,
    advanced: encodeJson(content.advanced),
    search: linkSearch(name, content.title, content.config.host),
    ...calledPlace(content.config),
  }
}

/** The `search` column. The host is its last line: outputs/output-host.store.ts finds it there. */
export function linkSearch(name: string, title: string, host: string): string {
  return searchText([name, title, host])
}

type ReadLink = Pick<SharedFields, 'id' | 'name' | 'version'> & { config: { host: string } }

/** Answers false when somebody else has changed or removed it since it was read. */
export async function rename(
  db: Db,
  kind: LinkName,
  link: ReadLink,
  title: string,
): Promise<boolean> {
  const search = linkSearch(link.name, title, link.config.host)
  return updateVersioned(db, TABLES[kind], link, { title, title_key: titleKey(title), search })
}

/** Whether another link of this kind and group has the title. An output is of its input's group. */
export async function isTitleTaken(
  db: Db,
  kind: LinkName,
  { id, groupId, title }: { id: string; groupId: string; title: string },
): Promise<boolean> {
  const inputs = db.selectFrom('inputs').where('inputs.group_id', '=', groupId).limit(1)
  const other =
    kind === 'input'
      ? await inputs
          .select('inputs.id')
          .where('inputs.title', '=', title)
          .where('inputs.id', '!=', id)
          .executeTakeFirst()
      : await inputs
          .innerJoin('outputs', 'outputs.input_id', 'inputs.id')
          .select('outputs.id')
          .where('outputs.title', '=', title)
          .where('outputs.id', '!=', id)
          .executeTakeFirst()
  return other !== undefined
}

/** Answers false when it is disabled, a Local input, or gone: then nothing is wanted of it. */
export async function setWantedRunning(
  db: Db,
  kind: LinkName,
  id: string,
  isWanted: boolean,
): Promise<boolean> {
  const enabled = db
    .updateTable(TABLES[kind])
    .set({ wanted_running: encodeFlag(isWanted) })
    .where('id', '=', id)
    .where('is_enabled', '=', encodeFlag(true))
  const runnable = kind === 'input' ? enabled.where('input_type', '!=', 'Local') : enabled
  const { numUpdatedRows } = await runnable.executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Nothing is wanted running afterwards, whichever way it goes. Answers false when it was so already. */
export async function setEnabled(
  db: Db,
  kind: LinkName,
  id: string,
  isEnabled: boolean,
): Promise<boolean> {
  return setRowEnabled(db, TABLES[kind], id, isEnabled)
}

/**
 * An input's group of the local bus goes with it; one that outputs read from is in use, and
 * PostgreSQL has ended the transaction then.
 */
export async function remove(
  db: Db,
  kind: LinkName,
  id: string,
): Promise<'removed' | 'gone' | 'in use'> {
  try {
    const { numDeletedRows } = await db
      .deleteFrom(TABLES[kind])
      .where('id', '=', id)
      .executeTakeFirst()
    return numDeletedRows > 0n ? 'removed' : 'gone'
  } catch (error) {
    if (foreignKeyViolation(error)) return 'in use'
    throw error
  }
}
