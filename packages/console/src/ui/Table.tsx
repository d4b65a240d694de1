/** The parts of a table in the house style; what stands in its cells is the feature's. */
import type { ComponentProps, ReactNode } from 'react'
import classes from './Table.module.css'

interface TableFrameProps {
  label: string
  /** Widths of the columns, narrow screens and all; a class of the feature's own. */
  className?: string | undefined
  children: ReactNode
}

/** Scrolls inside its own frame, so that a narrow screen never scrolls sideways as a whole. */
export function TableFrame({ label, className, children }: TableFrameProps) {
  return (
    // Focusable, because a region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.frame} role="region" aria-label={label} tabIndex={0}>
      <table className={[classes.table, className].filter(Boolean).join(' ')} aria-label={label}>
        {children}
      </table>
    </div>
  )
}

export function HeadCell({ children, className, ...rest }: ComponentProps<'th'>) {
  return (
    <th scope="col" {...rest} className={[classes.head, className].filter(Boolean).join(' ')}>
      {children}
    </th>
  )
}

interface RowProps extends ComponentProps<'tr'> {
  /** Trouble tints the row and gives it an edge. */
  family?: string | undefined
  /** An action of this row is under way: the blue line. */
  isBusy?: boolean | undefined
}

export function Row({ family, isBusy = false, className, ...rest }: RowProps) {
  return (
    <tr
      {...rest}
      className={[classes.row, className].filter(Boolean).join(' ')}
      data-f={family}
      data-busy={isBusy || undefined}
      aria-busy={isBusy || undefined}
    />
  )
}
