/**
 * Who may do what: the one table. The calls take their roles from it, the console shows, explains
 * or hides by it, and docs/operate/roles.md is printed from it. Letters are the rows of ROLE-11.
 */
import { ROLES, type Role } from './roles.ts'

/**
 * How far a role's right reaches.
 * - all: everything
 * - notAbove: everybody but superadmins
 * - group: within the own groups; anything else is answered as if it were not there (404)
 * - whole: people all of whose groups are the own ones; who also reaches another is seen and refused (403)
 * - assigned: only encoders that this user is assigned to; the rest is not there (404)
 * - self: the own account
 * - view: seen, not changed (403)
 * - denied: the control is shown and answers NOT_AUTHORIZED (403)
 * - never: the control is not shown (403)
 */
export type Reach =
  | 'all'
  | 'notAbove'
  | 'group'
  | 'whole'
  | 'assigned'
  | 'self'
  | 'view'
  | 'denied'
  | 'never'

export interface RoleRow {
  /** Of the matrix of ROLE-11; a row of ours has none. */
  readonly letter: string
  readonly title: string
  readonly reach: Readonly<Record<Role, Reach>>
  /** What a cell cannot say; one sentence for the page of roles. */
  readonly note: string
}

type Cells = readonly [Reach, Reach, Reach, Reach, Reach]

function row(letter: string, title: string, cells: Cells, note = ''): RoleRow {
  const [superadmin, admin, manager, editor, monitor] = cells
  return { letter, title, reach: { superadmin, admin, manager, editor, monitor }, note }
}

const EVERYBODY: Cells = ['all', 'all', 'all', 'all', 'all']
const SELF: Cells = ['self', 'self', 'self', 'self', 'self']
const NOBODY: Cells = ['never', 'never', 'never', 'never', 'never']
const ADMINS: Cells = ['all', 'all', 'never', 'never', 'never']
const MANAGERS: Cells = ['all', 'all', 'group', 'never', 'never']
const MANAGERS_OTHERS_DENIED: Cells = ['all', 'all', 'group', 'denied', 'denied']
const IN_GROUP: Cells = ['all', 'all', 'group', 'group', 'group']
const ENCODER_VISIBILITY: Cells = ['all', 'all', 'group', 'assigned', 'group']
const OPERATORS_MONITOR_DENIED: Cells = ['all', 'all', 'group', 'assigned', 'denied']

const PEOPLE_BELOW =
  'A manager: editors and monitors of their groups, unless they also belong to another group or operate an encoder of one. Nobody above their own role, and no manager except themselves.'

