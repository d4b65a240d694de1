/** Pages, and what is opened from anywhere: additions, the own account, the keys, signing out. */
import { useLocation, useNavigate } from '@tanstack/react-router'
import { pressOnNextPage, pressShortcut } from '../../lib/shortcuts.ts'
import { endOwnSession } from '../../session/session.actions.ts'
import type { IconName } from '../../ui/symbol/Icon.tsx'
import { Option, type LineProps } from './Option.tsx'
import type { Addition, PalettePage } from './place.rules.ts'

/** What the shell shows over a page. */
export type ShellDialog = 'account' | 'keys'

export function PageOption({ page, ...line }: LineProps & { page: PalettePage }) {
  const navigate = useNavigate()
  const { label, icon, to, search = {} } = page
  return (
    <Option {...line} icon={icon} title={label} onChoose={() => void navigate({ to, search })} />
  )
}

const ADD_KEY = 'n'

export function AdditionOption({ addition, ...line }: LineProps & { addition: Addition }) {
  const navigate = useNavigate()
  const { pathname, search: present } = useLocation()
  const { label, icon, to, search = {} } = addition
  const tab = 'tab' in present ? present.tab : undefined
  const isThere = pathname === to && tab === search['tab']
  const add = () => {
    if (isThere) return pressShortcut(ADD_KEY)
    pressOnNextPage(ADD_KEY)
    void navigate({ to, search })
  }
  return <Option {...line} icon={icon} title={`${label}…`} onChoose={add} />
}

export interface OwnAction {
  label: string
  icon: IconName
  does: ShellDialog | 'sign out'
}

export const OWN_ACTIONS: readonly OwnAction[] = [
  { label: 'My account…', icon: 'person', does: 'account' },
  { label: 'Keys…', icon: 'keyboard', does: 'keys' },
  { label: 'Log out', icon: 'out', does: 'sign out' },
]

interface OwnActionProps extends LineProps {
  action: OwnAction
  onShow: (dialog: ShellDialog) => void
}

export function OwnActionOption({ action, onShow, ...line }: OwnActionProps) {
  const { label, icon, does } = action
  const act = () => {
    if (does === 'sign out') void endOwnSession()
    else onShow(does)
  }
  return <Option {...line} icon={icon} title={label} onChoose={act} />
}
