/** Backups of the database: asked for by a person, or when they are due. */
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import type {
  BackupReason,
  BackupRecord,
  BackupState,
} from '@trunkline/contract/backups/backup.schema'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { conflict } from '../errors.ts'
import { outcomesOf } from '../outcome-counts.ts'
import type { Actor } from '../security/actor.ts'
import { newBackup } from './backup-record.ts'
import { backupName, lastDueMs, nextDueMs } from './backup-times.rules.ts'
import * as backupStore from './backup.store.ts'

/** How often the clock is looked at: also after it was set, or the machine slept. */
const LOOK_MS = 20_000
/** Whoever makes a backup says so with each look: after some in a row that did not come, it has ended. */
const SILENT_MS = 6 * LOOK_MS

export async function read(ctx: Context): Promise<{ status: true; data: BackupState }> {
  const { backupDir: folder, backupTimes, backupsKept: kept } = ctx.config
  const nextMs = nextDueMs(backupTimes, ctx.clock())
  return {
    status: true,
    data: {
      backups: await backupStore.list(ctx.db),
      folder,
      nextAt: nextMs === null ? null : new Date(nextMs).toISOString(),
      kept,
      isOnSameDisk: await isOnSameDisk(ctx),
    },
  }
}

/** Answers once it has begun. */
export async function begin(
  ctx: Context,
  actor: Actor,
): Promise<{ status: true; data: BackupRecord }> {
  if (ctx.backups.isBusy) {
    throw conflict('A backup is being made. Wait until it has ended.')
  }
  const backup = beginNow(ctx, 'asked for')
  const made = make(ctx, backup)
  await made.begun
  await auditService.record(ctx, {
    actor,
    call: 'backups.make',
    object: { kind: 'backup', id: backup.id, title: basename(backup.file) },
  })
  return { status: true, data: backup }
}

/** Makes what is due, and what was missed while no API ran, until it is disposed. */
export function openBackups(ctx: Context): AsyncDisposable {
  const look = async () => {
    await endInterrupted(ctx, ctx.clock() - SILENT_MS)
      .then(async () => makeDue(ctx))
      .catch((error: unknown) => logFault(ctx, error))
  }
  let working = openSchedule(ctx).then(look)
  // Behind one that is still made: the end waits for all of them.
  const timer = setInterval(() => {
    working = working.then(look)
  }, LOOK_MS)
  timer.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await ctx.backups[Symbol.asyncDispose]()
      await working
    },
  }
}

/** Whether a backup was due and nobody had made it. */
export async function makeDue(ctx: Context): Promise<boolean> {
  const dueMs = lastDueMs(ctx.config.backupTimes, ctx.clock())
  if (dueMs === null || ctx.backups.isBusy) return false
  if (!(await backupStore.takeDue(ctx.db, new Date(dueMs).toISOString()))) return false
  await make(ctx, beginNow(ctx, 'scheduled')).ended
  await removeOld(ctx)
  return true
}

export async function openSchedule(ctx: Context): Promise<void> {
  const now = ctx.clock()
  try {
    // An SQLite database has one API at a time: whoever made them is gone.
    if (ctx.config.databaseUrl === null) await endInterrupted(ctx, now)
    await backupStore.beginSchedule(ctx.db, new Date(now).toISOString())
  } catch (error) {
    logFault(ctx, error)
  }
}

/** What a process that was killed, or that lost the database for good, has left. */
async function endInterrupted(ctx: Context, silentSinceMs: number): Promise<void> {
  const silentSince = new Date(silentSinceMs).toISOString()
  const now = new Date(ctx.clock()).toISOString()
  const cut = await backupStore.endInterrupted(ctx.db, silentSince, now)
  const here = cut.filter(({ machine }) => machine === hostname())
  await Promise.all(here.map(async ({ file }) => removeUnfinished(file)))
}

function beginNow(ctx: Context, reason: BackupReason): BackupRecord {
  const nowMs = ctx.clock()
  return newBackup(reason, nowMs, join(ctx.config.backupDir, backupName(nowMs, reason)))
}

/** `ended` never throws: a fault stands in the record. */
function make(ctx: Context, backup: BackupRecord): { begun: Promise<void>; ended: Promise<void> } {
  const begun = backupStore.insert(ctx.db, backup)
  const beat = setInterval(() => {
    const seenAt = new Date(ctx.clock()).toISOString()
    // Without an answer of the database the next one says it.
    void backupStore.renew(ctx.db, backup.id, seenAt).catch(() => undefined)
  }, LOOK_MS)
  beat.unref()
  const ended = begun
    .then(async () => ctx.backups.make(backup.file))
    .then(
      ({ bytes }) => ({ bytes, fault: '' }),
      (error: unknown) => {
        logFault(ctx, error)
        return { bytes: null, fault: error instanceof Error ? error.message : String(error) }
      },
    )
    .then(async (result) => {
      const endedAt = new Date(ctx.clock()).toISOString()
      outcomesOf(ctx).backups[result.fault === '' ? 'done' : 'failed'] += 1
      await backupStore.end(ctx.db, backup.id, { endedAt, ...result })
    })
    .catch((error: unknown) => logFault(ctx, error))
    .finally(() => clearInterval(beat))
  return { begun, ended }
}

/** Scheduled ones alone: what a person or an upgrade made stays until a person removes it. */
async function removeOld(ctx: Context): Promise<void> {
  const { backupDir, backupsKept } = ctx.config
  const names = (await readdir(backupDir).catch(() => [])).filter((name) =>
    /^trunkline-[\dT-]+Z-scheduled\.db$/.test(name),
  )
  for (const name of names.toSorted().slice(0, -backupsKept)) await rm(join(backupDir, name))
}

/** writeBackup() writes aside, and is not there to clean up when its thread is ended. */
async function removeUnfinished(file: string): Promise<void> {
  if (file !== '') await rm(`${file}.part`, { force: true })
}

async function isOnSameDisk(ctx: Context): Promise<boolean> {
  const { dataDir, databaseUrl, backupDir } = ctx.config
  if (databaseUrl !== null) return false
  const [data, backups] = await Promise.all([dataDir, backupDir].map(deviceOf))
  // A folder that is not there yet is made beside the data.
  return backups === null || backups === data
}

async function deviceOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ dev }) => dev,
    () => null,
  )
}

function logFault(ctx: Context, error: unknown): void {
  ctx.log.error({ err: error }, 'A backup could not be made.')
}
