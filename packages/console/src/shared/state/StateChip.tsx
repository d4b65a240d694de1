/** A state as shape, word and cause; the same everywhere, so that it is learned once. */
import type { StateView } from '@trunkline/contract/fleet/state-view.rules'
import { Shape } from '../../ui/symbol/Shape.tsx'
import classes from './StateChip.module.css'

export function StateChip({ view }: { view: StateView }) {
  return (
    <span className={classes.chip} data-f={view.family}>
      <Shape shape={view.shape} family={view.family} />
      <span className={classes.word}>{view.word}</span>
      {view.cause !== '' && <span className={classes.cause}>{view.cause}</span>}
    </span>
  )
}
