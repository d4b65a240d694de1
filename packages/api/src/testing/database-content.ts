/** Everything that is stored, to see that a refused call changed nothing. */
import type { Context } from '../context.ts'
import type { Database } from '../db/schema.ts'

const TABLES = [
  'users',
  'sessions',
  'second_factors',
  'passkeys',
  'recovery_codes',
  'sign_in_challenges',
  'list_views',
  'oidc_flows',
  'api_tokens',
  'api_token_groups',
  'groups',
  'group_users',
  'servers',
  'server_groups',
  'server_addresses',
  'encoders',
  'encoder_users',
  'encoder_templates',
  'feeders',
  'channels',
  'channel_groups',
  'destinations',
  'inputs',
  'outputs',
  'port_claims',
  'bus_groups',
  'maintenance_windows',
  'alarm_overrides',
  'notification_rules',
  'on_air',
  'schedules',
  'left_hosts',
  'kept_programs',
  'program_copies',
  'stream_turns',
] as const satisfies (keyof Database)[]

/** Without the audit, which notes refusals too. Rows in order of their text. */
export async function databaseContent(ctx: Context): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  for (const table of TABLES) {
    const rows: unknown[] = await ctx.db.selectFrom(table).selectAll().execute()
    content[table] = rows.map((row) => JSON.stringify(row)).toSorted()
  }
  return content
}
