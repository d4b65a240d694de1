import type { INPUT_SORTS } from '@trunkline/contract/contributions/input.calls'
import { InputConfig, type InputType } from '@trunkline/contract/contributions/input.schema'
import type { Sort } from '@trunkline/contract/paging.schema'
import { decodeFlag, decodeJson, encodeFlag } from '../../db/codecs.ts'
import { guarded, type Refusals } from '../../db/guarded.ts'
import { idList } from '../../db/id-list.ts'
import { findText, idsMatching } from '../../db/matches.ts'
import type { Db } from '../../db/open.ts'
import { listPage, orderOf, type AskedPage } from '../../db/page-rows.ts'
import { readByIds } from '../../db/read-by-ids.ts'
import { updateVersioned } from '../../db/versioned-row.ts'
import { invalid } from '../../errors.ts'
import { mapInSlices } from '../../in-slices.ts'
import type { GroupScope } from '../../security/actor.ts'
import { matchesOf, type LinkMatch } from '../matching/link-match.store.ts'
import { contentColumns, firstColumns, sharedFields, type SharedFields } from '../link.store.ts'

export interface InputRecord extends SharedFields {
  inputType: InputType
  server: { _id: string; title: string; host: string; hostKey: string; port: number }
  groupId: string
  /** In order of creation. */
  outputIds: string[]
  config: InputConfig
}

export interface InputFilter extends AskedPage {
  scope: GroupScope
  serverId: string
  groupId: string
  /** Of the outer leg; null for any. */
  port: number | null
  search: string
  sort?: Sort<(typeof INPUT_SORTS)[number]>
}

const ORDERS = {
  title: ['inputs.title_key', 'inputs.id'],
  port: ['inputs.port', 'inputs.id'],
}

export async function find(db: Db, id: string, scope: GroupScope): Promise<InputRecord | null> {
  return (
    (await toRecords(db, await inScope(db, scope).where('inputs.id', '=', id).execute()))[0] ?? null
  )
}

/** In order of creation, unless it is sorted. */
export async function list(
  db: Db,
  filter: InputFilter,
): Promise<{ inputs: InputRecord[]; total: number }> {
  const { query, total: known } = await matching(db, filter)
  const { rows, total } = await listPage(
    {
      matching: query,
      total: known,
      rows: inScope(db, 'all'),
      order: orderOf(filter.sort ?? '', ['inputs.created_at', 'inputs.id'], ORDERS),
    },
    filter,
  )
  return { inputs: await toRecords(db, rows), total }
}

/** Of those that match, on whatever page, what an action of several asks of each. */
export async function listMatches(
  db: Db,
  filter: Omit<InputFilter, keyof AskedPage>,
): Promise<{ matches: LinkMatch[]; total: number }> {
  const { query } = await matching(db, filter)
  const ordered = query.orderBy('inputs.created_at').orderBy('inputs.id')
  return matchesOf(ordered, async (page) => {
    const rows = await page
      .clearSelect()
      .select(['inputs.id as id', 'inputs.name as name', 'inputs.is_enabled as isEnabled'])
      .select('inputs.input_type as type')
      .select((eb) =>
        eb
          .selectFrom('outputs')
          .select((count) => count.fn.countAll<number>().as('outputs'))
          .whereRef('outputs.input_id', '=', 'inputs.id')
          .as('outputs'),
      )
      .execute()
    return rows.map(({ id, name, isEnabled, type, outputs }) => ({
      id,
      name,
      isEnabled: decodeFlag(isEnabled),
      isLocal: type === 'Local',
      outputs: Number(outputs),
    }))
  })
}

/** `total`: where it is known without counting. */
async function matching(db: Db, filter: Omit<InputFilter, keyof AskedPage>) {
  let wanted = db.selectFrom('inputs')
  if (filter.scope !== 'all') wanted = wanted.where('inputs.group_id', 'in', idList(filter.scope))
  if (filter.serverId !== '') wanted = wanted.where('inputs.server_id', '=', filter.serverId)
  if (filter.groupId !== '') wanted = wanted.where('inputs.group_id', '=', filter.groupId)
  if (filter.port !== null) wanted = wanted.where('inputs.port', '=', filter.port)
  const search = filter.search.trim()
  const isWhole =
    filter.scope === 'all' && filter.serverId + filter.groupId === '' && filter.port === null
  let known: number | null = null
  if (search !== '') {
    const found = await findText(db, 'inputs', search, { isWhole })
    const [serverIds, groupIds] = [
      await idsMatching(db, 'servers', search),
      await idsMatching(db, 'groups', search),
    ]
    wanted = wanted.where((eb) =>
      eb.or([
        found.where,
        ...(serverIds.length === 0 ? [] : [eb('inputs.server_id', 'in', serverIds)]),
        ...(groupIds.length === 0 ? [] : [eb('inputs.group_id', 'in', groupIds)]),
      ]),
    )
    if (serverIds.length + groupIds.length === 0) known = found.total
  }
  return { query: wanted, total: known }
}

