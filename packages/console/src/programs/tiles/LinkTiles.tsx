/** What a feeder, input or output measures now, as tiles. */
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { decimalText } from '@trunkline/contract/number-text.rules'
import { type ReactNode, useState } from 'react'
import { durationText, fineText, numberText, UNKNOWN } from '../../shared/format.ts'
import { useLinkSamples } from '../history/link-samples.hook.ts'
import type { ProgramView } from '../status/program-view.hook.ts'
import {
  countsBetween,
  countsOf,
  type LinkCounts,
  savedPackets,
  savedPercent,
  withReading,
} from './link-counts.rules.ts'
import classes from './LinkTiles.module.css'
import { Sparkline } from './Sparkline.tsx'
import { StepLine, useTileLines } from './StepLine.tsx'

interface LinkTilesProps {
  kind: 'feeder' | 'input' | 'output'
  id: string
  latencyMs: number
  /** False for a link that is never measured. */
  hasHistory: boolean
  shown: ProgramView
}

/** Bitrate with its last five minutes, round trip, and what was resent or lost. */
export function LinkTiles({ kind, id, latencyMs, hasHistory, shown }: LinkTilesProps) {
  const { reading, nowMs, view } = shown
  const samples = useLinkSamples(kind, id)
  const lines = useTileLines(kind, id, hasHistory)
  const values = samples.flatMap((sample) => (sample.kbps === null ? [] : [sample.kbps]))
  const recent = useRecent(reading)
  const losses = reading && lossesOf(reading, recent[0] ?? reading)
  // A value that cannot be trusted any more stays, dimmed, with its age.
  const isOld = view.family === 'blind'
  return (
    <>
      <Tile
        label={kind === 'input' ? 'Received' : 'Sent'}
        value={numberText(reading?.bitrateKbps ?? null)}
        unit={isOld && reading ? `${durationText(nowMs - reading.atMs)} old` : 'kbit/s'}
        isOld={isOld}
        hint="Payload, as an average over the last 10 s"
        note={
          values.length === 0
            ? 'no reading in the last 5 min'
            : `min ${numberText(Math.min(...values))}, max ${numberText(Math.max(...values))}`
        }
      >
        <Sparkline samples={samples} nowMs={nowMs} targetKbps={null} family={view.family} />
      </Tile>
      <Tile
        label="RTT"
        value={fineText(reading?.rttMs ?? null)}
        unit="ms"
        isOld={isOld}
        note={delayNote(latencyMs, reading)}
      >
        {lines && <StepLine {...lines.roundTrip} />}
      </Tile>
      <Tile
        label={kind === 'input' ? 'Recovered' : 'Retransmitted'}
        value={losses?.saved ?? UNKNOWN}
        unit="%"
        isOld={isOld}
        note={losses?.savedNote ?? 'no reading'}
      >
        {lines && <StepLine {...lines.saved} />}
      </Tile>
      <Tile
        label="Dropped"
        value={losses?.lost ?? UNKNOWN}
        unit="packets"
        isOld={isOld}
        note={losses?.lostNote ?? 'no reading'}
        isBad={!isOld && (losses?.isLosing ?? false)}
      >
        {lines?.lost && <StepLine {...lines.lost} isBad />}
      </Tile>
    </>
  )
}

/** A send buffer that fills up to the latency is on its way to dropping packets. */
function delayNote(latencyMs: number, reading: LinkReading | null): string {
  const latency = `latency set to ${numberText(latencyMs)} ms`
  const { sendBufferMs } = reading ?? {}
  return sendBufferMs === undefined
    ? latency
    : `${latency}, ${numberText(sendBufferMs)} ms in the send buffer`
}

interface Losses {
  saved: string
  savedNote: string
  lost: string
  lostNote: string
  isLosing: boolean
}

/** As counted since `first`, the oldest reading of the last minute; nothing is projected. */
function lossesOf(reading: LinkReading, first: LinkReading): Losses {
  const whole = countsOf(reading)
  const seenMs = reading.atMs - first.atMs
  const recent: LinkCounts = seenMs > 0 ? countsBetween(first, reading) : whole
  const percent = savedPercent(recent)
  return {
    saved: percent === null ? UNKNOWN : decimalText(percent, 1),
    savedNote: `${numberText(savedPackets(whole))} packets since its start`,
    lost: numberText(recent.dropped),
    lostNote:
      whole.dropped === null
        ? 'not known at this end: see the receiving end'
        : `${seenMs > 0 ? `in ${durationText(seenMs)}, ` : ''}${numberText(whole.dropped)} since its start`,
    isLosing: (recent.dropped ?? 0) > 0 && seenMs > 0,
  }
}

/** The readings of the last minute, as far as this row has been open to see them. */
function useRecent(reading: LinkReading | null): readonly LinkReading[] {
  const [kept, setKept] = useState<readonly LinkReading[]>([])
  if (reading === null) return kept
  const next = withReading(kept, reading)
  if (next !== kept) setKept(next)
  return next
}

interface TileProps {
  label: string
  value: string
  unit: string
  note: string
  /** How it is measured. */
  hint?: string
  isOld: boolean
  isBad?: boolean
  children?: ReactNode
}

function Tile({ label, value, unit, note, hint, isOld, isBad = false, children }: TileProps) {
  return (
    // A group, not a region: several rows may be open, and landmarks must differ.
    <div
      className={classes.tile}
      role="group"
      aria-label={label}
      title={hint}
      data-bad={isBad || undefined}
    >
      <h2>{label}</h2>
      <p>
        <b data-old={isOld || undefined}>{value}</b> {value !== UNKNOWN && unit}
      </p>
      {Boolean(children) && <span className={classes.chart}>{children}</span>}
      <small>{note}</small>
    </div>
  )
}
