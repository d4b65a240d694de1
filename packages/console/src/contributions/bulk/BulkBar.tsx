/** The foot of a table while rows of it are selected: how many, and what can be done with them. */
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { Button } from '../../ui/button/Button.tsx'
import type { IconName } from '../../ui/symbol/Icon.tsx'
import { Kbd } from '../../ui/hint/Kbd.tsx'
import { selectedText } from '../contribution.messages.ts'
import classes from './BulkBar.module.css'
import { LOCALE } from '../../lib/locale/language.ts'

interface BulkBarProps {
  /** 'inputs'; of what the selection is. */
  of: string
  count: number
  /** '2 running, 1 disabled'; '' for nothing worth saying. */
  detail: string
  /** Selects more than the page; null where there is no more. */
  offer?: { label: string; isAsking: boolean; onClick: () => void } | null
  onClear: () => void
  children: ReactNode
}

export function BulkBar({ of, count, detail, offer, onClear, children }: BulkBarProps) {
  const bar = useFocusOnList()
  const keepFocus = useFocusAfterOffer(bar, Boolean(offer))
  return (
    <div ref={bar} role="group" aria-label={`Selected ${of}`} className={classes.bar} tabIndex={-1}>
      <p role="status" className={classes.count}>
        <b>{selectedText(count)}</b> {detail}
      </p>
      {offer && (
        <Button
          tone="quiet"
          size={28}
          disabledReason={offer.isAsking ? '' : null}
          onClick={() => {
            keepFocus()
            offer.onClick()
          }}
        >
          {offer.label}
        </Button>
      )}
      {children}
      <span className={classes.line} />
      <Button tone="quiet" size={28} onClick={onClear}>
        Clear <Kbd>Esc</Kbd>
      </Button>
    </div>
  )
}

/** The bar goes with the selection: the list takes the focus of its buttons, or the page that has none any more. */
function useFocusOnList(): RefObject<HTMLDivElement | null> {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (element?.contains(document.activeElement) !== true) return
      queueMicrotask(() => {
        const place = document.querySelector('#main [data-list]') ?? document.querySelector('#main')
        if (place instanceof HTMLElement) place.focus({ preventScroll: true })
      })
    }
  }, [])
  return bar
}

/** The offer goes when it was taken: the bar has the focus of its button then, before the first action. */
function useFocusAfterOffer(bar: RefObject<HTMLDivElement | null>, isOffered: boolean): () => void {
  const isTaken = useRef(false)
  useEffect(() => {
    if (isOffered || !isTaken.current) return
    isTaken.current = false
    if (document.activeElement === document.body) bar.current?.focus({ preventScroll: true })
  }, [bar, isOffered])
  return () => {
    isTaken.current = true
  }
}

interface BulkButtonProps {
  icon?: IconName
  label: string
  /** Of the selected ones that it is about; null where it is about all of them. */
  count: number | null
  /** Why it does nothing now; '' without a word, as while another action runs. */
  disabledReason: string | null
  isDanger?: boolean
  onClick: () => void
}

export function BulkButton(props: BulkButtonProps) {
  const { icon, label, count, disabledReason, isDanger = false, onClick } = props
  return (
    <Button
      size={28}
      icon={icon}
      className={isDanger ? classes.danger : undefined}
      disabledReason={disabledReason}
      onClick={onClick}
    >
      {label} {count !== null && <b className={classes.number}>{count.toLocaleString(LOCALE)}</b>}
    </Button>
  )
}

/** Between two kinds of actions. */
export function BulkLine() {
  return <span className={classes.line} />
}
