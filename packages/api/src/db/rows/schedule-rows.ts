/** Rows of schedules and of their runs. Times: ISO text. */
import type { Flag } from '../schema.ts'

export interface ScheduleRow {
  id: string
  version: number
  created_at: string
  /** Of these five one is set: the object. */
  encoder_id: string | null
  feeder_id: string | null
  input_id: string | null
  output_id: string | null
  channel_id: string | null
  note: string
  command: string
  /** JSON; null of what is no switch. */
  source: string | null
  /** JSON. */
  times: string
  also_on_air: Flag
  is_enabled: Flag
  /** Whoever saved it last; null: their account was deleted. */
  made_by: string | null
  /** As that person was called. */
  made_by_name: string
  /** Null: never again, or disabled. */
  next_at: string | null
}

export interface ScheduleRunRow {
  id: string
  schedule_id: string
  due_at: string
  begun_at: string
  /** Null while it runs. */
  ended_at: string | null
  outcome: string
  sentence: string
}
