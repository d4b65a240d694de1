/** The parts of a table in our look; what stands in its cells is the feature's. */
import {
  createContext,
  useContext,
  type ComponentProps,
  type CSSProperties,
  type ReactNode,
  type Ref,
} from 'react'
import { Hidden } from '../Hidden.tsx'
import { Icon } from '../symbol/Icon.tsx'
import classes from './Table.module.css'

export interface Column {
  /** Verbatim heading. */
  head: string
  /** Spoken, not shown. */
  isHeadHidden?: boolean
  /** In place of the heading: a tick for all rows. */
  control?: ReactNode
  /** At the right end of the heading; shown, not spoken with each cell. */
  aside?: ReactNode
  /** In pixels; the second of two is for windows narrower than 1340. Without it: what is left. */
  width?: number | readonly [number, number]
  /** The heading of numbers ends where they end, that of buttons where the page ends. */
  align?: 'number' | 'buttons'
  /** The table can be sorted by it, under this name. */
  sort?: string
  /** The table stands in its order while it is sorted by nothing. */
  isOwnOrder?: boolean
  /** Whoever looks may not hide it: what names the row, and the first column. Controls and buttons stay anyway. */
  stays?: boolean
  /** Of the `col` and of the heading, where the above does not do. */
  className?: string | undefined
  headClassName?: string | undefined
}

interface TableFrameProps {
  label: string
  columns: readonly Column[]
  /** In pixels; a finger gets 48 at least. */
  rowHeight: number
  sorting?: Sorting | undefined
  /** Headings of columns that are not shown; a phone, which has no columns, shows them all. */
  hidden?: readonly string[] | undefined
  tableRef?: Ref<HTMLTableElement> | undefined
  /** Of the whole list with its head, where only some of its rows are drawn. */
  rowCount?: number | undefined
  /** Its bodies. */
  children: ReactNode
}

/** What a table is sorted by. */
export interface Sorting {
  /** 'title', '-title' for descending; '' for the table's own order. */
  sort: string
  onSort: (sort: string) => void
}

/** The row's place in the whole list, the head being 1; null where all rows are drawn. */
export const RowPlace = createContext<number | null>(null)

const HiddenColumns = createContext(0)

export function canHide({ isHeadHidden = false, stays = false, align }: Column): boolean {
  return !isHeadHidden && !stays && align !== 'buttons'
}

function isHidden(column: Column, hidden: readonly string[] = []): boolean {
  return canHide(column) && hidden.includes(column.head)
}

/** Of a column that takes what is left: its names can be told apart. */
const LEAST_WIDTH_PX = 180

function narrowOf({ width = LEAST_WIDTH_PX }: Column): number {
  return typeof width === 'number' ? width : width[1]
}

/** Scrolls inside its own frame, so that a narrow screen never scrolls sideways as a whole. */
export function TableFrame(props: TableFrameProps) {
  const { label, columns, rowHeight, sorting, tableRef, rowCount, children } = props
  const hidden = columns.filter((column) => isHidden(column, props.hidden))
  const shown = columns.filter((column) => !hidden.includes(column))
  // A narrower window scrolls the table, a phone lays out its rows (Table.module.css).
  const minWidth = shown.reduce((sum, column) => sum + narrowOf(column), 0)
  return (
    // Focusable, because a region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.frame} role="region" aria-label={label} tabIndex={0} data-list="">
      <table
        ref={tableRef}
        className={classes.table}
        style={pixels({ '--min-width': minWidth, '--row-height': rowHeight })}
        aria-label={label}
        aria-rowcount={rowCount}
        data-hidden={hidden.map((column) => columns.indexOf(column) + 1).join(' ') || undefined}
      >
        <colgroup>
          {columns.map((column) => (
            <col
              key={column.head}
              className={column.className ?? classes.column}
              style={widthOf(column)}
            />
          ))}
        </colgroup>
        <thead>
          <tr className={classes.heads}>
            {columns.map((column) => (
              <HeadCell key={column.head} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <HiddenColumns value={hidden.length}>{children}</HiddenColumns>
      </table>
    </div>
  )
}

/** Our styles read these; the element's own style could not differ by the window's width. */
function pixels(sizes: Readonly<Record<`--${string}`, number>>): CSSProperties {
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, `${size}px`]))
}

function widthOf({ width }: Column): CSSProperties | undefined {
  if (width === undefined) return undefined
  const [wide, narrow] = typeof width === 'number' ? [width, width] : width
  return pixels({ '--wide': wide, '--narrow': narrow })
}

