/** A framed part of an open row: the figures of a link, under a heading, in tables that scroll. */
import type { ReactNode } from 'react'
import classes from './FigurePanel.module.css'

export function FigurePanel({ label, children }: { label: string; children: ReactNode }) {
  return (
    // A group, not a region: several rows may be open, and landmarks must differ.
    <div className={classes.panel} role="group" aria-label={label}>
      {children}
    </div>
  )
}

/** The heading, and at the other end what belongs to it. */
export function FigureHead({ children }: { children: ReactNode }) {
  return <div className={classes.head}>{children}</div>
}

interface FigureTableProps {
  label: string
  /** Long lists scroll downwards too. */
  isTall?: boolean
  /** Rows of the table. */
  children: ReactNode
  /** Below the table. */
  note?: ReactNode
}

export function FigureTable({ label, isTall = false, children, note }: FigureTableProps) {
  return (
    <div
      className={classes.scroll}
      data-tall={isTall || undefined}
      role="region"
      aria-label={label}
      // Focusable, because a region that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <table aria-label={label}>{children}</table>
      {note}
    </div>
  )
}
