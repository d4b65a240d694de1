/** Which columns of a table somebody wants to see; its title and its buttons always stay. */
import { Menu } from '../../ui/button/Menu.tsx'
import { canHide, type Column } from '../../ui/table/Table.tsx'
import classes from './ColumnsMenu.module.css'

interface ColumnsMenuProps {
  /** Of the table: 'Encoders'. */
  label: string
  columns: readonly Column[]
  /** Headings. */
  hidden: readonly string[]
  /** Gets the headings that are hidden by then. */
  onHide: (change: (heads: string[]) => string[]) => void
}

export function ColumnsMenu({ label, columns, hidden, onHide }: ColumnsMenuProps) {
  const choices = columns.filter(canHide).map(({ head }) => {
    const isShown = !hidden.includes(head)
    return {
      label: head,
      icon: 'eye' as const,
      tone: 'plain' as const,
      isChecked: isShown,
      does: () =>
        onHide((heads) => {
          const others = heads.filter((other) => other !== head)
          return isShown ? [...others, head] : others
        }),
    }
  })
  const all = {
    label: 'Show all columns',
    icon: 'eye' as const,
    tone: 'plain' as const,
    does: () => onHide(() => []),
  }
  return (
    <div className={classes.place}>
      <Menu
        label={`Columns of ${label}`}
        caption="Columns"
        groups={[choices, hidden.length === 0 ? [] : [all]]}
        disabledReason={null}
      />
    </div>
  )
}
