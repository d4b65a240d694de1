/** A state in a row of a table: how it is, and for how long where that matters. */
import { needsAttention, type StateView } from '@trunkline/contract/fleet/state-view.rules'
import { CellLine } from '../../ui/table/Table.tsx'
import { Age } from '../../shared/state/Age.tsx'
import classes from './StateCell.module.css'
import { StateChip } from '../../shared/state/StateChip.tsx'

export function StateCell({ view }: { view: StateView }) {
  const showsTime = needsAttention(view.family) || view.family === 'move'
  return (
    <CellLine className={classes.state} data-f={view.family} title={view.cause}>
      <StateChip view={view} />
      {showsTime && view.sinceMs !== null && (
        <span className={classes.since}>
          <Age sinceMs={view.sinceMs} />
        </span>
      )}
    </CellLine>
  )
}