function HeadCell({ column, sorting }: { column: Column; sorting: Sorting | undefined }) {
  const { head, isHeadHidden = false, control, aside, align, headClassName } = column
  const order = sorting === undefined ? undefined : orderOf(column, sorting.sort)
  return (
    <th
      scope="col"
      className={[classes.head, headClassName].filter(Boolean).join(' ')}
      aria-sort={order}
      data-align={align}
      data-control={control !== undefined || undefined}
    >
      {isHeadHidden ? <Hidden>{head}</Hidden> : <HeadText column={column} sorting={sorting} />}
      {control}
      {aside !== undefined && (
        <span className={classes.aside} aria-hidden="true">
          {aside}
        </span>
      )}
    </th>
  )
}

/** A heading of a plain table: of one in a dialog, whose cells have their own style. */
export function PlainHead({ column, sorting }: { column: Column; sorting: Sorting }) {
  return (
    <th scope="col" aria-sort={orderOf(column, sorting.sort)}>
      <HeadText column={column} sorting={sorting} />
    </th>
  )
}

function HeadText({ column, sorting }: { column: Column; sorting: Sorting | undefined }) {
  const order = sorting === undefined ? undefined : orderOf(column, sorting.sort)
  if (order === undefined) return column.head
  return (
    <button
      type="button"
      className={classes.sort}
      onClick={() => sorting?.onSort(nextSort(column, order))}
    >
      {column.head}
      {order !== 'none' && <Icon name={order === 'ascending' ? 'up' : 'down'} size={12} />}
    </button>
  )
}

type ColumnOrder = 'ascending' | 'descending' | 'none'

/** Undefined for a column that the table cannot be sorted by. */
function orderOf({ sort, isOwnOrder = false }: Column, present: string): ColumnOrder | undefined {
  if (sort === undefined) return undefined
  if (present === `-${sort}`) return 'descending'
  return present === sort || (present === '' && isOwnOrder) ? 'ascending' : 'none'
}

/** Ascending, descending, and the table's own order again. */
function nextSort({ sort = '', isOwnOrder = false }: Column, present: ColumnOrder): string {
  if (present === 'ascending') return `-${sort}`
  return present === 'descending' || isOwnOrder ? '' : sort
}

interface RowProps extends ComponentProps<'tr'> {
  /** Trouble tints the row and gives it an edge. */
  family?: string | undefined
  /** An action of this row is under way: the blue line. */
  isBusy?: boolean | undefined
  /** In a table whose rows can be selected; undefined where they cannot. */
  isSelected?: boolean | undefined
  /** A DetailRow follows. */
  isOpen?: boolean | undefined
}

export function Row(props: RowProps) {
  const { family, isBusy = false, isSelected, isOpen = false, className, ...rest } = props
  const place = useContext(RowPlace)
  return (
    <tr
      aria-rowindex={place ?? undefined}
      {...rest}
      className={[classes.row, className].filter(Boolean).join(' ')}
      data-f={family}
      data-busy={isBusy || undefined}
      data-selected={isSelected || undefined}
      data-open={isOpen || undefined}
      aria-selected={isSelected}
      aria-busy={isBusy || undefined}
    />
  )
}

interface DetailRowProps {
  id?: string
  columns: number
  family?: string | undefined
  children: ReactNode
}

/** What a row opens to, over all its columns. */
export function DetailRow({ id, columns, family, children }: DetailRowProps) {
  const hidden = useContext(HiddenColumns)
  return (
    <tr className={classes.detail} data-f={family}>
      <td colSpan={columns - hidden} id={id}>
        {children}
      </td>
    </tr>
  )
}

/** A cell before all others that holds a control: a tick, an expander. */
export function ControlCell(props: ComponentProps<'td'>) {
  return <td data-phone="lead" {...props} className={classes.control} />
}

/** The last cell: the buttons of a row, always in sight. */
export function ButtonsCell({ children, ...rest }: ComponentProps<'td'>) {
  return (
    <td data-phone="end" {...rest} className={classes.actions}>
      <div className={classes.buttons}>{children}</div>
    </td>
  )
}

/** Several things on the line of a cell; the first gives way. */
export function CellLine({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={[classes.line, className].filter(Boolean).join(' ')} />
}

/** The name of a row's object; a click opens it. */
export function NameButton(props: ComponentProps<'button'>) {
  return <button type="button" {...props} className={classes.name} />
}
