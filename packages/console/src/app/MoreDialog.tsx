/** Under More on a narrow screen: the areas that have no place in the bar, the own account, signing out. */
import { Link } from '@tanstack/react-router'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { endOwnSession } from '../session/session.actions.ts'
import { Button } from '../ui/button/Button.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Icon } from '../ui/symbol/Icon.tsx'
import classes from './MoreDialog.module.css'
import type { Area } from './paths.ts'
import { ThemeButton } from './ThemeButton.tsx'

interface MoreDialogProps {
  areas: readonly Area[]
  user: SessionUser
  /** Opens the own account. */
  onAccount: () => void
  onClose: () => void
}

export function MoreDialog({ areas, user, onAccount, onClose }: MoreDialogProps) {
  return (
    <Dialog
      title="More"
      width={440}
      isOpen
      onClose={onClose}
      footer={
        <Button icon="out" size={36} onClick={() => void endOwnSession()}>
          Log out
        </Button>
      }
    >
      <ul className={classes.more}>
        {areas.map((item) => (
          <li key={item.key}>
            <Link to={item.path} activeProps={{}} onClick={onClose}>
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
            onClose()
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
  )
}
