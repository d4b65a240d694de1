/** The bandwidth since the detail was opened, at most its last five minutes. */
import type { Family } from '@trunkline/contract/fleet/state-view.rules'
import { useState } from 'react'
import { useBrowserNow } from '../lib/clock.ts'
import { SAMPLE_EVERY_MS, SAMPLES_KEPT, type Sample } from '../lib/live-store.ts'
import { Sparkline } from '../shared/Sparkline.tsx'
import classes from './ChannelPanels.module.css'

interface BandwidthProps {
  kbps: number | null
  /** Of the reading, this browser's clock. */
  cameAtMs: number | null
}

export function Bandwidth({ kbps, cameAtMs }: BandwidthProps) {
  const nowMs = useBrowserNow()
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const lastMs = samples.at(-1)?.atMs ?? 0
  if (cameAtMs !== null && cameAtMs - lastMs >= SAMPLE_EVERY_MS) {
    setSamples([...samples, { atMs: cameAtMs, kbps }].slice(-SAMPLES_KEPT))
  }
  // One point is no line.
  if (samples.length < 2) return null
  return (
    <span className={classes.line}>
      <Sparkline samples={samples} nowMs={nowMs} targetKbps={null} family={familyOf(kbps)} />
    </span>
  )
}

/** Nothing comes in is trouble; not known is not called well. */
function familyOf(kbps: number | null): Family {
  if (kbps === null) return 'off'
  return kbps === 0 ? 'bad' : 'ok'
}
