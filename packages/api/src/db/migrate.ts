/** Brings a database to the present schema: numbered steps, forward only, all of them or none. */
import { isDeepStrictEqual } from 'node:util'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { PostgresAdapter, sql, type Kysely } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration'
import { codeOf } from './faults.ts'
import * as foundation from './migrations/0001-0019/0001-foundation.ts'
import * as peopleAndPlaces from './migrations/0001-0019/0002-people-and-places.ts'
import * as activity from './migrations/0001-0019/0003-activity.ts'
import * as leftHosts from './migrations/0001-0019/0004-left-hosts.ts'
import * as encoderTemplates from './migrations/0001-0019/0005-encoder-templates.ts'
import * as links from './migrations/0001-0019/0006-links.ts'
import * as programCopies from './migrations/0001-0019/0007-program-copies.ts'
import * as streamTurns from './migrations/0001-0019/0008-stream-turns.ts'
import * as lists from './migrations/0001-0019/0009-lists.ts'
import * as userSettings from './migrations/0001-0019/0010-user-settings.ts'
import * as addresses from './migrations/0001-0019/0011-addresses.ts'
import * as sessions from './migrations/0001-0019/0012-sessions.ts'
import * as destinationOrder from './migrations/0001-0019/0013-destination-order.ts'
import * as searchIndex from './migrations/0001-0019/0014-search-index.ts'
import * as events from './migrations/0001-0019/0015-events.ts'
import * as apiProcesses from './migrations/0001-0019/0016-api-processes.ts'
import * as alarms from './migrations/0001-0019/0017-alarms.ts'
import * as calledAddresses from './migrations/0001-0019/0018-called-addresses.ts'
import * as alarmVersions from './migrations/0001-0019/0019-alarm-versions.ts'
import * as maintenance from './migrations/0020-maintenance.ts'
import * as notifications from './migrations/0021-notifications.ts'
import * as onAir from './migrations/0022-on-air.ts'
import * as alarmOverrides from './migrations/0023-alarm-overrides.ts'
import * as transportHistory from './migrations/0024-transport-history.ts'
import * as hostIdentities from './migrations/0025-host-identities.ts'
import * as apiTokens from './migrations/0026-api-tokens.ts'
import * as backups from './migrations/0027-backups.ts'
import * as linkDays from './migrations/0028-link-days.ts'
import * as searchOfEverything from './migrations/0030-search-of-everything.ts'
import * as schedules from './migrations/0031-schedules.ts'
import * as sortedLists from './migrations/0032-sorted-lists.ts'
import * as secondFactors from './migrations/0033-second-factors.ts'
import * as hostsThatConnect from './migrations/0034-hosts-that-connect.ts'
import * as signInProvider from './migrations/0035-sign-in-provider.ts'
import * as passkeys from './migrations/0036-passkeys.ts'
import * as listViews from './migrations/0037-list-views.ts'
import * as naturalTitles from './migrations/0038-natural-titles.ts'
import * as listedTokens from './migrations/0039-listed-tokens.ts'
import * as backupsAndSessions from './migrations/0040-backups-and-sessions.ts'
import * as recordSeals from './migrations/0041-record-seals.ts'
import * as displayOfPeople from './migrations/0042-display-of-people.ts'
import * as networksOfHosts from './migrations/0043-networks-of-hosts.ts'

