/** What the Users tab and the own account say; texts of the catalogue word for word. */
import type { AnswerOf } from '@trunkline/contract/route'
import type { readSecondFactor } from '@trunkline/contract/users/second-factor.calls'
import type { User } from '@trunkline/contract/users/user.schema'

export type SecondFactor = AnswerOf<typeof readSecondFactor>['data']

export { PASSWORDS_DIFFER } from '@trunkline/contract/users/user.schema'

/** ERR-11, Q189: both end in a space, and the person's name stands in the second line. */
export const USER_ADDED = 'Success add user '
export const USER_REMOVED = 'Success remove user '
export const USER_UPDATED = 'Success update user information'
/** ERR-12, ERR-09, ERR-23. */
export const ADDED_TO_GROUP = 'User added to group successfully'
export const ADD_TO_GROUP_FAILED = 'Failed to add user to group'
export const GROUP_REQUIRED = 'Please select a group'
/** Q185. */
export const REQUIRED = 'This field is required'
export const INVALID_EMAIL = 'Please enter a valid email'

export const REMOVED_FROM_GROUP = 'User removed from group'
export const REMOVE_FROM_GROUP_FAILED = 'The user was not removed from the group. Try again.'

/** Beside the groups that the viewer shares with somebody who has others too. */
export const ANOTHER_GROUP = '+ another group'
/** Why a manager has no Edit and no Delete for them. */
export const ANOTHER_GROUP_REASON =
  'Also belongs to another group, or operates an encoder of one. Only an admin may edit or delete this user.'

export const ADD_FAILED = 'The user was not added. Try again.'
export const UPDATE_FAILED = 'The user was not changed. Try again.'
export const REMOVE_FAILED = 'The user was not deleted. Try again.'
export const LIST_FAILED = 'The list of users could not be read.'
export const ROLES_FAILED = 'The list of roles could not be read. Close this dialog and try again.'

/** Q36. */
export const NO_GROUP_OF_YOURS =
  'No group is assigned to you, so you would not see the users that you add. Ask an admin to make you the manager of one.'
export const ROLE_CLEARED_GROUP = 'The role has changed, so the group was cleared.'

/** What becomes of a manager's present groups when another is chosen. */
export const OTHER_GROUPS = 'Replaces the groups they belong to. They keep the groups they manage.'

export const ACCOUNT_FAILED = 'Your account could not be read.'
export const ACCOUNT_NOT_READ = 'Your account has not been read yet. Use Retry.'
export const OTHERS_SIGNED_OUT = 'Every other browser that was signed in as you is signed out.'
export const CURRENT_PASSWORD_WHY = 'Needed to change your password or email.'
export const OTHERS_SIGN_OUT =
  'Every other browser that is signed in as you will be signed out, and your API tokens end.'
export const SIGN_OUT_EVERYWHERE_FAILED = 'You were not signed out everywhere. Try again.'

export const SECOND_FACTOR = 'Second factor'
export const SECOND_FACTOR_FAILED = 'The second factor could not be read.'
export const PASSKEYS_LEAD =
  'A fingerprint, a face, a PIN or a security key that signing in asks for after the password.'
export const NO_PASSKEYS = 'None.'
export const ADD_PASSKEY = 'Add passkey'
export const ADD_PASSKEY_PASSWORD =
  'Needed to add a passkey. The browser then asks for the passkey.'
export const REMOVE_PASSKEY_PASSWORD = 'Needed to remove a passkey.'
export const PASSKEY_ADDED = 'Passkey added'
export const PASSKEY_RENAMED = 'Passkey renamed'
export const PASSKEY_REMOVED = 'Passkey removed'
export const ADD_PASSKEY_FAILED = 'The passkey was not added. Try again.'
export const RENAME_PASSKEY_FAILED = 'The passkey was not renamed. Try again.'
export const REMOVE_PASSKEY_FAILED = 'The passkey was not removed. Try again.'
export const NEVER_USED = 'never used'
export const PASSKEY_RECOVERY_LEAD =
  'From now on signing in asks for a passkey. Keep these recovery codes: each signs you in once when you do not have it. They are not shown again.'
export const SECOND_FACTOR_OFF = 'Off. Signing in needs only the password.'
export const PROVIDER_MARK = 'provider'
export const PROVIDER_REASON =
  'Signs in with the provider of this site. Name, e-mail, role and groups are set there: a change made here lasts until the next sign-in.'
export const FROM_PROVIDER =
  'You sign in with the provider of this site. Name, e-mail, password, role and groups are set there.'
