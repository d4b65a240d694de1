/** 'Live updates stopped at 14:01:29. Retry, 4 s': shown while the stream of updates is broken. */
import { useBrowserNow } from '../../lib/clock.ts'
import { useConnection } from '../../lib/live/live-hooks.ts'
import { retryLive } from '../../lib/live/live-link.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Band } from '../../ui/notice/Notice.tsx'
import { clockTimeText } from '../format.ts'
import classes from './StaleBand.module.css'

/** A reconnect that takes a moment is not news. */
const SHOWN_AFTER_MS = 3000

export function StaleBand() {
  const connection = useConnection()
  const nowMs = useBrowserNow()
  if (connection.state !== 'retrying' || nowMs - connection.sinceBrowserMs < SHOWN_AFTER_MS) {
    return null
  }
  const waitSeconds = Math.max(0, Math.ceil((connection.retryAtMs - nowMs) / 1000))
  return (
    <div className={classes.place}>
      <Band
        family="blind"
        shape="diamond-question"
        action={
          <Button size={28} onClick={retryLive}>
            {waitSeconds === 0 ? 'Retry' : `Retry, ${waitSeconds} s`}
          </Button>
        }
      >
        Live updates stopped at {clockTimeText(connection.sinceMs)}.
      </Band>
    </div>
  )
}
