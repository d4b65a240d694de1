/** The pages of the console, and what is opened from anywhere, as far as a role may. */
import { mayDo, type Action } from '@trunkline/contract/role-table'
import type { Role } from '@trunkline/contract/roles'
import type { IconName } from '../../ui/symbol/Icon.tsx'
import { areasFor, mayOpen, paths, type AreaKey } from '../paths.ts'

export interface PalettePage {
  label: string
  icon: IconName
  to: string
  search?: Readonly<Record<string, string>>
}

interface InnerPage extends PalettePage {
  area: AreaKey
  /** Null: whoever may open the area. */
  needs: Action | null
}

const INNER_PAGES: readonly InnerPage[] = [
  inner('Alarms', 'history', paths.alarms, 'dashboard', 'seeAlarms'),
  inner('Notifications', 'history', paths.notifications, 'dashboard', 'editNotifications'),
  inner('Signal paths', 'path', paths.signalPaths, 'dashboard', 'readFeeder'),
  inner('Wall', 'channel', paths.wall, 'channels', null),
  inner('Inputs', 'contribution', paths.contributions, 'contributions', 'seeInputs'),
  {
    ...inner('Outputs', 'contribution', paths.contributions, 'contributions', 'editOutputs'),
    search: { tab: 'outputs' },
  },
  {
    ...inner(
      'Destinations',
      'contribution',
      paths.contributions,
      'contributions',
      'editDestinations',
    ),
    search: { tab: 'destinations' },
  },
  {
    ...inner('Activity', 'access', paths.access, 'access', 'readAudit'),
    search: { tab: 'activity' },
  },
  { ...inner('API tokens', 'access', paths.access, 'access', null), search: { tab: 'tokens' } },
  {
    ...inner('API reference', 'access', paths.access, 'access', null),
    search: { tab: 'reference' },
  },
]

function inner(
  label: string,
  icon: IconName,
  to: string,
  area: AreaKey,
  needs: Action | null,
): InnerPage {
  return { label, icon, to, area, needs }
}

/** The tabs of the header first. */
export function pagesFor(role: Role | null): PalettePage[] {
  const tabs = areasFor(role).map(({ label, icon, path }) => ({ label, icon, to: path }))
  const rest = INNER_PAGES.filter(
    ({ area, needs }) => mayOpen(role, area) && (needs === null || mayDo(role, needs)),
  )
  return [...tabs, ...rest]
}

/** Pages with something to add: there the key n does it. */
export interface Addition extends PalettePage {
  needs: Action
}

const ADDITIONS: readonly Addition[] = [
  addition('Add encoder', paths.encoders, 'addEncoder'),
  addition('Add input', paths.contributions, 'editInputs'),
  { ...addition('Add output', paths.contributions, 'editOutputs'), search: { tab: 'outputs' } },
  {
    ...addition('Add destination', paths.contributions, 'editDestinations'),
    search: { tab: 'destinations' },
  },
  addition('Sync channels', paths.channels, 'syncChannels'),
  addition('Add server', paths.servers, 'editServers'),
  addition('Add group', paths.groups, 'editGroups'),
  addition('Add user', paths.access, 'addUser'),
]

function addition(label: string, to: string, needs: Action): Addition {
  return { label, icon: 'plus', to, needs }
}

export function additionsFor(role: Role | null): Addition[] {
  return ADDITIONS.filter(({ needs }) => mayDo(role, needs))
}
