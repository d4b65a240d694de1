/** Every path of the console, with both spellings where there are two (Q3), and the areas of the header. */
import { rolesThat, type Action } from '@trunkline/contract/role-table'
import type { Role } from '@trunkline/contract/roles'
import type { IconName } from '../ui/symbol/Icon.tsx'

export const AREA_KEYS = [
  'dashboard',
  'servers',
  'groups',
  'access',
  'encoders',
  'channels',
  'contributions',
] as const
export type AreaKey = (typeof AREA_KEYS)[number]

export const paths = {
  login: '/login',
  signup: '/signup',
  root: '/',
  dashboard: '/dashboard',
  servers: '/dashboard/server',
  groups: '/dashboard/group',
  access: '/dashboard/userManager',
  accessOther: '/dashboard/user_manager',
  encoders: '/dashboard/managerEncoder',
  encodersOther: '/dashboard/manager_encoder',
  /** NAV-09: the manager's table links with the first, the dashboard's card with the second. */
  editEncoder: '/dashboard/edit_encoder/$id',
  editEncoderFromCard: '/dashboard/editEncoder/$id',
  /** Of a group, or of all that one may see; under the Dashboard tab, so that no tab shifts (NAV-17). */
  signalPaths: '/dashboard/path',
  /** Of an encoder, feeder, input, output or channel. */
  signalPath: '/dashboard/path/$kind/$id',
  channels: '/dashboard/channel',
  /** Channels and encoders side by side; under the Channels tab, so that no tab shifts (NAV-17). */
  wall: '/dashboard/wall',
  /** Opened by the counts in the header; under the Dashboard tab, so that no tab shifts (NAV-17). */
  alarms: '/dashboard/alarm',
  /** Reached from the alarms. */
  notifications: '/dashboard/notification',
  contributions: '/dashboard/contribution',
  inputConfig: '/dashboard/$serverId/$groupId/contribution/$id',
  newOutput: '/dashboard/$serverId/output/$id',
  editOutput: '/dashboard/$serverId/output_edit/$outputId',
} as const

export interface Area {
  key: AreaKey
  /** Its place in the header and its key on the keyboard; never shifts (NAV-17). */
  digit: number
  label: string
  path: (typeof paths)[AreaKey | 'root']
  icon: IconName
  may: readonly Role[]
}

/** NAV-17 to NAV-28. */
export const areas: readonly Area[] = [
  area('dashboard', 1, 'Dashboard', paths.root, 'dashboard', 'openWork'),
  area('servers', 2, 'Servers', paths.servers, 'server', 'openPlaces'),
  area('groups', 3, 'Groups', paths.groups, 'group', 'openPlaces'),
  area('access', 4, 'Access', paths.access, 'access', 'openAccess'),
  area('encoders', 5, 'Encoders', paths.encoders, 'encoder', 'openWork'),
  area('channels', 6, 'Channels', paths.channels, 'channel', 'openWork'),
  area(
    'contributions',
    7,
    'Contributions',
    paths.contributions,
    'contribution',
    'openContributions',
  ),
]

function area(
  key: AreaKey,
  digit: number,
  label: string,
  path: Area['path'],
  icon: IconName,
  action: Action,
): Area {
  return { key, digit, label, path, icon, may: rolesThat(action) }
}

export function areasFor(role: Role | null): readonly Area[] {
  return areas.filter((item) => role !== null && item.may.includes(role))
}

export function mayOpen(role: Role | null, key: AreaKey): boolean {
  return areasFor(role).some((item) => item.key === key)
}
