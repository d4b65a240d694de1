/** A path with the sentence about it. */
import { Shape } from '../ui/symbol/Shape.tsx'
import { Hops } from './Hops.tsx'
import { ALONE, PATH, PATH_CUT } from './path.messages.ts'
import type { LivePath } from './signal-path.hook.ts'
import classes from './SignalPath.module.css'

interface SignalPathViewProps {
  path: LivePath
  /** column: one below the other, as in a narrow detail; row: side by side where there is room. */
  layout: 'column' | 'row'
}

export function SignalPathView({ path, layout }: SignalPathViewProps) {
  const { verdict, hops, isCut } = path
  return (
    <div>
      <p className={classes.verdict} data-f={verdict.family} role="status">
        <Shape shape={verdict.shape} family={verdict.family} size={14} />
        {verdict.text}
      </p>
      <Hops path={path} layout={layout} hasFacts keys={null} label={PATH} />
      {hops.size === 1 && <p className={classes.note}>{ALONE}</p>}
      {isCut && <p className={classes.note}>{PATH_CUT}</p>}
    </div>
  )
}
