import type { OUTPUT_SORTS } from '@trunkline/contract/contributions/output.calls'
import { OutputConfig, type OutputType } from '@trunkline/contract/contributions/output.schema'
import type { Sort } from '@trunkline/contract/paging.schema'
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import { decodeFlag, decodeJson } from '../../db/codecs.ts'
import { guarded, type Refusals } from '../../db/guarded.ts'
import { idList } from '../../db/id-list.ts'
import { findText } from '../../db/matches.ts'
import type { Db } from '../../db/open.ts'
import { countRows } from '../../db/queries/row-counts.ts'
import { listPage, orderOf, type AskedPage } from '../../db/page-rows.ts'
import type { Database } from '../../db/schema.ts'
import { readByIds } from '../../db/read-by-ids.ts'
import { updateVersioned } from '../../db/versioned-row.ts'
import { invalid } from '../../errors.ts'
import { mapInSlices } from '../../in-slices.ts'
import type { GroupScope } from '../../security/actor.ts'
import * as destinationStore from '../destinations/destination.store.ts'
import { matchesOf, type LinkMatch } from '../matching/link-match.store.ts'
import { contentColumns, firstColumns, sharedFields, type SharedFields } from '../link.store.ts'
import { callsOut, goesTo } from './output-host.store.ts'

export interface OutputRecord extends SharedFields {
  outputType: OutputType
  inputId: string
  destinationId: string | null
  /** As it is now. Its group may be another than the output's. */
  destination: { _id: string; title: string; ip: string; groupId: string } | null
  config: OutputConfig
}

export interface OutputFilter extends AskedPage {
  scope: GroupScope
  /** '' for all. */
  inputId: string
  destinationId: string
  /** A destination's id. */
  linkableTo: string
  search: string
  sort?: Sort<(typeof OUTPUT_SORTS)[number]>
}

const ORDERS = { title: ['outputs.title_key', 'outputs.id'] }

