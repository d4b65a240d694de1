/** How many things need somebody, of all that this operator may see; one green word when none does. */
import type { Family, Shape as ShapeName } from '@trunkline/contract/fleet/state-view.rules'
import { useIsCurrent } from '../lib/live-hooks.ts'
import { useFleetTally } from './tally.hook.ts'
import { Shape } from '../ui/symbol/Shape.tsx'
import classes from './TallyMark.module.css'

const MARKS: readonly { family: 'bad' | 'warn' | 'blind'; shape: ShapeName; word: string }[] = [
  { family: 'bad', shape: 'octagon', word: 'critical' },
  { family: 'warn', shape: 'triangle', word: 'warning' },
  { family: 'blind', shape: 'diamond-x', word: 'unreachable' },
]

interface MarkProps {
  family: Family
  shape: ShapeName
  text: string
  spoken: string
}

const ALL_WELL: MarkProps = { family: 'ok', shape: 'disc', text: 'All well', spoken: '' }
const NOT_CURRENT: MarkProps = {
  family: 'blind',
  shape: 'diamond-question',
  text: 'Not current',
  spoken: '',
}

export function TallyMark() {
  const tally = useFleetTally()
  const isCurrent = useIsCurrent()
  if (tally === null) return null
  const found = MARKS.filter(({ family }) => tally[family] > 0)
  return (
    <div className={classes.tally} role="status">
      {found.length === 0 && (isCurrent ? <Mark {...ALL_WELL} /> : <Mark {...NOT_CURRENT} />)}
      {found.map(({ family, shape, word }) => (
        <Mark
          key={family}
          family={family}
          shape={shape}
          text={String(tally[family])}
          spoken={` ${word}`}
        />
      ))}
    </div>
  )
}

function Mark(props: MarkProps) {
  return (
    <span data-f={props.family}>
      <Shape shape={props.shape} family={props.family} size={13} />
      {props.text}
      <i className={classes.spoken}>{props.spoken}</i>
    </span>
  )
}
