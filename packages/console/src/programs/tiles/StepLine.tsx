/** The last five minutes of one number in a tile: zero based, a step without a reading is a gap. */
import { useQuery } from '@tanstack/react-query'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { useMemo } from 'react'
import { fineText } from '../../shared/format.ts'
import { gridOf } from '../history/history.rules.ts'
import { historyQuery } from '../history/link-history.queries.ts'
import { savedPercent } from './link-counts.rules.ts'
import classes from './StepLine.module.css'

interface StepLineProps {
  /** One for each step, oldest first; null for no reading. */
  values: readonly (number | null)[]
  /** Spoken: 'RTT of the last 5 minutes: 29 to 112 ms'. */
  label: string
  /** Readings of this kind are beyond their limit as soon as there are any. */
  isBad?: boolean
}

const WIDTH = 140
const HEIGHT = 25
/** design.md section 5: from zero to 1.3 times the highest. */
const ROOM_ABOVE = 1.3

export function StepLine({ values, label, isBad = false }: StepLineProps) {
  const highest = Math.max(0, ...values.map((value) => value ?? 0))
  const top = Math.max(1, highest * ROOM_ABOVE)
  const place = (value: number, index: number) => {
    const x = (WIDTH * index) / Math.max(1, values.length - 1)
    return `${x.toFixed(1)} ${(HEIGHT - 1 - ((HEIGHT - 3) * value) / top).toFixed(1)}`
  }
  return (
    <svg
      className={classes.steps}
      data-bad={(isBad && highest > 0) || undefined}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path className={classes.floor} d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
      <path className={classes.line} d={drawn(values, place)} />
    </svg>
  )
}

/** Never joined across a gap; a reading alone is a dot, which is a line without length. */
function drawn(
  values: readonly (number | null)[],
  place: (value: number, index: number) => string,
): string {
  return values
    .map((value, index) => {
      if (value === null) return ''
      const follows = index > 0 && values[index - 1] !== null
      return follows ? `L${place(value, index)}` : `M${place(value, index)}h0.01`
    })
    .join('')
}

interface TileLine {
  values: readonly (number | null)[]
  /** Spoken. */
  label: string
}

interface TileLines {
  roundTrip: TileLine
  saved: TileLine
  /** Null at a sending end. */
  lost: TileLine | null
}

/**
 * What the tiles of a link draw: round trip, and what was resent or lost. Null while nothing was
 * measured in these minutes, or `isWanted` is false.
 */
export function useTileLines(kind: ProgramKind, id: string, isWanted: boolean): TileLines | null {
  const { data } = useQuery({ ...historyQuery(kind, id, '5m'), enabled: isWanted })
  return useMemo(() => {
    if (data === undefined || data.points.length === 0) return null
    const { points } = gridOf(data)
    const saved = points.map((point) => {
      if (point === null) return null
      const { packets, lostPackets: lost, droppedPackets: dropped } = point
      return savedPercent({ packets, lost, dropped, resent: point.retransmittedPackets })
    })
    const lost = points.map((point) => point?.droppedPackets ?? null)
    return {
      roundTrip: lineOf(
        'RTT',
        'ms',
        points.map((point) => point?.rttMs ?? null),
      ),
      saved: lineOf(kind === 'input' ? 'Recovered' : 'Retransmitted', '%', saved),
      lost: kind === 'input' ? lineOf('Dropped', 'packets', lost) : null,
    }
  }, [data, kind])
}

function lineOf(name: string, unit: string, values: readonly (number | null)[]): TileLine {
  const read = values.filter((value) => value !== null)
  const range =
    read.length === 0
      ? 'no reading'
      : `${fineText(Math.min(...read))} to ${fineText(Math.max(...read))} ${unit}`
  return { values, label: `${name} of the last 5 minutes: ${range}` }
}
