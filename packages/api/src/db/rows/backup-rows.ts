/** A backup that was begun. Times: ISO text. */
export interface BackupRow {
  id: string
  reason: string
  begun_at: string
  /** Null while it is made. */
  ended_at: string | null
  /** When its process last said that it makes it; null: it is of a version that does not say so. */
  seen_at: string | null
  /** Whose disk it is on. */
  machine: string
  file: string
  /** Null unless it was made. */
  bytes: number | null
  /** Why it was not made; '' otherwise. */
  fault: string
}
