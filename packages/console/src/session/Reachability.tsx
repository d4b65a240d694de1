/** 'Console server reachable, checked 2 s ago', by asking it. */
import { useQuery } from '@tanstack/react-query'
import { useBrowserNow } from '../lib/clock.ts'
import { Shape } from '../ui/symbol/Shape.tsx'
import classes from './Reachability.module.css'
import { healthQuery } from './session.queries.ts'

export function Reachability() {
  const { isSuccess, isError, dataUpdatedAt, errorUpdatedAt } = useQuery(healthQuery())
  const nowMs = useBrowserNow()
  const agoSeconds = Math.max(
    0,
    Math.floor((nowMs - Math.max(dataUpdatedAt, errorUpdatedAt)) / 1000),
  )
  if (isError) {
    return (
      <span className={classes.mark} role="status">
        <Shape shape="octagon" family="bad" size={14} />
        Console server not reachable
      </span>
    )
  }
  if (!isSuccess) {
    return (
      <span className={classes.mark}>
        <Shape shape="arc" family="move" size={12} />
        Asking the console server
      </span>
    )
  }
  return (
    <span className={classes.mark}>
      <Shape shape="disc" family="ok" size={12} />
      Console server reachable, checked {agoSeconds} s ago
    </span>
  )
}
