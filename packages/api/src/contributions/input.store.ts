import { InputConfig, type InputType } from '@trunkline/contract/contributions/input.schema'
import { AdvancedParameters, Encryption } from '@trunkline/contract/contributions/link.schema'
import { decodeFlag, decodeJson, encodeFlag, encodeJson } from '../db/codecs.ts'
import { foreignKeyViolation } from '../db/faults.ts'
import { matches } from '../db/matches.ts'
import type { Db } from '../db/open.ts'
import { pageRows } from '../db/page-rows.ts'
import { searchText } from '../db/search.ts'
import { invalid } from '../errors.ts'
import type { GroupScope } from '../security/actor.ts'

export interface InputRecord {
  id: string
  name: string
  title: string
  inputType: InputType
  server: { _id: string; title: string; host: string; hostKey: string; port: number }
  groupId: string
  /** In order of creation. */
  outputIds: string[]
  isEnabled: boolean
  wantedRunning: boolean
  config: InputConfig
  encryption: Encryption
  passphraseSealed: string | null
  advanced: AdvancedParameters
  version: number
  createdAt: string
}

export type AdvancedParameters = ReturnType<typeof AdvancedParameters.parse>

export interface InputFilter {
  scope: GroupScope
  serverId: string
  groupId: string
  search: string
  /** Zero based; `rows` of 0 means all. */
  page: number
  rows: number
}

export async function find(db: Db, id: string, scope: GroupScope): Promise<InputRecord | null> {
  return (
    (await nouns(db, await inScope(db, scope).where('inputs.id', '=', id).execute()))[0] ?? null
  )
}

/** In order of creation. */
export async function list(
  db: Db,
  filter: InputFilter,
): Promise<{ inputs: InputRecord[]; total: number }> {
  let wanted = inScope(db, filter.scope)
  if (filter.serverId !== '') wanted = wanted.where('inputs.server_id', '=', filter.serverId)
  if (filter.groupId !== '') wanted = wanted.where('inputs.group_id', '=', filter.groupId)
  const search = filter.search.trim()
  if (search !== '') {
    wanted = wanted.where((one) =>
      one.or([
        matches('inputs.search', search),
        matches('servers.search', search),
        one.exists(
          one
            .selectFrom('groups')
            .select('groups.id')
            .whereRef('groups.id', '=', 'inputs.group_id')
            .where(matches('groups.search', search)),
        ),
      ]),
    )
  }
  const { total } = await wanted
    .clearSelect()
    .select((one) => one.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const { limit, offset } = pageRows(filter)
  const rows = await wanted
    .orderBy('inputs.created_at')
    .orderBy('inputs.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { inputs: await nouns(db, rows), total }
}

/** For the fleet, without a scope: all, those of one server, or one. */
export async function listForFleet(
  db: Db,
  only: { serverId?: string; id?: string },
): Promise<InputRecord[]> {
  let wanted = inScope(db, 'all')
  if (only.serverId !== undefined) wanted = wanted.where('inputs.server_id', '=', only.serverId)
  if (only.id !== undefined) wanted = wanted.where('inputs.id', '=', only.id)
  return nouns(db, await wanted.execute())
}

export async function listByIds(db: Db, ids: readonly string[]): Promise<InputRecord[]> {
  if (ids.length === 0) return []
  return nouns(db, await inScope(db, 'all').where('inputs.id', 'in', ids).execute())
}

export type NewInput = Omit<InputRecord, 'server' | 'outputIds'> & { serverId: string }

export async function insert(db: Db, input: NewInput): Promise<void> {
  try {
    await db
      .insertInto('inputs')
      .values({
        id: input.id,
        name: input.name,
        title: input.title,
        input_type: input.inputType,
        server_id: input.serverId,
        group_id: input.groupId,
        is_enabled: encodeFlag(input.isEnabled),
        wanted_running: encodeFlag(input.wantedRunning),
        config: encodeJson(input.config),
        encryption: encodeJson({ ...input.encryption, passphrase: '' }),
        passphrase_sealed: input.passphraseSealed,
        advanced: encodeJson(input.advanced),
        version: input.version,
        created_at: input.createdAt,
        search: searchText([input.name, input.title, input.config.host]),
      })
      .execute()
  } catch (error) {
    if (!foreignKeyViolation(error)) throw error
    throw invalid('serverId', 'or groupId names what was removed meanwhile. Refresh and try again.')
  }
}

export async function setWantedRunning(db: Db, id: string, isWanted: boolean): Promise<void> {
  await db
    .updateTable('inputs')
    .set({ wanted_running: encodeFlag(isWanted) })
    .where('id', '=', id)
    .execute()
}

function inScope(db: Db, scope: GroupScope) {
  const all = db
    .selectFrom('inputs')
    .innerJoin('servers', 'servers.id', 'inputs.server_id')
    .selectAll('inputs')
    .select([
      'servers.title as server_title',
      'servers.host as server_host',
      'servers.host_key as server_host_key',
      'servers.port as server_port',
    ])
  if (scope === 'all') return all
  return all.where('inputs.group_id', 'in', scope.length > 0 ? scope : [''])
}

type Row = Awaited<ReturnType<ReturnType<typeof inScope>['execute']>>[number]

async function nouns(db: Db, rows: Row[]): Promise<InputRecord[]> {
  if (rows.length === 0) return []
  const outputs = await db
    .selectFrom('outputs')
    .select(['id', 'input_id'])
    .where(
      'input_id',
      'in',
      rows.map((row) => row.id),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const byInput = Map.groupBy(outputs, (output) => output.input_id)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    title: row.title,
    inputType: row.input_type,
    server: {
      _id: row.server_id,
      title: row.server_title,
      host: row.server_host,
      hostKey: row.server_host_key,
      port: row.server_port,
    },
    groupId: row.group_id,
    outputIds: (byInput.get(row.id) ?? []).map((output) => output.id),
    isEnabled: decodeFlag(row.is_enabled),
    wantedRunning: decodeFlag(row.wanted_running),
    config: decodeJson(InputConfig, row.config),
    encryption: decodeJson(Encryption, row.encryption),
    passphraseSealed: row.passphrase_sealed,
    advanced: decodeJson(AdvancedParameters, row.advanced),
    version: row.version,
    createdAt: row.created_at,
  }))
}