export const roleTable = {
  signIn: row('A', 'Sign in, sign out, session check', EVERYBODY),
  openWork: row('B', 'Open Dashboard, Encoders, Channels', EVERYBODY),
  openAccess: row('C', 'Open Access', EVERYBODY),
  openPlaces: row('D', 'Open Servers, Groups', ADMINS),
  openContributions: row('E', 'Open Contributions and its forms', [
    'all',
    'all',
    'all',
    'never',
    'never',
  ]),
  seeEncoders: row('F', 'See encoder cards, status, uptime', ENCODER_VISIBILITY),
  readEncoderLog: row('G', 'Read an encoder’s log', ENCODER_VISIBILITY),
  controlEncoder: row('H', 'Start, stop, restart an encoder', OPERATORS_MONITOR_DENIED),
  addEncoder: row(
    'I',
    'Add an encoder',
    MANAGERS,
    'A manager’s encoder joins one of their groups.',
  ),
  editEncoder: row('J', 'Edit an encoder’s record', MANAGERS),
  setEncoderKey: row(
    'K',
    'Set an encoder’s API key',
    ADMINS,
    'No role is ever shown a stored key.',
  ),
  enableEncoder: row('L', 'Enable, disable an encoder', MANAGERS),
  assignEncoder: row('M', 'Assign editors to an encoder', MANAGERS),
  removeEncoder: row('N', 'Remove an encoder, delete its configuration', MANAGERS),
  configureEncoder: row('O', 'Edit an encoder’s configuration', [
    'all',
    'all',
    'group',
    'assigned',
    'view',
  ]),
  editFeeders: row('P', 'Add, edit, delete a feeder', ['all', 'all', 'group', 'assigned', 'never']),
  controlFeeder: row('Q', 'Start, stop, restart a feeder', OPERATORS_MONITOR_DENIED),
  readFeeder: row('R', 'Read a feeder’s log and target status', ENCODER_VISIBILITY),
  listUsers: row(
    'S',
    'List users',
    ['all', 'notAbove', 'group', 'group', 'group'],
    'Every user also sees their own record.',
  ),
  addUser: row('T', 'Add a user', MANAGERS, 'Only with a role that the caller may give.'),
  removeUser: row(
    'U',
    'Delete a user',
    ['all', 'notAbove', 'whole', 'never', 'never'],
    `${PEOPLE_BELOW} Nobody can delete their own account.`,
  ),
  editUser: row(
    'V',
    'Edit another user',
    ['all', 'notAbove', 'whole', 'never', 'never'],
    PEOPLE_BELOW,
  ),
  editSelf: row('W', 'Edit own name, e-mail, password', SELF),
  endOwnSession: row('', 'Own sessions, API tokens and second factor', SELF),
  requireSecondFactor: row('', 'Require a second factor by role', [
    'all',
    'never',
    'never',
    'never',
    'never',
  ]),
  arrangeLists: row('', 'Own saved filters and columns of lists', SELF),
  manageApiTokens: row('', 'All API tokens', ['all', 'notAbove', 'never', 'never', 'never']),
  endUserSession: row(
    '',
    'See and end the sessions of another user',
    ['all', 'notAbove', 'whole', 'never', 'never'],
    PEOPLE_BELOW,
  ),
  giveRole: row(
    'X',
    'Choose another user’s role',
    ['all', 'all', 'whole', 'never', 'never'],
    'Offered to a superadmin: superadmin, admin, manager. To an admin: admin, manager. To a manager: editor, monitor.',
  ),
  giveOwnRole: row('Y', 'Choose own role', NOBODY),
  chooseUserGroup: row('Z', 'Choose a manager’s group in the user dialog', ADMINS),
  addToGroup: row('AA', 'Add an editor or a monitor to a group', MANAGERS),
  removeFromGroup: row(
    '',
    'Remove an editor or a monitor from a group',
    MANAGERS,
    'Also of people who belong to other groups too. They are unassigned from the encoders of the group that they leave.',
  ),
  addOthersToGroup: row('AB', 'Add other roles to a group from the list', NOBODY),
  editGroups: row('AC', 'Add, edit, delete a group', ADMINS),
  listGroups: row('AD', 'List groups, as filter and chooser', IN_GROUP),
  editServers: row('AE', 'Add, edit, delete a server', ADMINS),
  listServers: row('AF', 'List servers, as chooser', IN_GROUP),
  testLinks: row(
    '',
    'Test a link between an encoder or server and a server',
    MANAGERS,
    'Between those that the role may see, at an address of the server’s record.',
  ),
  setServerKey: row('AG', 'Set a server’s API key', ADMINS, 'No role is ever shown a stored key.'),
  enrolHosts: row(
    '',
    'Enrol a host, read how its connection is secured, revoke its certificate',
    ADMINS,
    'Of a server, or of an encoder’s host.',
  ),
  seeChannels: row('AH', 'See channels, their detail and player', IN_GROUP),
  switchChannel: row('AI', 'Switch a channel on or off', MANAGERS_OTHERS_DENIED),
  restartChannel: row('AJ', 'Restart a channel', MANAGERS_OTHERS_DENIED),
  switchPush: row('AK', 'Switch push outputs', MANAGERS_OTHERS_DENIED),
  renameChannel: row('AL', 'Rename a channel', MANAGERS_OTHERS_DENIED),
  syncChannels: row('AM', 'Sync channels from a server', MANAGERS),
  selectInput: row('', 'Switch a channel to another of its sources', MANAGERS_OTHERS_DENIED),
  removeChannel: row('', 'Remove a channel from the list', MANAGERS),
  seeInputs: row('AN', 'See inputs, their status and log', MANAGERS),
  editInputs: row('AO', 'Add, edit, rename, delete an input', MANAGERS),
  controlInputs: row('AP', 'Start, stop, restart an input', MANAGERS),
  bulkContributions: row('AQ', 'Enable, disable, delete, move several at once', MANAGERS),
  editOutputs: row('AR', 'Outputs: see, add, edit, rename, delete, start, stop', MANAGERS),
  editDestinations: row(
    'AS',
    'Destinations: see, add, edit, delete',
    MANAGERS,
    'A manager’s destination joins their first group.',
  ),
  chooseDestinationGroup: row('AT', 'Choose the group of a new destination', ADMINS),
  seeTemplates: row('', 'See and apply encoder templates', [
    'all',
    'all',
    'group',
    'group',
    'never',
  ]),
  editTemplates: row(
    '',
    'Save, rename, delete an encoder template',
    MANAGERS,
    'Only an admin may change a template of all groups.',
  ),
  seeAlarms: row(
    '',
    'See alarms and their history',
    ['all', 'all', 'group', 'assigned', 'group'],
    'Of what the role may see. The cause of an alarm may be in another group: then its title stays hidden.',
  ),
  acknowledgeAlarm: row(
    '',
    'Acknowledge and mute alarms',
    ['all', 'all', 'group', 'assigned', 'denied'],
    'Of what the role may see; an editor those of assigned encoders and their feeders.',
  ),
  planMaintenance: row(
    '',
    'Plan, change, delete a maintenance window',
    ['all', 'all', 'whole', 'denied', 'denied'],
    'Of a group of their own, or of what belongs to no other group.',
  ),
  overrideAlarmRules: row(
    '',
    'Add, change, delete an override of an alarm rule',
    ['all', 'all', 'whole', 'denied', 'denied'],
    'For a group of their own, or for what belongs to no other group.',
  ),
  editNotifications: row(
    '',
    'Notifications: see, add, edit, delete and test rules, read deliveries',
    ADMINS,
    'No role is ever shown a stored password, secret or community.',
  ),
  makeBackups: row(
    '',
    'Backups of the site: see when they were made, make one',
    ADMINS,
    'Restoring is done on the machine itself, by its administrator.',
  ),
  seeOnAir: row(
    '',
    'See what is on air',
    ['all', 'all', 'group', 'assigned', 'group'],
    'Of what the role may see.',
  ),
  putOnAir: row(
    '',
    'Put on air, take off air',
    ['all', 'all', 'group', 'assigned', 'never'],
    'Of what the role may command: an editor assigned encoders and their feeders, a manager channels, inputs and outputs too.',
  ),
  overrideOnAir: row(
    '',
    'Interrupt what is on air without typing its title',
    ADMINS,
    'Everybody else types the title of what loses the stream; what is on air in another group they may not interrupt.',
  ),
  seeSchedules: row(
    '',
    'See schedules and how they went',
    ['all', 'all', 'group', 'assigned', 'group'],
    'Of what the role may see.',
  ),
  editSchedules: row(
    '',
    'Schedules: start, stop and switch at a time',
    ['all', 'all', 'group', 'assigned', 'never'],
    'Of what the role may command: an editor assigned encoders and their feeders, a manager channels, inputs and outputs too. It is carried out with the rights that whoever saved it last has then.',
  ),
  readFault: row('', 'Read why a server is Offline', ADMINS),
  readAudit: row('', 'Read activity and metrics', ADMINS),
} as const satisfies Record<string, RoleRow>

export type Action = keyof typeof roleTable

const REACHES_SOMETHING: ReadonlySet<Reach> = new Set([
  'all',
  'notAbove',
  'group',
  'whole',
  'assigned',
  'self',
])

export function reachOf(role: Role, action: Action): Reach {
  return roleTable[action].reach[role]
}

/** Whether the role may do it at all; to which object is the group's and the assignment's to say. */
export function mayDo(role: Role | null, action: Action): boolean {
  return role !== null && REACHES_SOMETHING.has(reachOf(role, action))
}

export function rolesThat(action: Action): readonly Role[] {
  return ROLES.filter((role) => mayDo(role, action))
}

/**
 * How the console shows the control of an action: usable; shown, but every use answers
 * NOT_AUTHORIZED; or not there at all. A control that only shows ('view') is not there either.
 */
export function controlFor(role: Role | null, action: Action): 'usable' | 'denied' | 'absent' {
  if (mayDo(role, action)) return 'usable'
  return role !== null && reachOf(role, action) === 'denied' ? 'denied' : 'absent'
}
