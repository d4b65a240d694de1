/** The tick of a row. It takes the row's focus: space ticks, right and left open and close, F2 renames. */
import { ROW_FOCUS } from '../../lib/row-keys.ts'
import { Checkbox } from '../../ui/choice/Checkbox.tsx'
import { ControlCell } from '../../ui/table/Table.tsx'

interface SelectCellProps {
  title: string
  isSelected: boolean
  onSelect: (isOn: boolean, isRange: boolean) => void
  onRename: () => void
  /** Of a row that opens. */
  onOpen?: (isOpen: boolean) => void
  /** Where it stands on a phone: see ui/table/Table.tsx. */
  phone?: 'lead' | '1-lead'
}

export function SelectCell(props: SelectCellProps) {
  const { title, isSelected, onSelect, onRename, onOpen, phone = 'lead' } = props
  return (
    <ControlCell data-phone={phone}>
      <Checkbox
        {...ROW_FOCUS}
        label={`Select ${title}`}
        aria-keyshortcuts="F2"
        checked={isSelected}
        onChange={onSelect}
        onKeyDown={(event) => {
          if (event.key === 'F2') onRename()
          if (event.key === 'ArrowRight') onOpen?.(true)
          if (event.key === 'ArrowLeft') onOpen?.(false)
        }}
      />
    </ControlCell>
  )
}
