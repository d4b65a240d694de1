/** How long a channel has been in trouble, or starting; nothing while it is well, or when nobody knows. */
import type { StateView } from '@trunkline/contract/fleet/state-view.rules'
import { Age } from '../shared/state/Age.tsx'
import classes from './StateSince.module.css'

export function StateSince({ view }: { view: StateView }) {
  if (view.sinceMs === null || view.family === 'ok' || view.family === 'off') return null
  return (
    <span className={classes.since} data-f={view.family}>
      for <Age sinceMs={view.sinceMs} />
    </span>
  )
}
