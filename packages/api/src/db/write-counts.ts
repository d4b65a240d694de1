/**
 * How often this process has written what lists show, counted where statements are carried out: no
 * change can be forgotten. What other processes write is not counted here.
 */
import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** What a list is made of: records, or the record of activity. */
export type ListSource = 'records' | 'audit'

/** Where the rows of each table are seen; null: in no list. */
const SEEN_IN: Readonly<Record<keyof Database, ListSource | null>> = {
  users: 'records',
  groups: 'records',
  group_users: 'records',
  servers: 'records',
  server_groups: 'records',
  server_addresses: 'records',
  encoders: 'records',
  encoder_users: 'records',
  encoder_templates: 'records',
  feeders: 'records',
  channels: 'records',
  channel_groups: 'records',
  destinations: 'records',
  inputs: 'records',
  outputs: 'records',
  alarms: null,
  maintenance_windows: 'records',
  alarm_overrides: 'records',
  notification_rules: null,
  notified_alarms: null,
  notification_deliveries: null,
  on_air: null,
  schedules: null,
  schedule_runs: null,
  audit: 'audit',
  record_seals: null,
  sessions: null,
  second_factors: null,
  passkeys: null,
  recovery_codes: null,
  sign_in_challenges: null,
  list_views: null,
  oidc_flows: null,
  api_tokens: null,
  api_token_groups: null,
  port_claims: null,
  bus_groups: null,
  left_hosts: null,
  host_identities: null,
  host_pins: null,
  enrolment_codes: null,
  link_samples: null,
  link_days: null,
  transport_samples: null,
  transport_cursors: null,
  events: null,
  event_states: null,
  event_watchers: null,
  kept_programs: null,
  program_copies: null,
  stream_turns: null,
  api_processes: null,
  backups: null,
  marks: null,
}
const READS =
  /^\s*(select|explain|pragma|begin|start|commit|rollback|savepoint|release|set|show|listen)\b/i
const WRITES = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)"?/i

/** What a statement may have changed. One that is not known by its first words may change anything. */
export function changedBy(sql: string): readonly ListSource[] {
  if (READS.test(sql)) return []
  const table = WRITES.exec(sql)?.[1]
  if (table === undefined || !Object.hasOwn(SEEN_IN, table)) return ['records', 'audit']
  const source = SEEN_IN[table as keyof Database]
  return source === null ? [] : [source]
}

export class WriteCounts {
  readonly #counts = { records: 0, audit: 0 }

  of(source: ListSource): number {
    return this.#counts[source]
  }

  /** After the statement or its transaction has ended, however it ended. */
  add(sources: Iterable<ListSource>): void {
    for (const source of sources) this.#counts[source] += 1
  }
}

const counted = new WeakMap<Kysely<Database>, WriteCounts>()

/** `counts` is told by the driver of `db` of every write. */
export function withCounts(db: Kysely<Database>, counts: WriteCounts): Kysely<Database> {
  counted.set(db, counts)
  return db
}

/** Of a database that was opened here. */
export function writeCountsOf(db: Kysely<Database>): WriteCounts {
  const counts = counted.get(db)
  if (counts === undefined) throw new Error('Nobody counts the writes of this database.')
  return counts
}
