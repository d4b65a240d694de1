/**
 * The tables as Kysely sees them; rows never leave a store. One shape for SQLite and PostgreSQL:
 * JSON is text, written and read by codecs.ts, flags are 0 and 1, times of day ISO text.
 */
import type { Role } from '@trunkline/contract/roles'
import type { EnrolmentCodeRow, HostIdentityRow, HostPinRow } from './rows/identity-rows.ts'
import type { AlarmOverrideRow, MaintenanceWindowRow } from './rows/covered-rows.ts'
import type {
  LinkDayRow,
  LinkSampleRow,
  TransportCursorRow,
  TransportSampleRow,
} from './rows/sample-rows.ts'
import type { AddressOrder, TitleOrder } from './rows/sorted-rows.ts'
import type { BackupRow } from './rows/backup-rows.ts'
import type { OidcFlowRow } from './rows/oidc-rows.ts'
import type { ListViewRow } from './rows/list-view-rows.ts'
import type { PasskeyRow, SecondFactorRow, SignInChallengeRow } from './rows/second-factor-rows.ts'
import type { RecordSealRow } from './rows/record-seal-row.ts'
import type { ScheduleRow, ScheduleRunRow } from './rows/schedule-rows.ts'
import type { SessionRow } from './rows/session-rows.ts'
import type { ApiTokenRow } from './rows/token-rows.ts'
import type { Generated } from 'kysely'

export type Flag = 0 | 1

export interface Database {
  users: UserRow
  sessions: SessionRow
  second_factors: SecondFactorRow
  passkeys: PasskeyRow
  recovery_codes: { user_id: string; hash: string }
  sign_in_challenges: SignInChallengeRow
  list_views: ListViewRow
  oidc_flows: OidcFlowRow
  api_tokens: ApiTokenRow & TitleOrder
  api_token_groups: { token_id: string; group_id: string }
  groups: GroupRow
  group_users: { group_id: string; user_id: string }
  servers: ServerRow & AddressOrder
  server_groups: { server_id: string; group_id: string }
  /** addressesOf() each server, for looking one up. */
  server_addresses: { server_id: string; address: string }
  encoders: EncoderRow & TitleOrder & AddressOrder
  encoder_users: { encoder_id: string; user_id: string }
  encoder_templates: EncoderTemplateRow
  feeders: FeederRow & CalledPlace & { search: Generated<string> }
  channels: ChannelRow & TitleOrder
  channel_groups: { channel_id: string; group_id: string }
  destinations: DestinationRow & TitleOrder & AddressOrder
  inputs: InputRow & TitleOrder & CalledPlace
  outputs: OutputRow & TitleOrder & CalledPlace
  port_claims: PortClaimRow
  bus_groups: { ip: string; input_id: string }
  left_hosts: LeftHostRow
  host_identities: HostIdentityRow
  host_pins: HostPinRow
  enrolment_codes: EnrolmentCodeRow
  link_samples: LinkSampleRow
  link_days: LinkDayRow
  transport_samples: TransportSampleRow
  transport_cursors: TransportCursorRow
  events: EventRow
  event_states: EventStateRow
  alarms: AlarmRow
  maintenance_windows: MaintenanceWindowRow
  alarm_overrides: AlarmOverrideRow
  notification_rules: NotificationRuleRow
  notified_alarms: NotifiedAlarmRow
  notification_deliveries: NotificationDeliveryRow
  on_air: OnAirRow
  schedules: ScheduleRow
  schedule_runs: ScheduleRunRow
  /** The API processes that record events; `seen_at`: when it was last alive. */
  event_watchers: { id: string; seen_at: string; has_ended: Flag }
  kept_programs: PlacedRow & { kept_at: string }
  /** `until_at`: nobody spares it any longer, because whoever tried it has ended. */
  program_copies: PlacedRow & { until_at: string }
  stream_turns: StreamTurnRow
  api_processes: ApiProcessRow
  audit: AuditRow
  record_seals: RecordSealRow
  backups: BackupRow
  /** Facts about this database itself, such as which secret key its values are sealed with. */
  marks: { name: string; value: string }
}

interface Stamped {
  id: string
  /** Grows by one with every change (decisions.md 16). */
  version: number
  created_at: string
  /** searchText() of what a search looks through. */
  search: string
}

export interface UserRow extends Stamped {
  first_name: string
  last_name: string
  /** Lower-case. */
  email: string
  role: Role
  password_hash: string
  /** A session that began with an older version has ended. */
  token_version: number
  asks_before_interrupting: Flag
  /** Null: as the browser has it. */
  language: string | null
  times: string | null
  /** Both or neither: of the sign-in provider that the person comes from. */
  provider_issuer: string | null
  provider_subject: string | null
}

export interface GroupRow extends Stamped {
  title: string
  /** titleKey(title): titles are unique without case, in every language. */
  title_key: string
  description: string
  manager_id: string
}

export interface ServerRow extends Stamped {
  title: string
  /** titleKey(title): what lists are ordered by. */
  title_key: string
  /** As typed, with or without scheme. */
  host: string
  /** The bare host in lower case: what ports are unique on. */
  host_key: string
  port: number
  server_type: 'acants' | 'channel'
  api_key_sealed: string
  description: string
  location: string
  /** JSON: [{_id, adapterName, adapterIp}]. */
  adapters: string
}

interface EncoderRow extends Stamped {
  name: string
  title: string
  description: string
  ip: string
  port: number
  location: string
  physical_address: string
  contact_number: string
  email: string
  group_id: string
  api_key_sealed: string
  is_enabled: Flag
  wanted_running: Flag
  /** JSON, without its feeders, which are rows of their own. */
  config: string | null
  /** Of the configuration, so that a card has one encoder. */
  card_idx: number | null
}

