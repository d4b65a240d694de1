/** What was done, to what and how it ended, in an operator's words. */
import type { AuditResult } from '@trunkline/contract/audit/audit.schema'
import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import type { Family, Shape } from '@trunkline/contract/fleet/state-view.rules'

/** As it was done, and as it was asked for where it was refused or failed. */
type Words = readonly [done: string, asked: string]

/**
 * By the name of the call, or of what the command line ('users.first', 'users.resetPassword') and
 * the product itself ('audit.prune') do. Of reading only a refused attempt leaves a line.
 */
const CALL_WORDS: Readonly<Record<string, Words>> = {
  'audit.list': ['Read activity', 'Read activity'],
  'audit.prune': ['Removed old activity', 'Remove old activity'],
  'alarms.acknowledge': ['Acknowledged alarm', 'Acknowledge alarm'],
  'alarms.acknowledgeSeveral': ['Acknowledged alarm, of several', 'Acknowledge several alarms'],
  'alarms.unacknowledge': [
    'Withdrew acknowledgement of alarm',
    'Withdraw acknowledgement of alarm',
  ],
  'alarms.mute': ['Muted alarm', 'Mute alarm'],
  'alarms.unmute': ['Unmuted alarm', 'Unmute alarm'],
  'maintenance.list': ['Read maintenance windows', 'Read maintenance windows'],
  'maintenance.add': ['Planned maintenance', 'Plan maintenance'],
  'maintenance.update': ['Changed maintenance', 'Change maintenance'],
  'maintenance.remove': ['Deleted maintenance window', 'Delete maintenance window'],
  'alarmOverrides.list': ['Read overrides of alarm rules', 'Read overrides of alarm rules'],
  'alarmOverrides.combined': ['Read alarm rules of an object', 'Read alarm rules of an object'],
  'alarmOverrides.add': ['Added override of an alarm rule', 'Add override of an alarm rule'],
  'alarmOverrides.update': [
    'Changed override of an alarm rule',
    'Change override of an alarm rule',
  ],
  'alarmOverrides.remove': [
    'Deleted override of an alarm rule',
    'Delete override of an alarm rule',
  ],
  'notificationRules.list': ['Read notification rules', 'Read notification rules'],
  'notificationRules.add': ['Added notification rule', 'Add notification rule'],
  'notificationRules.update': ['Edited notification rule', 'Edit notification rule'],
  'notificationRules.remove': ['Deleted notification rule', 'Delete notification rule'],
  'notificationRules.test': ['Tested notification rule', 'Test notification rule'],
  'notificationRules.deliveries': ['Read sent notifications', 'Read sent notifications'],
  'onAir.ask': ['Asked what is on air', 'Ask what is on air'],
  'onAir.put': ['Put on air', 'Put on air'],
  'onAir.takeOff': ['Took off air', 'Take off air'],
  'schedules.list': ['Read schedules', 'Read schedules'],
  'schedules.marks': ['Read schedules', 'Read schedules'],
  'schedules.runs': ['Read runs of a schedule', 'Read runs of a schedule'],
  'schedules.add': ['Added schedule', 'Add schedule'],
  'schedules.update': ['Changed schedule', 'Change schedule'],
  'schedules.remove': ['Deleted schedule', 'Delete schedule'],
  'schedules.run': ['Carried out schedule', 'Carry out schedule'],
  'onAir.interrupt': ['Interrupted while on air', 'Interrupt while on air'],
  'events.list': ['Read timeline', 'Read timeline'],
  'events.availability': ['Read availability', 'Read availability'],
  'session.login': ['Signed in', 'Sign in'],
  'session.ways': ['Read how people sign in', 'Read how people sign in'],
  'session.beginOidc': ['Began sign-in with the provider', 'Begin sign-in with the provider'],
  'session.endOidc': ['Signed in with the provider', 'Sign in with the provider'],
  'session.passkeyStep': ['Signed in with a passkey', 'Sign in with a passkey'],
  'session.secondStep': ['Signed in with a code', 'Sign in with a code'],
  'session.signOut': ['Signed out', 'Sign out'],
  'session.signOutEverywhere': ['Signed out everywhere', 'Sign out everywhere'],
  'users.first': ['Created the first account', 'Create the first account'],
  'users.resetPassword': ['Reset password', 'Reset password'],
  'users.add': ['Added user', 'Add user'],
  'users.update': ['Edited user', 'Edit user'],
  'users.listSessions': ['Read sessions', 'Read sessions'],
  'users.endSession': ['Ended session', 'End session'],
  'listViews.list': ['Read own lists', 'Read own lists'],
  'listViews.save': ['Saved own filters or columns', 'Save own filters or columns'],
  'users.beginPasskey': ['Began passkey', 'Begin passkey'],
  'users.addPasskey': ['Added passkey', 'Add passkey'],
  'users.removePasskey': ['Removed passkey', 'Remove passkey'],
  'users.renamePasskey': ['Renamed passkey', 'Rename passkey'],
  'users.secondFactor': ['Read second factor', 'Read second factor'],
  'users.beginSecondFactor': ['Began second factor', 'Begin second factor'],
  'users.confirmSecondFactor': ['Turned on second factor', 'Turn on second factor'],
  'users.turnOffSecondFactor': ['Turned off second factor', 'Turn off second factor'],
  'users.requiredFactor': [
    'Read roles that need a second factor',
    'Read roles that need a second factor',
  ],
  'users.requireFactor': [
    'Changed roles that need a second factor',
    'Change roles that need a second factor',
  ],
  'session.passkeySetUpStep': ['Signed in with a new passkey', 'Sign in with a new passkey'],
  'session.setUpStep': ['Signed in with a new second factor', 'Sign in with a new second factor'],
  'users.resetSecondFactor': ['Reset second factor', 'Reset second factor'],
  'apiTokens.list': ['Read API tokens', 'Read API tokens'],
  'apiTokens.add': ['Made API token', 'Make API token'],
  'apiTokens.addService': ['Made API token of a service', 'Make API token of a service'],
  'apiTokens.revoke': ['Revoked API token', 'Revoke API token'],
  'users.remove': ['Deleted user', 'Delete user'],
  'groups.add': ['Added group', 'Add group'],
  'groups.update': ['Edited group', 'Edit group'],
  'groups.remove': ['Deleted group', 'Delete group'],
  'groups.addUser': ['Added user to group', 'Add user to group'],
  'groups.removeUser': ['Removed user from group', 'Remove user from group'],
  'groups.moveUser': ['Moved user to group', 'Move user to group'],
  'servers.add': ['Added server', 'Add server'],
  'servers.update': ['Edited server', 'Edit server'],
  'servers.remove': ['Deleted server', 'Delete server'],
  'backups.read': ['Read backups', 'Read backups'],
  'backups.make': ['Made backup', 'Make backup'],
  'enrolment.read': ['Read how a host is secured', 'Read how a host is secured'],
  'enrolment.addCode': ['Made enrolment code', 'Make enrolment code'],
  'enrolment.enrol': ['Enrolled host', 'Enrol host'],
  'enrolment.revoke': ['Revoked certificate of host', 'Revoke certificate of host'],
  'linkTests.host': ['Read whether a host can test', 'Read whether a host can test'],
  'linkTests.start': ['Started link test', 'Start link test'],
  'linkTests.read': ['Read link test', 'Read link test'],
  'linkTests.cancel': ['Cancelled link test', 'Cancel link test'],
  'encoders.add': ['Added encoder', 'Add encoder'],
  'encoders.update': ['Edited encoder', 'Edit encoder'],
  'encoders.enable': ['Enabled or disabled encoder', 'Enable or disable encoder'],
  'encoders.remove': ['Deleted encoder', 'Delete encoder'],
  'encoders.removeConfig': ['Deleted encoder configuration', 'Delete encoder configuration'],
  'encoders.control': ['Sent command to encoder', 'Send command to encoder'],
  'encoders.clone': ['Cloned encoder', 'Clone encoder'],
  'encoders.carry': ['Carried encoder to a server', 'Carry encoder to a server'],
  'encoderTemplates.list': ['Read encoder templates', 'Read encoder templates'],
  'encoderTemplates.add': ['Saved encoder template', 'Save encoder template'],
  'encoderTemplates.update': ['Edited encoder template', 'Edit encoder template'],
  'encoderTemplates.remove': ['Deleted encoder template', 'Delete encoder template'],
  'feeders.save': ['Edited feeders', 'Edit feeders'],
  'feeders.remove': ['Deleted feeder', 'Delete feeder'],
  'feeders.nextPort': ['Read the next feeder port', 'Read the next feeder port'],
  'feeders.askNextPort': ['Asked for the next feeder port', 'Ask for the next feeder port'],
  'contributions.action': ['Sent command to link', 'Send command to link'],
  'inputs.list': ['Read inputs', 'Read inputs'],
  'inputs.status': ['Read input status', 'Read input status'],
  'inputs.add': ['Added input', 'Add input'],
  'inputs.clone': ['Cloned input', 'Clone input'],
  'inputs.match': ['Selected matching inputs', 'Select matching inputs'],
  'inputs.read': ['Read input', 'Read input'],
  'inputs.update': ['Edited input', 'Edit input'],
  'inputs.remove': ['Deleted input', 'Delete input'],
  'inputs.setStatus': ['Enabled or disabled inputs', 'Enable or disable inputs'],
  'inputs.removeSeveral': ['Deleted several inputs', 'Delete several inputs'],
  'inputs.nextMulticast': ['Read the next multicast group', 'Read the next multicast group'],
  'inputs.askNextMulticast': ['Asked for the next multicast group', 'Ask for the next group'],
  'links.changeServer': ['Changed server of input', 'Change server of input'],
  'links.rename': ['Renamed link', 'Rename link'],
  'outputs.list': ['Read outputs', 'Read outputs'],
  'outputs.match': ['Selected matching outputs', 'Select matching outputs'],
  'outputs.status': ['Read output status', 'Read output status'],
  'outputs.add': ['Added output', 'Add output'],
  'outputs.clone': ['Cloned output', 'Clone output'],
  'outputs.read': ['Read output', 'Read output'],
  'outputs.update': ['Edited output', 'Edit output'],
  'outputs.remove': ['Deleted output', 'Delete output'],
  'outputs.setStatus': ['Enabled or disabled outputs', 'Enable or disable outputs'],
  'outputs.removeSeveral': ['Deleted several outputs', 'Delete several outputs'],
  'outputs.changeDestination': ['Changed destination of outputs', 'Change destination of outputs'],
  'destinations.list': ['Read destinations', 'Read destinations'],
  'destinations.match': ['Selected matching destinations', 'Select matching destinations'],
  'destinations.add': ['Added destination', 'Add destination'],
  'destinations.clone': ['Cloned destination', 'Clone destination'],
  'destinations.update': ['Edited destination', 'Edit destination'],
  'destinations.remove': ['Deleted destination', 'Delete destination'],
  'destinations.removeSeveral': ['Deleted several destinations', 'Delete several destinations'],
  'channels.save': ['Synced channels', 'Sync channels'],
  'channels.rename': ['Renamed channel', 'Rename channel'],
  'channels.changeStatus': ['Switched channel', 'Switch channel'],
  'channels.restart': ['Restarted channel', 'Restart channel'],
  'channels.selectInput': ['Switched source of channel', 'Switch source of channel'],
  'channels.remove': ['Removed channel from list', 'Remove channel from list'],
}

