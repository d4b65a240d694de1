/** The frame of every page after sign-in: header, content, and the bottom bar of a narrow screen. */
import { Link, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { roleFromName } from '@trunkline/contract/roles'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { useEffect, useRef, useState, type ReactNode, type MouseEvent } from 'react'
import { AlarmStrip } from '../alarms/AlarmStrip.tsx'
import { later } from '../lib/later.ts'
import { JUMP_KEY, useHeldShortcuts, useShortcut, useTypedAhead } from '../lib/shortcuts.ts'
import { endOwnSession } from '../session/session.actions.ts'
import { LaterDialog } from '../shared/page/Later.tsx'
import { LiveMark } from '../shared/page/LiveMark.tsx'
import { PageClock } from '../shared/page/PageClock.tsx'
import { Button, IconButton } from '../ui/button/Button.tsx'
import { Kbd } from '../ui/hint/Kbd.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Icon } from '../ui/symbol/Icon.tsx'
import { Mark } from '../ui/symbol/Mark.tsx'
import { ACCOUNT_DIALOG } from '../users/account/account.loader.ts'
import { BottomBar } from './BottomBar.tsx'
import { areas, areasFor, paths, type AreaKey } from './paths.ts'
import classes from './Shell.module.css'
import { TallyMark } from './TallyMark.tsx'
import { ThemeButton } from './ThemeButton.tsx'

const DIALOGS = {
  account: ACCOUNT_DIALOG,
  keys: later('keys dialog', async () => (await import('./KeysDialog.tsx')).KeysDialog),
  palette: later(
    'command palette',
    async () => (await import('./palette/CommandPalette.tsx')).CommandPalette,
  ),
}

interface ShellProps {
  area: AreaKey | null
  user: SessionUser
  children: ReactNode
}

export function Shell({ area, user, children }: ShellProps) {
  const role = roleFromName(user.mode.name)
  const offered = areasFor(role)
  const [shown, setShown] = useState<keyof typeof DIALOGS | null>(null)
  const [dialogOf, setDialogOf] = useState<DialogOf | null>(null)
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const showAccount = () => setShown('account')
  const showKeys = () => setShown('keys')
  const showPalette = () => setShown('palette')
  useShortcut('?', showKeys)
  useShortcut(JUMP_KEY, showPalette)
  useHeldShortcuts(shown !== null || dialogOf !== null)
  useTypedAhead(shown === 'palette', () => setShown(null))
  useFocusOnNewPage()
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
          <span className={classes.brandWord}>{PRODUCT_NAME}</span>
        </Link>
        <Tabs area={area} offered={offered} />
        <div className={classes.right}>
          <Button
            icon="search"
            size={28}
            className={classes.jump}
            aria-label={`Jump to ${JUMP_KEY}`}
            aria-keyshortcuts="Control+K Meta+K"
            aria-haspopup="dialog"
            onClick={showPalette}
          >
            <span>
              Jump to <Kbd>{JUMP_KEY}</Kbd>
            </span>
          </Button>
          <TallyMark />
          <span className={classes.live}>
            <LiveMark />
          </span>
          <span className={classes.clock}>
            <PageClock />
          </span>
          <span className={classes.separator} />
          <button
            type="button"
            className={classes.who}
            aria-haspopup="dialog"
            onClick={showAccount}
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
            <IconButton icon="keyboard" label="Keys" tone="quiet" size={28} onClick={showKeys} />
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
      <BottomBar area={area} offered={offered} user={user} onAccount={showAccount} />
      {shown !== null && (
        <LaterDialog
          key={shown}
          part={DIALOGS[shown]}
          props={{
            user,
            onShow: setShown,
            onDialog: (next: DialogOf) => setDialogOf(() => next),
            onClose: () => setShown(null),
          }}
        />
      )}
      {dialogOf?.(() => setDialogOf(null))}
    </>
  )
}

/** What the palette opens over whatever page. */
type DialogOf = (onClose: () => void) => ReactNode

function Tabs({ area, offered }: { area: AreaKey | null; offered: typeof areas }) {
  const nav = useRef<HTMLElement>(null)
  // On a tablet they scroll.
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current]')
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [area])
  return (
    <nav ref={nav} className={classes.tabs} aria-label="Main">
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

/**
 * A link or a menu of a page goes with that page, and the focus with it: the content of the new page
 * gets it, so that Tab goes on there. A tab of the header keeps its focus.
 */
function useFocusOnNewPage(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, hrefChanged }) => {
        const isLost = document.activeElement === document.body
        if (fromLocation === undefined || !hrefChanged || !isLost) return
        document.querySelector<HTMLElement>(CONTENT)?.focus({ preventScroll: true })
      }),
    [router],
  )
}

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
