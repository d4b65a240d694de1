/** The corner where short notices stand. The region is always there, so that readers announce into it. */
import type { Family, Shape as ShapeName } from '@trunkline/contract/fleet/state-view.rules'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../button/Button.tsx'
import { Shape } from '../symbol/Shape.tsx'
import { LateAnswer } from './LateAnswer.tsx'
import classes from './Toasts.module.css'

export interface ToastView {
  id: number
  family: Family
  shape: ShapeName
  title: string
  detail: string
  /** Failures interrupt a reader, successes wait for their turn. */
  isUrgent: boolean
  lastsMs: number
  /** In place of the cross; each closes the notice. A line shows how long it stays. */
  actions: readonly { label: string; does: () => void }[]
}

interface ToastsProps {
  toasts: readonly ToastView[]
  onClose: (id: number) => void
}

export function Toasts({ toasts, onClose }: ToastsProps) {
  const before = useRef<HTMLElement>(null)
  const listOf = (some: readonly ToastView[]) =>
    some.map((toast) => (
      <ToastCard key={toast.id} toast={toast} before={before} onClose={onClose} />
    ))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only notes where the focus came from
    <section
      className={classes.corner}
      aria-label="Notices"
      onFocus={({ currentTarget, relatedTarget }) => {
        if (currentTarget.contains(relatedTarget)) return
        before.current = relatedTarget instanceof HTMLElement ? relatedTarget : null
      }}
    >
      <LateAnswer />
      <div role="alert">{listOf(toasts.filter((toast) => toast.isUrgent))}</div>
      <div role="status">{listOf(toasts.filter((toast) => !toast.isUrgent))}</div>
    </section>
  )
}

interface ToastCardProps {
  toast: ToastView
  /** What had the focus before it went to the notices. */
  before: RefObject<HTMLElement | null>
  onClose: (id: number) => void
}

function ToastCard({ toast, before, onClose }: ToastCardProps) {
  const card = useFocusBack(before)
  const [isHeld, setHeld] = useState(false)
  const leftMs = useRef(toast.lastsMs)
  useEffect(() => {
    if (isHeld) return
    const startedAt = performance.now()
    const timer = setTimeout(() => onClose(toast.id), leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current -= performance.now() - startedAt
    }
  }, [isHeld, onClose, toast.id])
  return (
    <div
      ref={card}
      className={classes.toast}
      data-f={toast.family}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={classes.shape}>
        <Shape shape={toast.shape} family={toast.family} size={16} />
      </span>
      <p>
        {/* Some texts end in a space on purpose: it is kept. */}
        <span className={classes.title}>{toast.title}</span>
        {toast.detail !== '' && <small>{toast.detail}</small>}
      </p>
      {toast.actions.length === 0 ? (
        <IconButton
          icon="close"
          label="Close notice"
          tone="quiet"
          size={28}
          onClick={() => onClose(toast.id)}
        />
      ) : (
        <Offer toast={toast} isHeld={isHeld} onClose={onClose} />
      )}
    </div>
  )
}

/** A notice that goes with the focus gives it back: what is pressed next is not lost. */
function useFocusBack(before: RefObject<HTMLElement | null>) {
  const card = useRef<HTMLDivElement>(null)
  const giveBack = useEffectEvent(() => before.current?.focus())
  useLayoutEffect(() => {
    const shown = card.current
    return () => {
      if (shown?.contains(document.activeElement) === true) giveBack()
    }
  }, [])
  return card
}

interface OfferProps {
  toast: ToastView
  isHeld: boolean
  onClose: (id: number) => void
}

function Offer({ toast, isHeld, onClose }: OfferProps) {
  return (
    <>
      <span className={classes.actions}>
        {toast.actions.map(({ label, does }) => (
          <Button
            key={label}
            size={28}
            onClick={() => {
              onClose(toast.id)
              does()
            }}
          >
            {label}
          </Button>
        ))}
      </span>
      <span
        className={classes.left}
        data-held={isHeld || undefined}
        style={{ animationDuration: `${toast.lastsMs}ms` }}
        aria-hidden="true"
      />
    </>
  )
}
