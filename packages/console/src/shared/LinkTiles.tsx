/** What a feeder, input or output measures now, as tiles. */
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { type ReactNode, useState } from 'react'

import { fineText, numberText, UNKNOWN } from './format.ts'
import { countsBetween, lostPerMinute, savedPercent, withReading } from './link-counts.rules.ts'
import { useLinkSamples } from './link-samples.hook.ts'
import type { LinkView } from './link-view.hook.ts'
import classes from './LinkTiles.module.css'
import { Sparkline } from './Sparkline.tsx'
import { StepLine } from './StepLine.tsx'
import { useTileLines } from './tile-lines.hook.ts'

interface LinkTilesProps {
  kind: 'feeder' | 'input' | 'output'
  id: string
  latencyMs: number
  /** False for a link that is never measured. */
  hasHistory: boolean
  shown: LinkView
}

/** Bitrate with its last five minutes, round trip, and what was resent or lost. */
export function LinkTiles({ kind, id, latencyMs, hasHistory, shown }: LinkTilesProps) {
  const { reading, nowMs, view } = shown
  const samples = useLinkSamples(kind, id)
  const lines = useTileLines(kind, id, hasHistory)
  const values = samples.flatMap((sample) => (sample.kbps === null ? [] : [sample.kbps]))
  const recent = useRecent(reading)
  const first = recent[0]
  const minute = reading && first && first !== reading ? countsBetween(first, reading) : null
  const whole = reading && {
    packets: reading.packets,
    lost: reading.lostPackets,
    dropped: reading.droppedPackets,
  }
  const perMinute = minute === null ? null : lostPerMinute(minute)
  const saved = savedPercent(minute ?? whole ?? NO_PACKETS)
  return (
    <>
      <Tile
        name={kind === 'input' ? 'Received' : 'Sent'}
        value={numberText(reading?.bitrateKbps ?? null)}
        unit="kbps"
        note={
          values.length === 0
            ? 'no reading in the last 5 min'
            : `min ${numberText(Math.min(...values))}, max ${numberText(Math.max(...values))}`
        }
      >
        <Sparkline samples={samples} nowMs={nowMs} targetKbps={null} family={view.family} />
      </Tile>
      <Tile
        name="RTT"
        value={fineText(reading?.rttMs ?? null)}
        unit="ms"
        note={`latency set to ${numberText(latencyMs)} ms`}
      >
        {lines && <StepLine {...lines.roundTrip} />}
      </Tile>
      <Tile
        name="Saved by resend"
        value={saved === null ? UNKNOWN : saved.toFixed(1)}
        unit="%"
        note={
          whole === null
            ? 'no reading'
            : `${numberText(Math.max(0, whole.lost - whole.dropped))} packets since its start`
        }
      >
        {lines && <StepLine {...lines.saved} />}
      </Tile>
      <Tile
        name="Lost for good"
        value={numberText(perMinute ?? whole?.dropped ?? null)}
        unit={perMinute === null ? 'packets' : '/min'}
        note={whole === null ? 'no reading' : `${numberText(whole.dropped)} since its start`}
        isBad={(perMinute ?? 0) > 0}
      >
        {lines && <StepLine {...lines.lost} isBad />}
      </Tile>
    </>
  )
}

const NO_PACKETS = { packets: 0, lost: 0, dropped: 0 }

/** The readings of the last minute, as far as this row has been open to see them. */
function useRecent(reading: LinkReading | null): readonly LinkReading[] {
  const [kept, setKept] = useState<readonly LinkReading[]>([])
  if (reading === null) return kept
  const next = withReading(kept, reading)
  if (next !== kept) setKept(next)
  return next
}

interface TileProps {
  name: string
  value: string
  unit: string
  note: string
  isBad?: boolean
  children?: ReactNode
}

function Tile({ name, value, unit, note, isBad = false, children }: TileProps) {
  return (
    // A group, not a region: several rows may be open, and landmarks must differ.
    <div className={classes.tile} role="group" aria-label={name} data-bad={isBad || undefined}>
      <h2>{name}</h2>
      <p>
        <b>{value}</b> {value !== UNKNOWN && unit}
      </p>
      {Boolean(children) && <span className={classes.chart}>{children}</span>}
      <small>{note}</small>
    </div>
  )
}
