import { AdvancedParameters, Encryption } from '@trunkline/contract/contributions/link.schema'
import { OutputConfig, type OutputType } from '@trunkline/contract/contributions/output.schema'
import { decodeFlag, decodeJson, encodeFlag, encodeJson } from '../db/codecs.ts'
import { foreignKeyViolation } from '../db/faults.ts'
import { matches } from '../db/matches.ts'
import type { Db } from '../db/open.ts'
import { pageRows } from '../db/page-rows.ts'
import { searchText } from '../db/search.ts'
import { invalid } from '../errors.ts'
import type { GroupScope } from '../security/actor.ts'

export interface OutputRecord {
  id: string
  name: string
  title: string
  outputType: OutputType
  inputId: string
  destinationId: string | null
  /** As it is now. */
  destination: { _id: string; title: string; ip: string } | null
  isEnabled: boolean
  wantedRunning: boolean
  config: OutputConfig
  encryption: Encryption
  passphraseSealed: string | null
  advanced: ReturnType<typeof AdvancedParameters.parse>
  version: number
  createdAt: string
}

export interface OutputFilter {
  scope: GroupScope
  /** '' for all. */
  inputId: string
  destinationId: string
  search: string
  /** Zero based; `rows` of 0 means all. */
  page: number
  rows: number
}

export async function find(db: Db, id: string, scope: GroupScope): Promise<OutputRecord | null> {
  const row = await inScope(db, scope).where('outputs.id', '=', id).executeTakeFirst()
  return row === undefined ? null : noun(row)
}

/** By its name, or by its id. */
export async function findOfInput(
  db: Db,
  inputId: string,
  nameOrId: string,
): Promise<OutputRecord | null> {
  const row = await inScope(db, 'all')
    .where('outputs.input_id', '=', inputId)
    .where((one) => one.or([one('outputs.name', '=', nameOrId), one('outputs.id', '=', nameOrId)]))
    .executeTakeFirst()
  return row === undefined ? null : noun(row)
}

/** In order of creation. */
export async function list(
  db: Db,
  filter: OutputFilter,
): Promise<{ outputs: OutputRecord[]; total: number }> {
  const wanted = await filtered(db, filter)
  const { total } = await wanted
    .clearSelect()
    .select((one) => one.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const { limit, offset } = pageRows(filter)
  const rows = await wanted
    .orderBy('outputs.created_at')
    .orderBy('outputs.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { outputs: rows.map(noun), total }
}

async function filtered(db: Db, filter: OutputFilter) {
  let wanted = inScope(db, filter.scope)
  if (filter.inputId !== '') wanted = wanted.where('outputs.input_id', '=', filter.inputId)
  if (filter.destinationId !== '') {
    const { destinationId } = filter
    const ip = await ipOfDestination(db, destinationId)
    wanted = wanted.where((one) =>
      one.or([
        one('outputs.destination_id', '=', destinationId),
        // Q150: also those whose host was typed.
        ...(ip === null ? [] : [one('outputs.config', 'like', `%"host":${JSON.stringify(ip)}%`)]),
      ]),
    )
  }
  const search = filter.search.trim()
  if (search === '') return wanted
  return wanted.where((one) =>
    one.or([matches('outputs.search', search), matches('inputs.search', search)]),
  )
}

async function ipOfDestination(db: Db, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('destinations')
    .select('ip')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.ip ?? null
}

/** For the fleet, without a scope: all, those of one input or one server, or one. */
export async function listForFleet(
  db: Db,
  only: { serverId?: string; inputId?: string; id?: string },
): Promise<OutputRecord[]> {
  let wanted = inScope(db, 'all')
  if (only.serverId !== undefined) wanted = wanted.where('inputs.server_id', '=', only.serverId)
  if (only.inputId !== undefined) wanted = wanted.where('outputs.input_id', '=', only.inputId)
  if (only.id !== undefined) wanted = wanted.where('outputs.id', '=', only.id)
  return (await wanted.execute()).map(noun)
}

export async function countOfInput(db: Db, inputId: string): Promise<number> {
  const { total } = await db
    .selectFrom('outputs')
    .select((one) => one.fn.countAll<number>().as('total'))
    .where('input_id', '=', inputId)
    .executeTakeFirstOrThrow()
  return total
}

export type NewOutput = Omit<OutputRecord, 'destination'>

export async function insert(db: Db, output: NewOutput): Promise<void> {
  try {
    await db
      .insertInto('outputs')
      .values({
        id: output.id,
        name: output.name,
        title: output.title,
        output_type: output.outputType,
        input_id: output.inputId,
        destination_id: output.destinationId,
        is_enabled: encodeFlag(output.isEnabled),
        wanted_running: encodeFlag(output.wantedRunning),
        config: encodeJson(output.config),
        encryption: encodeJson({ ...output.encryption, passphrase: '' }),
        passphrase_sealed: output.passphraseSealed,
        advanced: encodeJson(output.advanced),
        version: output.version,
        created_at: output.createdAt,
        search: searchText([output.name, output.title, output.config.host]),
      })
      .execute()
  } catch (error) {
    if (!foreignKeyViolation(error)) throw error
    throw invalid('contributionId', 'names an input that was removed meanwhile. Choose another.')
  }
}

export async function setWantedRunning(db: Db, id: string, isWanted: boolean): Promise<void> {
  await db
    .updateTable('outputs')
    .set({ wanted_running: encodeFlag(isWanted) })
    .where('id', '=', id)
    .execute()
}

function inScope(db: Db, scope: GroupScope) {
  const all = db
    .selectFrom('outputs')
    .innerJoin('inputs', 'inputs.id', 'outputs.input_id')
    .leftJoin('destinations', 'destinations.id', 'outputs.destination_id')
    .selectAll('outputs')
    .select(['destinations.title as destination_title', 'destinations.ip as destination_ip'])
  if (scope === 'all') return all
  return all.where('inputs.group_id', 'in', scope.length > 0 ? scope : [''])
}

type Row = Awaited<ReturnType<ReturnType<typeof inScope>['execute']>>[number]

function destinationOf(row: Row): OutputRecord['destination'] {
  const { destination_id: id, destination_title: title, destination_ip: ip } = row
  return id === null || title === null || ip === null ? null : { _id: id, title, ip }
}

function noun(row: Row): OutputRecord {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    outputType: row.output_type,
    inputId: row.input_id,
    destinationId: row.destination_id,
    destination: destinationOf(row),
    isEnabled: decodeFlag(row.is_enabled),
    wantedRunning: decodeFlag(row.wanted_running),
    config: decodeJson(OutputConfig, row.config),
    encryption: decodeJson(Encryption, row.encryption),
    passphraseSealed: row.passphrase_sealed,
    advanced: decodeJson(AdvancedParameters, row.advanced),
    version: row.version,
    createdAt: row.created_at,
  }
}
