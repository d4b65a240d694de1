/** The last minutes of one number in a tile: zero based, a step without a reading is a gap. */
import classes from './StepLine.module.css'

interface StepLineProps {
  /** One for each step, oldest first; null for no reading. */
  values: readonly (number | null)[]
  /** Spoken: 'RTT of the last 5 minutes: 29 to 112 ms'. */
  label: string
  /** Readings of this kind are beyond their limit as soon as there are any. */
  isBad?: boolean
}

const WIDTH = 140
const HEIGHT = 25
/** design.md section 5: from zero to 1.3 times the highest. */
const ROOM_ABOVE = 1.3

export function StepLine({ values, label, isBad = false }: StepLineProps) {
  const highest = Math.max(0, ...values.map((value) => value ?? 0))
  const top = Math.max(1, highest * ROOM_ABOVE)
  const place = (value: number, index: number) => {
    const x = (WIDTH * index) / Math.max(1, values.length - 1)
    return `${x.toFixed(1)} ${(HEIGHT - 1 - ((HEIGHT - 3) * value) / top).toFixed(1)}`
  }
  return (
    <svg
      className={classes.steps}
      data-bad={(isBad && highest > 0) || undefined}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path className={classes.floor} d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
      <path className={classes.line} d={drawn(values, place)} />
    </svg>
  )
}

/** Never joined across a gap; a reading alone is a dot, which is a line without length. */
function drawn(
  values: readonly (number | null)[],
  place: (value: number, index: number) => string,
): string {
  return values
    .map((value, index) => {
      if (value === null) return ''
      const follows = index > 0 && values[index - 1] !== null
      return follows ? `L${place(value, index)}` : `M${place(value, index)}h0.01`
    })
    .join('')
}
