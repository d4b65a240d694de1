import { useApiNow } from '../../lib/live/live-hooks.ts'
import { localTimeText, utcTimeText } from '../format.ts'
import classes from './UtcClock.module.css'

/** The API's clock in UTC; the browser's own time on hover. */
export function UtcClock() {
  const nowMs = useApiNow()
  return (
    <time className={classes.clock} title={`${localTimeText(nowMs)} here`}>
      {utcTimeText(nowMs)}
      <i>UTC</i>
    </time>
  )
}