export const OWN_FACTOR_OFF = 'Off. Your password alone signs you in.'
export const TURNED_ON = 'Second factor turned on'
export const TURNED_OFF = 'Second factor turned off'
export const TURNED_OFF_MORE = 'Your password alone signs you in.'
export const TURN_ON_FAILED = 'The second factor was not turned on. Try again.'
export const TURN_OFF_FAILED = 'The second factor was not turned off. Try again.'
export const RESET_FAILED = 'The second factor was not reset. Try again.'
export const FACTOR_RESET = 'Second factor reset'
export const SCAN_LEAD =
  'Scan this code with an authenticator app, or type the key into it. Then enter the code that the app shows.'
export const APP_HINT = 'Six digits, new every 30 seconds.'
export const OFF_CODE_HINT = 'From your authenticator app, or a recovery code.'
export const ON_PASSWORD_WHY = 'Needed to turn on a second factor.'
export const OFF_PASSWORD_WHY = 'Needed to turn off the second factor.'
export const RECOVERY_LEAD =
  'From now on signing in asks for a code. Keep these recovery codes: each signs you in once when you do not have the app. They are not shown again, and earlier ones no longer work.'

/** `offText`: without a factor. */
export function factorText(
  { isOn, passkeys, recoveryCodesLeft }: SecondFactor,
  offText: string,
): string {
  if (!isOn && passkeys.length === 0) return offText
  const codes = recoveryCodesLeft === 1 ? 'recovery code' : 'recovery codes'
  const left = `${recoveryCodesLeft} ${codes} left.`
  if (passkeys.length === 0) return `On. Signing in asks for a code. ${left}`
  if (isOn) return `On. Signing in asks for a passkey or a code. ${left}`
  return `On without an app. Signing in asks for a passkey. ${left}`
}

/** What removing a passkey does; `isLast`: of all second factors. */
export function removePasskeySentence(name: string, isLast: boolean): string {
  return isLast
    ? `${name} no longer signs you in. It is your last second factor: your password alone signs you in then.`
    : `${name} no longer signs you in.`
}

export function resetFactorSentences(user: User): readonly string[] {
  return [
    `Reset the second factor of ${user.fullName} (${user.email}). Their passkeys are removed too.`,
    'Their password alone signs them in, until they turn on a second factor again. Make sure that the request comes from them.',
  ]
}
/** In place of a part of a dialog until its answer is there. */
export const READING = 'Reading …'
export const SESSIONS_FAILED = 'The sessions could not be read.'
export const NO_SESSIONS = 'Not signed in anywhere.'
export const UNKNOWN_DEVICE = 'Unknown device'
export const SESSION_ENDED = 'Session ended'
export const SESSION_ENDED_MORE = 'That browser shows the sign-in page.'
export const END_SESSION_FAILED = 'The session was not ended. Try again.'

export const SIGN_OUT_EVERYWHERE_SENTENCES: readonly string[] = [
  'Sign out everywhere.',
  'Every browser that is signed in to your account is signed out at once, including this one. Your API tokens end too. No stream is stopped.',
]

export function removeSentences(user: User): readonly string[] {
  const first = `Delete ${user.fullName} (${user.email}).`
  const second =
    'They are signed out everywhere at once, and cannot sign in again. Their API tokens end.'
  return user.modeInfo.name === 'editor'
    ? [first, `${second} They are unassigned from their encoders.`]
    : [first, second]
}

export function removeFromGroupSentences(user: User, title: string): readonly string[] {
  const encoders =
    user.modeInfo.name === 'editor' ? ` and are unassigned from the encoders of ${title}` : ''
  return [
    `Remove ${user.fullName} (${user.email}) from ${title}.`,
    `They no longer see ${title}${encoders}. Their account and their other groups stay.`,
  ]
}

/** Q106: joining one group, or leaving the present ones for it. */
export function groupChangeSentence(user: User): string {
  if (user.groups.length === 0) return `${user.fullName} is in no group.`
  const titles = user.groups.map((group) => group.title).join(', ')
  const sentence = `${user.fullName} leaves ${titles} for the group that you choose.`
  return user.modeInfo.name === 'editor'
    ? `${sentence} They are unassigned from the encoders of the groups that they leave.`
    : sentence
}

export const DISPLAY_NOT_SAVED = 'The choice was not saved. Try again.'

export const ASK_SETTING = 'Ask before actions that interrupt a stream'
export const ASK_SETTING_HELP =
  'If on, switching off a channel or push output and switching the source also ask first. If off, they act at once and can be undone for 10 s.'

/** Labels of the fields, for the sentence that names what somebody else has changed. */
export const FIELD_LABELS = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  mode: 'Role',
  groupId: 'Group',
  groups: 'Groups',
  password: 'Password',
  newPassword: 'New password',
  newConfirmPassword: 'Confirm password',
  currentPassword: 'Current password',
  code: 'Code',
  name: 'Name',
  asksBeforeInterrupting: ASK_SETTING,
  language: 'Language',
  times: 'Times',
} as const
