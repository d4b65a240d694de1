/** How loud a channel's newest segment is, left and right: heard or not can be seen without listening. */
import type { AudioLevel } from '@trunkline/contract/channels/stream.schema'
import type { CSSProperties } from 'react'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { agoText } from '../../shared/format.ts'
import {
  isClipping,
  levelText,
  SCALE_FLOOR_DBFS,
  SIDES,
  widthPercent,
} from './audio-meter.rules.ts'
import classes from './AudioMeter.module.css'

export function AudioMeter({ level }: { level: AudioLevel }) {
  const nowMs = useApiNow()
  const age = agoText(Math.max(0, nowMs - level.at))
  return (
    <div className={classes.meters} title={`Peak of the newest segment, ${age}`}>
      {level.peak_dbfs.slice(0, SIDES.length).map((dbfs, at) => (
        <div key={SIDES[at]} className={classes.meter} data-clips={isClipping(dbfs) || undefined}>
          <span aria-hidden="true">{SIDES[at]?.charAt(0).toUpperCase()}</span>
          <div
            className={classes.track}
            role="meter"
            aria-label={`Audio peak ${SIDES[at]}`}
            aria-valuemin={SCALE_FLOOR_DBFS}
            aria-valuemax={0}
            aria-valuenow={Math.max(SCALE_FLOOR_DBFS, dbfs)}
            aria-valuetext={levelText(dbfs)}
          >
            <i style={{ '--share': `${widthPercent(dbfs)}%` } as CSSProperties} />
          </div>
          <span className={classes.text} aria-hidden="true">
            {levelText(dbfs)}
          </span>
        </div>
      ))}
    </div>
  )
}
