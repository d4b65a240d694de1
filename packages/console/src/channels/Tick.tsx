/** A tick whose label stands beside it. */
import { useMixed } from '../ui/mixed.hook.ts'
import classes from './Tick.module.css'

interface TickProps {
  id?: string
  isOn: boolean
  /** Some, but not all of what it stands for. */
  isMixed?: boolean
  isInert?: boolean
  /** Ids of what names and describes it, where its label says too much. */
  labelledBy?: string | undefined
  describedBy?: string | undefined
  onChange: (isOn: boolean) => void
}

export function Tick(props: TickProps) {
  const input = useMixed(props.isMixed ?? false)
  return (
    <input
      ref={input}
      id={props.id}
      type="checkbox"
      className={classes.tick}
      checked={props.isOn}
      disabled={props.isInert}
      aria-labelledby={props.labelledBy}
      aria-describedby={props.describedBy}
      onChange={(event) => props.onChange(event.target.checked)}
    />
  )
}
