/** The hops before an object, without the object itself: the screen has hops of its own for that. */
import { Hops } from './Hops.tsx'
import { UPSTREAM } from './path.messages.ts'
import type { LivePath } from './signal-path.hook.ts'
import classes from './SignalPath.module.css'

export function UpstreamHops({ path }: { path: LivePath }) {
  const before = [...path.hops.values()].filter(({ side }) => side === 'before')
  return (
    <div className={classes.upstream}>
      <Hops
        path={path}
        layout="column"
        hasFacts={false}
        keys={new Set(before.map(({ key }) => key))}
        label={UPSTREAM}
      />
    </div>
  )
}
