/** The frame of every page after sign-in: header, content, and the bottom bar of a narrow screen. */
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { roleFromName } from '@trunkline/contract/roles'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { useState, type ReactNode, type MouseEvent } from 'react'
import { AlarmStrip } from '../alarms/AlarmStrip.tsx'
import { later } from '../lib/later.ts'
import { useShortcut, areSingleKeysOn } from '../lib/shortcuts.ts'
import { storage } from '../lib/storage.ts'
import { endOwnSession } from '../session/session.actions.ts'
import { LaterDialog } from '../shared/page/Later.tsx'
import { LiveMark } from '../shared/page/LiveMark.tsx'
import { UtcClock } from '../shared/page/UtcClock.tsx'
import { Button, IconButton } from '../ui/button/Button.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Kbd } from '../ui/hint/Kbd.tsx'
import { Icon } from '../ui/symbol/Icon.tsx'
import { Mark } from '../ui/symbol/Mark.tsx'
import { BottomBar } from './BottomBar.tsx'
import { areas, areasFor, paths, type AreaKey } from './paths.ts'
import classes from './Shell.module.css'
import { TallyMark } from './TallyMark.tsx'
import { ThemeButton } from './ThemeButton.tsx'

const ACCOUNT_DIALOG = later(
  'account dialog',
  async () => (await import('../users/account/AccountDialog.tsx')).AccountDialog,
)

interface ShellProps {
  area: AreaKey | null
  user: SessionUser
  children: ReactNode
}

export function Shell({ area, user, children }: ShellProps) {
  const role = roleFromName(user.mode.name)
  const offered = areasFor(role)
  const [areKeysShown, setKeysShown] = useState(false)
  const [isAccountShown, setAccountShown] = useState(false)
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useShortcut('?', () => setKeysShown(true))
  return (
    <>
      {areas.map((area) => (
        <DigitKey
          key={area.key}
          digit={area.digit}
          path={offered.includes(area) ? area.path : null}
        />
      ))}
      <SkipLinks />
      <header className={classes.top}>
        <Link to="/" className={classes.brand} aria-label={`${PRODUCT_NAME}, to the dashboard`}>
          <Mark size={20} />
          {PRODUCT_NAME}
        </Link>
        <nav className={classes.tabs} aria-label="Main">
          {offered.map((item) => (
            <Link
              key={item.key}
              to={item.path}
              activeProps={INACTIVE}
              aria-current={item.key === area ? 'page' : undefined}
            >
              <span className={classes.digit} aria-hidden="true">
                {item.digit}
              </span>
              {item.label}
            </Link>
          ))}
        </nav>
        <div className={classes.right}>
          <TallyMark />
          <span className={classes.live}>
            <LiveMark />
          </span>
          <span className={classes.clock}>
            <UtcClock />
          </span>
          <span className={classes.separator} />
          <button
            type="button"
            className={classes.who}
            aria-haspopup="dialog"
            onClick={() => setAccountShown(true)}
          >
            <Icon name="person" size={14} />
            <span>
              <Hidden>Account of </Hidden>
              {user.fullName}
              <small aria-hidden="true">{user.mode.name}</small>
            </span>
          </button>
          <span className={classes.tools}>
            <ThemeButton />
            <IconButton
              icon="keyboard"
              label="Keys"
              tone="quiet"
              size={28}
              onClick={() => setKeysShown(true)}
            />
            <Button
              icon="out"
              tone="quiet"
              size={28}
              aria-label="Log out"
              onClick={() => void endOwnSession()}
            >
              <span className={classes.outWord}>Log out</span>
            </Button>
          </span>
        </div>
      </header>
      <AlarmStrip
        isHidden={pathname === paths.alarms}
        onAll={() => void navigate({ to: paths.alarms })}
      />
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <BottomBar
        area={area}
        offered={offered}
        user={user}
        onAccount={() => setAccountShown(true)}
      />
      <KeysDialog isOpen={areKeysShown} onClose={() => setKeysShown(false)} />
      {isAccountShown && (
        <LaterDialog
          part={ACCOUNT_DIALOG}
          props={{ user, onClose: () => setAccountShown(false) }}
        />
      )}
    </>
  )
}

/** Which tab is lit follows the area, not the spelling of the path (NAV-19). */
const INACTIVE = {}

function DigitKey({ digit, path }: { digit: number; path: string | null }) {
  const navigate = useNavigate()
  useShortcut(String(digit), () => {
    if (path !== null) void navigate({ to: path })
  })
  return null
}

const CONTENT = '#main'
/** A table or the cards of encoders: a landmark that takes the focus. */
const LIST = '#main [data-list]'

/** First on every page: past the tabs to its content, or past its search and filters to its list. */
function SkipLinks() {
  return (
    <>
      <a className={classes.skip} href={CONTENT}>
        Skip to content
      </a>
      <a className={classes.skip} href={CONTENT} onClick={focusList}>
        Skip to list
      </a>
    </>
  )
}

/** On a page without a list it is a link to the content. */
function focusList(event: MouseEvent): void {
  const list = document.querySelector<HTMLElement>(LIST)
  if (list === null) return
  event.preventDefault()
  list.focus()
}

const KEYS: readonly { keys: string; does: string }[] = [
  { keys: '1 to 7', does: 'Open a tab by its number' },
  { keys: '/', does: 'Search on this page' },
  { keys: 'j k', does: 'Next and previous row, or card on the dashboard' },
  { keys: 'n', does: 'Add, on Dashboard, Servers, Groups, Access, Encoders and Contributions' },
  {
    keys: 'space',
    does: 'Select a row of Contributions; with Shift all rows from the last selected row',
  },
  { keys: '← →', does: 'Close and open a row' },
  { keys: 'F2', does: 'Rename a row of Contributions' },
  { keys: 'a m', does: 'Acknowledge and mute the worst alarm, or the focused row of Alarms' },
  { keys: 'm f', does: 'Sound of a tile, full screen, on the wall; Shift ← → moves the tile' },
  { keys: 'r', does: 'Read this page again' },
  { keys: '?', does: 'Show this list' },
  { keys: 'Esc', does: 'Close a dialog, clear the search or the selection' },
]

/** The list of keys, and the switch that turns single keys off (WCAG 2.1.4). */
function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [areOn, setOn] = useState(areSingleKeysOn)
  return (
    <Dialog
      title="Keys"
      width={440}
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <Button
          size={36}
          data-autofocus
          aria-pressed={areOn}
          onClick={() => {
            storage.singleKeys.write(!areOn)
            setOn(!areOn)
          }}
        >
          {areOn ? 'Switch single keys off' : 'Switch single keys on'}
        </Button>
      }
    >
      <dl className={classes.keys}>
        {KEYS.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <Kbd>{keys}</Kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
