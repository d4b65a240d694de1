/** The tabs of a narrow screen (Q7): the four that are needed on the move, the rest under More. */
import { Link } from '@tanstack/react-router'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { useState } from 'react'
import { later } from '../lib/later.ts'
import { LaterDialog } from '../shared/page/Later.tsx'
import { Icon } from '../ui/symbol/Icon.tsx'
import classes from './BottomBar.module.css'
import type { Area, AreaKey } from './paths.ts'

const MORE_DIALOG = later('more dialog', async () => (await import('./MoreDialog.tsx')).MoreDialog)

const IN_THE_BAR: readonly AreaKey[] = ['dashboard', 'encoders', 'channels', 'contributions']

interface BottomBarProps {
  area: AreaKey | null
  offered: readonly Area[]
  user: SessionUser
  /** Opens the own account. */
  onAccount: () => void
}

export function BottomBar({ area, offered, user, onAccount }: BottomBarProps) {
  const [isMoreOpen, setMoreOpen] = useState(false)
  const inBar = offered.filter((item) => IN_THE_BAR.includes(item.key))
  const rest = offered.filter((item) => !IN_THE_BAR.includes(item.key))
  const isRestOpen = rest.some((item) => item.key === area)
  return (
    <nav className={classes.bar} aria-label="Main">
      {inBar.map((item) => (
        <Link
          key={item.key}
          to={item.path}
          activeProps={{}}
          aria-current={item.key === area ? 'page' : undefined}
        >
          <Icon name={item.icon} size={20} />
          {item.label}
        </Link>
      ))}
      <button
        type="button"
        aria-haspopup="dialog"
        data-current={isRestOpen || undefined}
        onClick={() => setMoreOpen(true)}
      >
        <Icon name="menu" size={20} />
        More
      </button>
      {isMoreOpen && (
        <LaterDialog
          part={MORE_DIALOG}
          props={{ areas: rest, user, onAccount, onClose: () => setMoreOpen(false) }}
        />
      )}
    </nav>
  )
}