interface EncoderTemplateRow extends Stamped {
  title: string
  /** titleKey(title): titles of a group are unique without case. */
  title_key: string
  /** '' for all groups. */
  group_id: string
  /** JSON. */
  settings: string
}

export interface FeederRow {
  /** The wire's feeder name. */
  id: string
  encoder_id: string
  server_id: string
  position: number
  /** JSON, without the passphrase. */
  spec: string
  passphrase_sealed: string | null
  wanted_running: Flag
  created_at: string
}

interface ChannelRow extends Stamped {
  server_id: string
  /** The stream's name on its server. */
  name: string
  title: string
}

export interface DestinationRow extends Stamped {
  title: string
  ip: string
  group_id: string
  /** JSON, without the passphrase. */
  encryption: string
  passphrase_sealed: string | null
}

/** What inputs and outputs have alike. */
export interface LinkRow extends Stamped {
  name: string
  title: string
  is_enabled: Flag
  wanted_running: Flag
  /** JSON. */
  config: string
  /** JSON, without the passphrase. */
  encryption: string
  passphrase_sealed: string | null
  /** JSON: [{key, value}]. */
  advanced: string
}

interface InputRow extends LinkRow {
  input_type: 'Local' | 'aCANFeeder' | 'SRT' | 'RIST'
  server_id: string
  group_id: string
  /** Of the outer leg, as the configuration has it. */
  port: number
}

interface OutputRow extends LinkRow {
  output_type: 'SRT' | 'RIST'
  input_id: string
  destination_id: string | null
}

/** Whom it calls, for looking it up; '' and 0 of what listens. */
interface CalledPlace {
  /** In small letters. */
  calls_address: Generated<string>
  calls_port: Generated<number>
}

/** One UDP port of one host is one owner's: the tools do not notice a taken port. */
interface PortClaimRow {
  host_key: string
  port: number
  owner_kind: string
  owner_id: string
  leg: string
}

/** No record names it any more; dialled until nothing of ours runs there. */
interface LeftHostRow {
  host_key: string
  port: number
  api_key_sealed: string
  left_at: string
}

/** A program at a host where the records do not have it. */
interface PlacedRow {
  host_key: string
  port: number
  program_id: string
}

/** Whose command a stream of a media server obeys until then; the turns of other processes wait. */
interface StreamTurnRow {
  server_id: string
  stream_name: string
  turn_id: string
  until_at: string
}

/** An API process that shares the hosts with others. */
interface ApiProcessRow {
  id: string
  address: string
  beats: number
}

export interface EventRow {
  /** '' for what concerns every object, as `object_id`. */
  object_kind: string
  object_id: string
  /** ISO with milliseconds, as all times here. */
  at: string
  kind: string
  since_at: string | null
  state: string
  cause: string
}

/** What was last known of one facet of an object, such as its peer. */
export interface EventStateRow {
  object_kind: string
  object_id: string
  facet: string
  value: string
  at: string
}

export interface AlarmRow {
  id: string
  /** Grows by one whenever a person or the product changes it. */
  version: number
  object_kind: string
  object_id: string
  /** As the object was called when it was raised. */
  title: string
  rule: string
  severity: string
  sentence: string
  raised_at: string
  /** Null while it is open. */
  cleared_at: string | null
  caused_by: string | null
  /** The most alarms that it caused at a time. */
  behind: number
  acknowledged_at: string | null
  /** As that person was called. */
  acknowledged_by: string | null
  note: string
  muted_until: string | null
}

export interface NotificationRuleRow extends Stamped {
  title: string
  /** titleKey(title): titles are unique without case. */
  title_key: string
  is_enabled: Flag
  /** JSON, without secrets. */
  settings: string
  /** JSON of the secrets by name, sealed. */
  secrets_sealed: string | null
}

/** Sent by that rule, and not known to be cleared by it yet. */
interface NotifiedAlarmRow {
  rule_id: string
  alarm_id: string
  /** As it was sent. */
  severity: string
  /** Last. */
  sent_at: string
}

export interface NotificationDeliveryRow {
  id: string
  rule_id: string
  rule_title: string
  kind: string
  reason: string
  state: string
  created_at: string
  attempts: number
  /** Null once it is finished. */
  next_try_at: string | null
  /** Which try has it until then. */
  leased_by: string | null
  leased_until: string | null
  finished_at: string | null
  answer: string
  /** JSON. */
  message: string
}

export interface OnAirRow {
  id: string
  /** Of these five one is set: the object. */
  encoder_id: string | null
  feeder_id: string | null
  input_id: string | null
  output_id: string | null
  channel_id: string | null
  /** Grows by one whenever a person changes it. */
  version: number
  from_at: string
  /** Null: until it is taken off air. */
  until_at: string | null
  note: string
  /** As that person was called. */
  put_by: string
}

export interface AuditRow {
  id: string
  at: string
  actor_id: string | null
  actor_name: string
  /** Title of the API token that it was done with; ''. */
  token: string
  role: Role | null
  ip: string
  call: string
  object_kind: string | null
  object_id: string | null
  /** As it was called at that moment; '' when unknown. */
  object_title: string
  /** searchText() of person, object, call and reason. */
  search: string
  result: 'done' | 'refused' | 'failed'
  reason: string
  /** JSON with secrets cut out, or null. */
  before: string | null
  after: string | null
}