/** For the fleet, without a scope: in order of their ids, the first `limit` behind this one. */
export async function listBehind(db: Db, behindId: string, limit: number): Promise<InputRecord[]> {
  const wanted = inScope(db, 'all').where('inputs.id', '>', behindId)
  return toRecords(db, await wanted.orderBy('inputs.id').limit(limit).execute())
}

/** For the fleet, without a scope: those of one server, or one. */
export async function listForFleet(
  db: Db,
  only: { serverId?: string; id?: string },
): Promise<InputRecord[]> {
  let wanted = inScope(db, 'all')
  if (only.serverId !== undefined) wanted = wanted.where('inputs.server_id', '=', only.serverId)
  if (only.id !== undefined) wanted = wanted.where('inputs.id', '=', only.id)
  return toRecords(db, await wanted.execute())
}

export async function listByIds(db: Db, ids: readonly string[]): Promise<InputRecord[]> {
  const rows = await readByIds(ids, async (some) =>
    inScope(db, 'all').where('inputs.id', 'in', some).execute(),
  )
  return toRecords(db, rows)
}

/** By name or id. */
export async function listNamed(
  db: Db,
  names: readonly string[],
  scope: GroupScope,
): Promise<InputRecord[]> {
  const rows = await inScope(db, scope)
    .where((eb) => eb.or([eb('inputs.name', 'in', names), eb('inputs.id', 'in', names)]))
    .execute()
  return toRecords(db, rows)
}

export type NewInput = Omit<InputRecord, 'server' | 'outputIds'> & { serverId: string }

/** What a save may change; the rest of a record is not an operator's. */
export type InputContent = Pick<
  InputRecord,
  'title' | 'inputType' | 'groupId' | 'config' | 'encryption' | 'passphraseSealed' | 'advanced'
>

export async function insert(db: Db, input: NewInput): Promise<void> {
  const values = { ...firstColumns(input), ...columns(input.name, input) }
  await guarded(REFUSALS, async () =>
    db
      .insertInto('inputs')
      .values({ ...values, server_id: input.serverId })
      .execute(),
  )
}

/** Nothing is wanted of a Local input. Answers false when somebody else has changed it since `version`. */
export async function update(
  db: Db,
  input: Pick<InputRecord, 'id' | 'name' | 'version'>,
  content: InputContent,
): Promise<boolean> {
  const runsNothing = content.inputType === 'Local' ? { wanted_running: encodeFlag(false) } : {}
  return guarded(REFUSALS, async () =>
    updateVersioned(db, 'inputs', input, { ...columns(input.name, content), ...runsNothing }),
  )
}

function columns(name: string, content: InputContent) {
  return {
    ...contentColumns(name, content),
    input_type: content.inputType,
    group_id: content.groupId,
    port: content.config.port,
  }
}

const REFUSALS: Refusals = {
  foreignKey: () =>
    invalid('serverId', 'or groupId names an object that was just removed. Refresh and try again.'),
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
  return all.where('inputs.group_id', 'in', idList(scope))
}

type Row = Awaited<ReturnType<ReturnType<typeof inScope>['execute']>>[number]

async function toRecords(db: Db, rows: Row[]): Promise<InputRecord[]> {
  const ids = rows.map((row) => row.id)
  const outputs = await readByIds(ids, async (some) =>
    db
      .selectFrom('outputs')
      .select(['id', 'input_id'])
      .where('input_id', 'in', some)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  )
  const byInput = Map.groupBy(outputs, (output) => output.input_id)
  return mapInSlices(rows, (row) => ({
    ...sharedFields(row),
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
    config: decodeJson(InputConfig, row.config),
  }))
}
