/** What every feature works with: opened once by main, handed down, never global. */
import { randomInt } from 'node:crypto'
import type { Logger } from 'pino'
import { AlarmBoard } from './alarms/alarm-board.ts'
import { MaintenanceBoard } from './alarms/maintenance/maintenance-board.ts'
import { OverrideBoard } from './alarms/overrides/override-board.ts'
import { BackupThread } from './db/backup/backup-thread.ts'
import { UpgradeBackup } from './backup/upgrade-backup.ts'
import type { Config } from './config.ts'
import {
  drawnRange,
  namedRange,
  rangeFrom,
  rangeText,
  type BusRange,
} from './links/bus/bus.rules.ts'
import { watchFilePlace } from './db/sqlite/file-place.ts'
import { watchForeignWrites } from './db/sqlite/foreign-writes.ts'
import { mark } from './db/marks.ts'
import { shareNotices } from './db/notice-channel.ts'
import { openDatabase, sqliteFile, targetOf, type Connection } from './db/open.ts'
import { writeCountsOf, type WriteCounts } from './db/write-counts.ts'
import { Board } from './fleet/board.ts'
import { FleetCounts } from './fleet/counts/fleet-counts.ts'
import { visibleTo } from './fleet/counts/reader.rules.ts'
import { judgeAgain } from './fleet/judge-again.ts'
import { placeOf } from './fleet/object-place.ts'
import { maySeeObject } from './fleet/object-scope.ts'
import { Hosts } from './hosts/hosts.ts'
import { createNotices, type Notices } from './notices.ts'
import { Programs } from './programs/programs.ts'
import { OnAirBoard } from './on-air/on-air-board.ts'
import * as onAirStore from './on-air/on-air.store.ts'
import { dialGuard } from './security/host-guard.ts'
import { type Keys, keysFrom } from './security/keys.ts'
import { readOrMakeSecret } from './security/secret-file.ts'

export interface Context {
  readonly config: Config
  readonly db: Connection
  /** Of this process, of what lists show. */
  readonly writes: WriteCounts
  readonly log: Logger
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly keys: Keys
  readonly notices: Notices
  readonly hosts: Hosts
  readonly programs: Programs
  readonly board: Board
  readonly counts: FleetCounts
  /** Open alarms; alarms/alarm-keeper.service.ts raises and clears them. */
  readonly alarms: AlarmBoard
  /** Maintenance windows; alarms/maintenance/maintenance.service.ts reads them. */
  readonly maintenance: MaintenanceBoard
  /** Overrides of alarm rules; alarms/overrides/override.service.ts reads them. */
  readonly overrides: OverrideBoard
  readonly onAir: OnAirBoard
  readonly backups: BackupThread
  /** Where the multicast groups of new inputs come from. */
  readonly busRange: BusRange
}

/** What a service hands to a store: `ctx.db`, or the transaction that it opened. */
export type { Db } from './db/open.ts'
export type { ListSource } from './db/write-counts.ts'

export interface OpenContext extends Context, AsyncDisposable {}

/** Throws a sentence when the secret or the database cannot be had. */
export async function openContext(
  config: Config,
  log: Logger,
  clock: () => number,
): Promise<OpenContext> {
  const keys = keysFrom(await readOrMakeSecret(config.secretFile))
  const backups = new BackupThread(targetOf(config))
  const upgrade = new UpgradeBackup({ backups, config, clock })
  const db = await openDatabase(
    targetOf(config),
    (sentence) => log.warn(sentence),
    async (schema) => {
      const file = await upgrade.make()
      log.info({ file, schema }, 'The database is brought forward; a backup was made before.')
    },
  )
  await assertSameSecret(db, keys, config.secretFile)
  await upgrade.record(db)
  const busRange = await busRangeOf(db, config)
  const hosts = new Hosts({ log, clock, guard: dialGuard(config) })
  const programs = new Programs({ hosts, log, clock })
  const board = new Board({ hosts, programs, log, clock })
  const counts = new FleetCounts({ hosts, programs, board, clock })
  const maintenance = openMaintenanceBoard({ hosts, programs, board, clock })
  const overrides = openOverrideBoard({ hosts, programs, board })
  const alarms = openAlarmBoard({ hosts, programs, board, clock, maintenance })
  const local = createNotices((error) => log.error({ err: error }, 'A listener failed.'))
  const { databaseUrl: url } = config
  const shared = url === null ? null : await shareNotices({ url, db, log, local })
  const onAir = await openOnAirBoard({ db, log, clock, notices: shared ?? local })
  const tellPeopleChanged = () =>
    local.tell({ kind: 'user', id: '', change: 'changed', groupIds: [] })
  const watch = url === null ? await watchForeignWrites(db, tellPeopleChanged) : null
  const placeWatch =
    url === null ? watchFilePlace(sqliteFile(config), (isKept) => logPlace(log, isKept)) : null
  return {
    config,
    db,
    writes: writeCountsOf(db),
    log,
    clock,
    keys,
    notices: shared ?? local,
    hosts,
    programs,
    board,
    counts,
    alarms,
    maintenance,
    overrides,
    onAir,
    backups,
    busRange,
    async [Symbol.asyncDispose]() {
      await backups[Symbol.asyncDispose]()
      onAir[Symbol.dispose]()
      overrides[Symbol.dispose]()
      maintenance[Symbol.dispose]()
      alarms[Symbol.dispose]()
      counts[Symbol.dispose]()
      await board[Symbol.asyncDispose]()
      programs[Symbol.dispose]()
      await hosts[Symbol.asyncDispose]()
      placeWatch?.[Symbol.dispose]()
      await watch?.[Symbol.asyncDispose]()
      await shared?.[Symbol.asyncDispose]()
      await db.destroy()
    },
  }
}

