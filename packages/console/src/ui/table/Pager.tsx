/** Rows per page, which rows these are, back and forward. Pages are counted from 0. */
import { useShortcut } from '../../lib/shortcuts.ts'
import { IconButton } from '../button/Button.tsx'
import classes from './Pager.module.css'
import { Select } from '../choice/Select.tsx'
import { LOCALE } from '../../lib/locale/language.ts'

interface PagerProps {
  page: number
  rowsPerPage: number
  /** 0 stands for all. */
  sizes: readonly number[]
  total: number
  onPage: (page: number) => void
  onRowsPerPage: (rows: number) => void
}

export function Pager({ page, rowsPerPage, sizes, total, onPage, onRowsPerPage }: PagerProps) {
  const pages = rowsPerPage === 0 ? 1 : Math.max(1, Math.ceil(total / rowsPerPage))
  const first = total === 0 ? 0 : page * rowsPerPage + 1
  const last = rowsPerPage === 0 ? total : Math.min(total, (page + 1) * rowsPerPage)
  const turn = (to: number) => {
    if (to >= 0 && to < pages) onPage(to)
  }
  useShortcut('[', () => turn(page - 1))
  useShortcut(']', () => turn(page + 1))
  return (
    <nav className={classes.pager} aria-label="Pages">
      <span aria-hidden="true">Rows per page</span>
      <Select
        label="Rows per page"
        size={28}
        choices={sizes.map((size) => ({ value: size, label: size === 0 ? 'All' : String(size) }))}
        value={rowsPerPage}
        onChange={onRowsPerPage}
      />
      <span>
        {first.toLocaleString(LOCALE)}–{last.toLocaleString(LOCALE)} of{' '}
        {total.toLocaleString(LOCALE)}
      </span>
      <IconButton
        icon="left"
        size={28}
        label="Previous page"
        disabledReason={page === 0 ? 'This is the first page.' : null}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        icon="right"
        size={28}
        label="Next page"
        disabledReason={page >= pages - 1 ? 'This is the last page.' : null}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  )
}
