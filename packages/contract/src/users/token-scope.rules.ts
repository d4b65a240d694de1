/** What an API token may be used for, beside what its owner may do. */

/** read: calls that change nothing; operate: commands too; all: whatever its owner may do. */
export const TOKEN_SCOPES = ['read', 'operate', 'all'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

export const SCOPE_NAMES: Readonly<Record<TokenScope, string>> = {
  read: 'Read only',
  operate: 'Read and commands',
  all: 'All that its owner may do',
}

/** What an operator does while streams run; no record is changed by them. */
const COMMANDS: ReadonlySet<string> = new Set([
  'alarms.acknowledge',
  'alarms.acknowledgeSeveral',
  'alarms.mute',
  'alarms.unacknowledge',
  'alarms.unmute',
  'channels.changeStatus',
  'channels.restart',
  'channels.selectInput',
  'contributions.action',
  'encoders.control',
  'linkTests.cancel',
  'linkTests.start',
  'onAir.put',
  'onAir.takeOff',
])

/** A token makes no tokens and no sessions, changes nobody's password, role or sessions, and has no lists to arrange. */
const NEVER: ReadonlySet<string> = new Set([
  'apiTokens.add',
  'apiTokens.addService',
  'apiTokens.revoke',
  'listViews.list',
  'listViews.save',
  'session.check',
  'session.signOut',
  'session.signOutEverywhere',
  'users.add',
  'users.addPasskey',
  'users.beginPasskey',
  'users.beginSecondFactor',
  'users.confirmSecondFactor',
  'users.endSession',
  'users.remove',
  'users.removePasskey',
  'users.renamePasskey',
  'users.requireFactor',
  'users.resetSecondFactor',
  'users.turnOffSecondFactor',
  'users.update',
])

/** `isChange`: the call as it is made would change something. Null: no token may make this call. */
export function scopeNeeded(callName: string, isChange: boolean): TokenScope | null {
  if (NEVER.has(callName)) return null
  if (!isChange) return 'read'
  return COMMANDS.has(callName) ? 'operate' : 'all'
}

export function includesScope(given: TokenScope, needed: TokenScope): boolean {
  return TOKEN_SCOPES.indexOf(given) >= TOKEN_SCOPES.indexOf(needed)
}
