/** A few views of one thing, one of them pressed. */
import { LOCALE } from '../../lib/locale/language.ts'
import classes from './Segmented.module.css'

export interface Segment<T extends string> {
  value: T
  label: string
  /** A number beside the label; null while it is not known. */
  count: number | null
}

interface SegmentedProps<T extends string> {
  label: string
  segments: readonly Segment<T>[]
  value: T
  onChange: (value: T) => void
}

export function Segmented<T extends string>(props: SegmentedProps<T>) {
  return (
    <div className={classes.segmented} role="group" aria-label={props.label}>
      {props.segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          aria-pressed={segment.value === props.value}
          onClick={() => props.onChange(segment.value)}
        >
          {segment.label}
          {segment.count !== null && <b>{segment.count.toLocaleString(LOCALE)}</b>}
        </button>
      ))}
    </div>
  )
}
