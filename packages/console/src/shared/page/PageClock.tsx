import { CLOCK_WORD, clockIsoOf, TIMES } from '../../lib/locale/time-zone.ts'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { clockTimeText } from '../format.ts'
import classes from './PageClock.module.css'

/** The API's clock, in UTC or as this browser's; the other of the two on hover. */
export function PageClock() {
  const nowMs = useApiNow()
  const other = clockIsoOf(TIMES === 'utc' ? 'local' : 'utc', nowMs).slice(11, 19)
  return (
    <time className={classes.clock} title={TIMES === 'utc' ? `${other} here` : `${other} UTC`}>
      {clockTimeText(nowMs)}
      <i>{CLOCK_WORD}</i>
    </time>
  )
}