export async function find(db: Db, id: string, scope: GroupScope): Promise<OutputRecord | null> {
  const row = await inScope(db, scope).where('outputs.id', '=', id).executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** By its name, or by its id. */
export async function findOfInput(
  db: Db,
  inputId: string,
  nameOrId: string,
): Promise<OutputRecord | null> {
  const row = await inScope(db, 'all')
    .where('outputs.input_id', '=', inputId)
    .where((eb) => eb.or([eb('outputs.name', '=', nameOrId), eb('outputs.id', '=', nameOrId)]))
    .executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** Those of these names or ids, of both alike (Q137). */
export async function listNamed(
  db: Db,
  names: readonly string[],
  scope: GroupScope,
): Promise<OutputRecord[]> {
  const rows = await inScope(db, scope)
    .where((eb) => eb.or([eb('outputs.name', 'in', names), eb('outputs.id', 'in', names)]))
    .execute()
  return rows.map(toRecord)
}

/** In order of creation, unless it is sorted. */
export async function list(
  db: Db,
  filter: OutputFilter,
): Promise<{ outputs: OutputRecord[]; total: number }> {
  const wanted = await filtered(db, filter)
  if (wanted === null) return { outputs: [], total: 0 }
  const { rows, total } = await listPage(
    {
      matching: wanted,
      rows: inScope(db, 'all'),
      order: orderOf(filter.sort ?? '', ['outputs.created_at', 'outputs.id'], ORDERS),
    },
    filter,
  )
  return { outputs: await mapInSlices(rows, toRecord), total }
}

/** Of those that match, on whatever page, what an action of several asks of each. */
export async function listMatches(
  db: Db,
  filter: Omit<OutputFilter, keyof AskedPage>,
): Promise<{ matches: LinkMatch[]; total: number }> {
  const wanted = await filtered(db, filter)
  if (wanted === null) return { matches: [], total: 0 }
  const ordered = wanted.orderBy('outputs.created_at').orderBy('outputs.id')
  return matchesOf(ordered, async (page) => {
    const rows = await page
      .clearSelect()
      .select(['outputs.id as id', 'outputs.name as name', 'outputs.is_enabled as isEnabled'])
      .execute()
    return rows.map(({ id, name, isEnabled }) => ({
      id,
      name,
      isEnabled: decodeFlag(isEnabled),
      isLocal: false,
      outputs: 0,
    }))
  })
}

/** Null when nothing can match. */
async function filtered(db: Db, filter: Omit<OutputFilter, keyof AskedPage>) {
  let wanted = db.selectFrom('outputs')
  if (filter.scope !== 'all') {
    const { scope } = filter
    wanted = wanted.where((eb) =>
      ofInputs(eb, (inputs) => inputs.where('group_id', 'in', idList(scope))),
    )
  }
  if (filter.inputId !== '') wanted = wanted.where('outputs.input_id', '=', filter.inputId)
  if (filter.destinationId !== '') {
    const { destinationId } = filter
    const ip = await ipOfDestination(db, destinationId, filter.scope)
    wanted = wanted.where((eb) =>
      eb.or([
        eb('outputs.destination_id', '=', destinationId),
        // Q150: also those whose host was typed.
        ...(ip === null ? [] : [eb.and(linkableTo(eb, ip))]),
      ]),
    )
  }
  if (filter.linkableTo !== '') {
    const ip = await ipOfDestination(db, filter.linkableTo, filter.scope)
    if (ip === null) return null
    wanted = wanted.where((eb) => eb.and(linkableTo(eb, ip)))
  }
  const search = filter.search.trim()
  if (search === '') return wanted
  const found = await findText(db, 'outputs', search, { isWhole: false })
  const inputs = await findText(db, 'inputs', search, { isWhole: false })
  return wanted.where((eb) =>
    eb.or([
      found.where,
      ...(inputs.total === 0 ? [] : [ofInputs(eb, (query) => query.where(inputs.where))]),
    ]),
  )
}

type Inputs = SelectQueryBuilder<Database, 'inputs', object>

/** A list of its own, not looked up for each output. */
function ofInputs(eb: ExpressionBuilder<Database, 'outputs'>, which: (inputs: Inputs) => Inputs) {
  return eb('outputs.input_id', 'in', which(eb.selectFrom('inputs')).select('inputs.id'))
}

/** Of outputs that call this address and refer to no destination. */
function linkableTo(eb: ExpressionBuilder<Database, 'outputs'>, ip: string) {
  return [eb('outputs.destination_id', 'is', null), callsOut(), goesTo(ip)]
}

async function ipOfDestination(db: Db, id: string, scope: GroupScope): Promise<string | null> {
  const destination = await destinationStore.find(db, id, scope)
  return destination?.ip ?? null
}

/** Without a scope, for the fleet. */
export async function listByIds(db: Db, ids: readonly string[]): Promise<OutputRecord[]> {
  const rows = await readByIds(ids, async (some) =>
    inScope(db, 'all').where('outputs.id', 'in', some).execute(),
  )
  return rows.map(toRecord)
}

/** For the fleet, without a scope: in order of their ids, the first `limit` behind this one. */
export async function listBehind(db: Db, behindId: string, limit: number): Promise<OutputRecord[]> {
  const wanted = inScope(db, 'all').where('outputs.id', '>', behindId)
  return (await wanted.orderBy('outputs.id').limit(limit).execute()).map(toRecord)
}

/** For the fleet, without a scope: those of one input or one server, or one. */
export async function listForFleet(
  db: Db,
  only: { serverId?: string; inputId?: string; id?: string },
): Promise<OutputRecord[]> {
  let wanted = inScope(db, 'all')
  if (only.serverId !== undefined) wanted = wanted.where('inputs.server_id', '=', only.serverId)
  if (only.inputId !== undefined) wanted = wanted.where('outputs.input_id', '=', only.inputId)
  if (only.id !== undefined) wanted = wanted.where('outputs.id', '=', only.id)
  return (await wanted.execute()).map(toRecord)
}

/** `exceptId`: '' for none. */
export async function countOfInput(db: Db, inputId: string, exceptId = ''): Promise<number> {
  const outputs = db.selectFrom('outputs').where('input_id', '=', inputId)
  return countRows(outputs.where('id', '!=', exceptId))
}

export type NewOutput = Omit<OutputRecord, 'destination'>

/** What a save may change; the rest of a record is not an operator's. */
export type OutputContent = Pick<
  OutputRecord,
  | 'title'
  | 'outputType'
  | 'inputId'
  | 'destinationId'
  | 'config'
  | 'encryption'
  | 'passphraseSealed'
  | 'advanced'
>

export async function insert(db: Db, output: NewOutput): Promise<void> {
  const values = { ...firstColumns(output), ...columns(output.name, output) }
  await guarded(REFUSALS, async () => db.insertInto('outputs').values(values).execute())
}

/** Answers false when somebody else has changed or removed it since it was read. */
export async function update(
  db: Db,
  read: Pick<OutputRecord, 'id' | 'name' | 'version'>,
  content: OutputContent,
): Promise<boolean> {
  return guarded(REFUSALS, async () =>
    updateVersioned(db, 'outputs', read, columns(read.name, content)),
  )
}

/**
 * Until the transaction ends the input stays where it is: whoever moves or removes it waits. Answers
 * the server that it is on; null when it is gone.
 */
export async function holdInput(trx: Db, inputId: string): Promise<string | null> {
  const held = await trx
    .updateTable('inputs')
    // Writing a row as it is locks it on both databases alike.
    .set((eb) => ({ version: eb.ref('version') }))
    .where('id', '=', inputId)
    .returning('server_id as serverId')
    .executeTakeFirst()
  return held?.serverId ?? null
}

function columns(name: string, content: OutputContent) {
  return {
    ...contentColumns(name, content),
    output_type: content.outputType,
    input_id: content.inputId,
    destination_id: content.destinationId,
  }
}

const REFUSALS: Refusals = {
  foreignKey: () =>
    invalid(
      'contributionId',
      'or destinationId names an object that was just removed. Choose another.',
    ),
}

function inScope(db: Db, scope: GroupScope) {
  const all = db
    .selectFrom('outputs')
    .innerJoin('inputs', 'inputs.id', 'outputs.input_id')
    .leftJoin('destinations', 'destinations.id', 'outputs.destination_id')
    .selectAll('outputs')
    .select([
      'destinations.title as destination_title',
      'destinations.ip as destination_ip',
      'destinations.group_id as destination_group_id',
    ])
  if (scope === 'all') return all
  return all.where('inputs.group_id', 'in', idList(scope))
}

type Row = Awaited<ReturnType<ReturnType<typeof inScope>['execute']>>[number]

function destinationOf(row: Row): OutputRecord['destination'] {
  const { destination_id: id, destination_title: title, destination_ip: ip } = row
  const groupId = row.destination_group_id
  if (id === null || title === null || ip === null || groupId === null) return null
  return { _id: id, title, ip, groupId }
}

function toRecord(row: Row): OutputRecord {
  return {
    ...sharedFields(row),
    outputType: row.output_type,
    inputId: row.input_id,
    destinationId: row.destination_id,
    destination: destinationOf(row),
    config: decodeJson(OutputConfig, row.config),
  }
}
