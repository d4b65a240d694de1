/** The bandwidth of the last five minutes: what the API kept, then what came since the detail was opened. */
import { useQuery } from '@tanstack/react-query'
import type { LinkPoint } from '@trunkline/contract/contributions/history.calls'
import type { Family } from '@trunkline/contract/fleet/state-view.rules'
import { useState } from 'react'
import { useBrowserNow } from '../../lib/clock.ts'
import { apiNowMs, SAMPLE_EVERY_MS, SAMPLES_KEPT, type Sample } from '../../lib/live-store.ts'
import { recentChannelQuery } from '../../programs/history/link-history.queries.ts'
import { mergedSamples } from '../../programs/history/link-history.rules.ts'
import { Sparkline } from '../../programs/tiles/Sparkline.tsx'
import classes from './ChannelPanels.module.css'

interface BandwidthProps {
  channelId: string
  kbps: number | null
  /** Of the reading, this browser's clock. */
  cameAtMs: number | null
}

export function Bandwidth({ channelId, kbps, cameAtMs }: BandwidthProps) {
  const nowMs = useBrowserNow()
  const { data: kept = NO_POINTS } = useQuery(recentChannelQuery(channelId))
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const lastMs = samples.at(-1)?.atMs ?? 0
  if (cameAtMs !== null && cameAtMs - lastMs >= SAMPLE_EVERY_MS) {
    setSamples([...samples, { atMs: cameAtMs, kbps }].slice(-SAMPLES_KEPT))
  }
  const shown = [...before(kept, samples), ...samples]
  // One point is no line.
  if (shown.length < 2) return null
  return (
    <span className={classes.line}>
      <Sparkline samples={shown} nowMs={nowMs} targetKbps={null} family={familyOf(kbps)} />
    </span>
  )
}

const NO_POINTS: readonly LinkPoint[] = []

/** By this browser's clock, as what it has seen itself. */
function before(kept: readonly LinkPoint[], seen: readonly Sample[]): readonly Sample[] {
  const offsetMs = apiNowMs() - Date.now()
  const untilMs = seen[0]?.atMs ?? Infinity
  return mergedSamples(kept, [])
    .map(({ atMs, kbps }) => ({ atMs: atMs - offsetMs, kbps }))
    .filter(({ atMs }) => atMs < untilMs)
}

/** Nothing comes in is trouble; not known is not called well. */
function familyOf(kbps: number | null): Family {
  if (kbps === null) return 'off'
  return kbps === 0 ? 'bad' : 'ok'
}
