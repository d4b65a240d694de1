/** Opens and closes a row of a table, by click and by the arrows: the row's first cell holds it. */
import { ROW_FOCUS } from '../../lib/row-keys.ts'
import { IconButton } from '../../ui/button/Button.tsx'

interface RowExpanderProps {
  /** What it opens, in words. */
  of: string
  isOpen: boolean
  /** Of the opened part, which is there only while it is open. */
  detailId: string
  onChange: (isOpen: boolean) => void
  /** False where another control of the row takes its focus. */
  hasRowFocus?: boolean
}

export function RowExpander(props: RowExpanderProps) {
  const { of, isOpen, detailId, onChange, hasRowFocus = true } = props
  return (
    <IconButton
      {...(hasRowFocus ? ROW_FOCUS : {})}
      icon={isOpen ? 'down' : 'right'}
      label={`${isOpen ? 'Collapse' : 'Expand'} ${of}`}
      tone="quiet"
      size={28}
      aria-expanded={isOpen}
      aria-keyshortcuts="ArrowLeft ArrowRight"
      aria-controls={isOpen ? detailId : undefined}
      onClick={() => onChange(!isOpen)}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') onChange(true)
        if (event.key === 'ArrowLeft') onChange(false)
      }}
    />
  )
}
