/** The tabs of a narrow screen (Q7): the four that are needed on the move, the rest under More. */
import { Link } from '@tanstack/react-router'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { useState } from 'react'
import { endOwnSession } from '../session/session.actions.ts'
import { Button } from '../ui/button/Button.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Icon } from '../ui/symbol/Icon.tsx'
import classes from './BottomBar.module.css'
import type { Area, AreaKey } from './paths.ts'
import { ThemeButton } from './ThemeButton.tsx'

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
      <Dialog
        title="More"
        width={440}
        isOpen={isMoreOpen}
        onClose={() => setMoreOpen(false)}
        footer={
          <Button icon="out" size={36} onClick={() => void endOwnSession()}>
            Log out
          </Button>
        }
      >
        <ul className={classes.more}>
          {rest.map((item) => (
            <li key={item.key}>
              <Link to={item.path} activeProps={{}} onClick={() => setMoreOpen(false)}>
                <Icon name={item.icon} size={20} />
                {item.label}
              </Link>
            </li>
          ))}
        </ul>
        <div className={classes.who}>
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => {
              setMoreOpen(false)
              onAccount()
            }}
          >
            <Icon name="person" size={20} />
            <span>
              <Hidden>Account of </Hidden>
              {user.fullName}
              <small aria-hidden="true">{user.mode.name}</small>
            </span>
          </button>
          <ThemeButton />
        </div>
      </Dialog>
    </nav>
  )
}
