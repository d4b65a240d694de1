/** When backups are due. Times of day are those of this machine's clock, in summer as in winter. */

export interface TimeOfDay {
  /** 0 to 23. */
  readonly hour: number
  /** 0 to 59. */
  readonly minute: number
}

/** '03:30, 15:30'; 'never' is none. Null for anything else. */
export function readBackupTimes(text: string): readonly TimeOfDay[] | null {
  if (text.trim() === 'never') return []
  const times = text.split(',').map((part) => /^([01]\d|2[0-3]):([0-5]\d)$/.exec(part.trim()))
  const read = times.map((found) => ({ hour: Number(found?.[1]), minute: Number(found?.[2]) }))
  return times.includes(null) ? null : read
}

/** The last moment not after `nowMs` at which a backup was due; null when none ever is. */
export function lastDueMs(times: readonly TimeOfDay[], nowMs: number): number | null {
  const past = dueOn(times, nowMs, [0, -1]).filter((dueMs) => dueMs <= nowMs)
  return past.length === 0 ? null : Math.max(...past)
}

/** The first moment after `nowMs` at which a backup is due; null when none ever is. */
export function nextDueMs(times: readonly TimeOfDay[], nowMs: number): number | null {
  const future = dueOn(times, nowMs, [0, 1]).filter((dueMs) => dueMs > nowMs)
  return future.length === 0 ? null : Math.min(...future)
}

function dueOn(times: readonly TimeOfDay[], nowMs: number, days: readonly number[]): number[] {
  const now = new Date(nowMs)
  return times.flatMap(({ hour, minute }) =>
    days.map((day) =>
      new Date(now.getFullYear(), now.getMonth(), now.getDate() + day, hour, minute).getTime(),
    ),
  )
}

/** 'trunkline-2026-11-27T033000Z-scheduled.db': in the order of time by name, without a colon. */
export function backupName(atMs: number, reason: string): string {
  const at = new Date(atMs).toISOString().slice(0, 19).replaceAll(':', '')
  return `trunkline-${at}Z-${reason.replaceAll(' ', '-')}.db`
}