export const ENABLE_WORDS: Words = ['Enabled', 'Enable']
export const DISABLE_WORDS: Words = ['Disabled', 'Disable']

/** After the words of a command: 'Started encoder'. */
export const COMMANDED_WORDS: Readonly<Partial<Record<ObjectKind, string>>> = {
  encoder: 'encoder',
  input: 'input',
  output: 'output',
}

const COMMAND_WORDS: Readonly<Record<string, Words>> = {
  start: ['Started', 'Start'],
  stop: ['Stopped', 'Stop'],
  restart: ['Restarted', 'Restart'],
}

/** Null for a call that a newer API may know and this console does not. */
export function wordsOfCall(call: string): Words | null {
  return CALL_WORDS[call] ?? null
}

/** Null for what is no command to a program. */
export function wordsOfCommand(command: string): Words | null {
  return COMMAND_WORDS[command] ?? null
}

export const KIND_WORDS: Readonly<Record<ObjectKind, string>> = {
  user: 'User',
  group: 'Group',
  server: 'Server',
  encoder: 'Encoder',
  encoderTemplate: 'Encoder template',
  maintenance: 'Maintenance window',
  channel: 'Channel',
  input: 'Input',
  output: 'Output',
  destination: 'Destination',
  notificationRule: 'Notification rule',
  alarmOverride: 'Alarm rule override',
  backup: 'Backup',
  apiToken: 'API token',
  schedule: 'Schedule',
}

interface ResultView {
  word: string
  shape: Shape
  family: Family
}

export const RESULT_VIEWS: Readonly<Record<AuditResult, ResultView>> = {
  done: { word: 'Done', shape: 'disc', family: 'ok' },
  refused: { word: 'Refused', shape: 'triangle', family: 'warn' },
  failed: { word: 'Failed', shape: 'octagon', family: 'bad' },
}

/** Nobody was signed in: the product did it, or somebody who was not let in. */
export const SYSTEM = 'System'
export const NOT_SIGNED_IN = 'Not signed in'