/** Listed by hand: a bundle has no folder to read, and the order is what matters. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-foundation': foundation,
  '0002-people-and-places': peopleAndPlaces,
  '0003-activity': activity,
  '0004-left-hosts': leftHosts,
  '0005-encoder-templates': encoderTemplates,
  '0006-links': links,
  '0007-program-copies': programCopies,
  '0008-stream-turns': streamTurns,
  '0009-lists': lists,
  '0010-user-settings': userSettings,
  '0011-addresses': addresses,
  '0012-sessions': sessions,
  '0013-destination-order': destinationOrder,
  '0014-search-index': searchIndex,
  '0015-events': events,
  '0016-api-processes': apiProcesses,
  '0017-alarms': alarms,
  '0018-called-addresses': calledAddresses,
  '0019-alarm-versions': alarmVersions,
  '0020-maintenance': maintenance,
  '0021-notifications': notifications,
  '0022-on-air': onAir,
  '0023-alarm-overrides': alarmOverrides,
  '0024-transport-history': transportHistory,
  '0025-host-identities': hostIdentities,
  '0026-api-tokens': apiTokens,
  '0027-backups': backups,
  '0028-link-days': linkDays,
  '0030-search-of-everything': searchOfEverything,
  '0031-schedules': schedules,
  '0032-sorted-lists': sortedLists,
  '0033-second-factors': secondFactors,
  '0034-hosts-that-connect': hostsThatConnect,
  '0035-sign-in-provider': signInProvider,
  '0036-passkeys': passkeys,
  '0037-list-views': listViews,
  '0038-natural-titles': naturalTitles,
  '0039-listed-tokens': listedTokens,
  '0040-backups-and-sessions': backupsAndSessions,
  '0041-record-seals': recordSeals,
  '0042-display-of-people': displayOfPeople,
  '0043-networks-of-hosts': networksOfHosts,
}

/** The name of the newest step: the schema that this program reads and writes. */
export const PRESENT_SCHEMA = Object.keys(MIGRATIONS).at(-1) ?? ''

export function isKnownSchema(name: string): boolean {
  return Object.hasOwn(MIGRATIONS, name)
}

/** Whether this program would bring such a database forward. */
export function isOlderSchema(name: string): boolean {
  return isKnownSchema(name) && name !== PRESENT_SCHEMA
}

/** The steps that bring a database with that schema forward, in their order. */
export function stepsAfter(name: string): string[] {
  return Object.keys(MIGRATIONS).filter((step) => step > name)
}

/** The newest step that a database has had, known to this program or not; null for an empty one. */
export async function schemaOf<T>(db: Kysely<T>): Promise<string | null> {
  return (await stepsOf(db)).at(-1) ?? null
}

/** All steps that a database has had, in their order; none for an empty one. */
async function stepsOf<T>(db: Kysely<T>): Promise<string[]> {
  if (!(await hasStepTable(db))) return []
  const steps = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
  return steps.rows.map(({ name }) => name)
}

/** Asked for by its name: Kysely reads the columns of all tables to answer it, some 10 ms each time. */
async function hasStepTable<T>(db: Kysely<T>): Promise<boolean> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const found = await (
    isPostgres
      ? sql`select 1 where to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null`
      : sql`select 1 from sqlite_master where type = 'table' and name = ${DEFAULT_MIGRATION_TABLE}`
  ).execute(db)
  return found.rows.length > 0
}

/**
 * Two processes may start at once on PostgreSQL: Kysely takes an advisory lock there, so that one
 * migrates and the other waits. `to`: the newest step to take, without it the newest there is. All
 * steps are one transaction, so that a program that is killed leaves the database as it was. Throws a
 * sentence when the database is newer than this program.
 */
export async function migrate<T>(db: Kysely<T>, to?: string): Promise<void> {
  const steps = await stepsOf(db)
  const schema = steps.at(-1) ?? null
  if (schema !== null && schema > PRESENT_SCHEMA) {
    throw new Error(
      `The database was written by a newer version of ${PRODUCT_NAME} (${schema}). Start that version, or a newer one. Nothing was changed.`,
    )
  }
  if (to === undefined && isDeepStrictEqual(steps, Object.keys(MIGRATIONS))) return
  const migrator = migratorOf(db)
  const { error, results } = await (to === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(to))
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName
  // Locked, full or away: the database fits, and whoever asked has a sentence for that.
  if (failed === undefined && error instanceof Error && codeOf(error) !== '') throw error
  const reason = error instanceof Error ? error.message : JSON.stringify(error)
  throw new Error(
    failed === undefined
      ? `The database does not fit this version of the program: ${reason}. Start the version that last wrote it, or a newer one.`
      : `The database could not be brought to the present schema, step ${failed} failed: ${reason}. Nothing was changed.`,
    { cause: error },
  )
}

function migratorOf<T>(db: Kysely<T>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => Promise.resolve({ ...MIGRATIONS }) },
  })
}
