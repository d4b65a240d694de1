/** The parts of a table in the house style; what stands in its cells is the feature's. */
import { createContext, useContext, type ComponentProps, type ReactNode, type Ref } from 'react'
import classes from './Table.module.css'

interface TableFrameProps {
  label: string
  /** Widths of the columns, narrow screens and all; a class of the feature's own. */
  className?: string | undefined
  tableRef?: Ref<HTMLTableElement> | undefined
  /** Of the whole list with its head, where only some of its rows are drawn. */
  rowCount?: number | undefined
  children: ReactNode
}

/** The row's place in the whole list, the head being 1; null where all rows are drawn. */
export const RowPlace = createContext<number | null>(null)

/** Scrolls inside its own frame, so that a narrow screen never scrolls sideways as a whole. */
export function TableFrame(props: TableFrameProps) {
  const { label, className, tableRef, rowCount, children } = props
  return (
    // Focusable, because a region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.frame} role="region" aria-label={label} tabIndex={0} data-list="">
      <table
        ref={tableRef}
        className={[classes.table, className].filter(Boolean).join(' ')}
        aria-label={label}
        aria-rowcount={rowCount}
      >
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
  /** In a table whose rows can be selected; undefined where they cannot. */
  isSelected?: boolean | undefined
}

export function Row({ family, isBusy = false, isSelected, className, ...rest }: RowProps) {
  const place = useContext(RowPlace)
  return (
    <tr
      aria-rowindex={place ?? undefined}
      {...rest}
      className={[classes.row, className].filter(Boolean).join(' ')}
      data-f={family}
      data-busy={isBusy || undefined}
      data-selected={isSelected || undefined}
      aria-selected={isSelected}
      aria-busy={isBusy || undefined}
    />
  )
}
