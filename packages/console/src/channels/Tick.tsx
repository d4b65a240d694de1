/** A tick whose label stands beside it. */
import { useEffect, useRef } from 'react'
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
  const { isMixed = false } = props
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // There is no attribute for it.
    if (input.current !== null) input.current.indeterminate = isMixed
  }, [isMixed])
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