/** Empty until the windows are read. */
export function openMaintenanceBoard(
  known: Pick<Context, 'hosts' | 'programs' | 'board' | 'clock'>,
): MaintenanceBoard {
  return new MaintenanceBoard({
    clock: known.clock,
    placeOf: (object) => placeOf(known, object),
  })
}

/** Empty until the overrides are read. */
export function openOverrideBoard(
  known: Pick<Context, 'hosts' | 'programs' | 'board'>,
): OverrideBoard {
  const overrides = new OverrideBoard({ placeOf: (object) => placeOf(known, object) })
  known.board.judgeBy((object, rule) => overrides.settingsOf(object, rule).threshold)
  overrides.listen((changed) => void judgeAgain(known.hosts, changed))
  return overrides
}

/** Inert until a keeper puts alarms on it. */
export function openAlarmBoard(
  known: Pick<Context, 'hosts' | 'programs' | 'board' | 'clock' | 'maintenance'>,
): AlarmBoard {
  const alarms = new AlarmBoard({
    clock: known.clock,
    maySee: (actor, object) => maySeeObject(known, actor, object),
    maintenanceUntilMs: (object) => known.maintenance.untilMs(object),
    visibleTo,
  })
  known.maintenance.listen(() => alarms.recount())
  return alarms
}

async function openOnAirBoard({
  db,
  log,
  clock,
  notices,
}: Pick<Context, 'db' | 'log' | 'clock' | 'notices'>): Promise<OnAirBoard> {
  const board = new OnAirBoard({
    clock,
    read: async () => onAirStore.readOpen(db, clock()),
    onFault: (error) => log.error({ err: error }, 'What is on air could not be read.'),
  })
  await board.reload()
  notices.listen((notice) => {
    const mayLoseMark =
      'change' in notice &&
      (notice.change === 'removed' || (notice.kind === 'encoder' && board.has('feeder')))
    if (notice.kind === 'onAir' || (mayLoseMark && board.size > 0)) board.reloadSoon()
  })
  return board
}

function logPlace(log: Logger, isKept: boolean): void {
  if (isKept) log.info('The database file is back. Changes are accepted again.')
  else {
    log.error(
      'The database file was deleted, moved or replaced. Changes are refused. Put the data folder back, or restore a backup and restart the API.',
    )
  }
}

/** With another secret the stored keys and passphrases cannot be read: said now, not at the first use. */
async function assertSameSecret(db: Connection, keys: Keys, secretFile: string): Promise<void> {
  if ((await mark(db, 'secret key', keys.id)) === keys.id) return
  await db.destroy()
  throw new Error(
    `The secret file ${secretFile} does not belong to this database. Restore the right file from its backup and name it in TRUNKLINE_SECRET_FILE.`,
  )
}

const RANDOM_STEPS = 2 ** 32

/** Drawn once and kept in the database, so that API processes that share it agree. */
async function busRangeOf(db: Connection, { busNetwork }: Config): Promise<BusRange> {
  if (busNetwork !== null) return namedRange(busNetwork)
  const drawn = drawnRange(() => randomInt(RANDOM_STEPS) / RANDOM_STEPS)
  return rangeFrom(await mark(db, 'bus range', rangeText(drawn)))
}
