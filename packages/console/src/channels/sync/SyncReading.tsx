/** While the media server is asked: a long list comes page by page, and a slow server takes its time. */
import { useState } from 'react'
import { useBrowserNow } from '../../lib/clock.ts'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { readingText } from '../channel.messages.ts'
import classes from './SyncStreams.module.css'

const ROWS = 5
const ROW_HEIGHT = 52

export function SyncReading({ server }: { server: string }) {
  const nowMs = useBrowserNow()
  const [sinceMs] = useState(nowMs)
  const seconds = Math.max(0, Math.round((nowMs - sinceMs) / 1000))
  return (
    <>
      <p className={classes.reading} role="status">
        {readingText(server, seconds)}
      </p>
      <Skeleton kind="row" count={ROWS} height={ROW_HEIGHT} />
    </>
  )
}
