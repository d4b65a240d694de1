/** In the form of a new host: that it is enrolled next, so that its key need not be typed. */
import { Tick } from '../../ui/choice/Checkbox.tsx'
import { Help } from '../../ui/field/Field.tsx'
import fieldRow from '../../ui/field/FieldRow.module.css'

interface EnrolsTickProps {
  enrols: boolean
  label: string
  /** What follows from the tick. */
  hint: string
  onChange: (enrols: boolean) => void
}

export function EnrolsTick({ enrols, label, hint, onChange }: EnrolsTickProps) {
  return (
    <div>
      <label className={fieldRow.choice}>
        {/* First, so that the title is not found empty for having been left for it. */}
        <Tick data-autofocus checked={enrols} onChange={onChange} />
        {label}
      </label>
      {enrols && <Help error="" hint={hint} />}
    </div>
  )
}
