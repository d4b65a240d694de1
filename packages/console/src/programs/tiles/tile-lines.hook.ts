/** The last five minutes of a link beside its numbers: round trip, and what was resent or lost. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fineText } from '../../shared/format.ts'
import { gridOf } from '../history/history.rules.ts'
import { savedPercent } from './link-counts.rules.ts'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { historyQuery } from '../history/link-history.queries.ts'

export interface TileLine {
  values: readonly (number | null)[]
  /** Spoken. */
  label: string
}

export interface TileLines {
  roundTrip: TileLine
  saved: TileLine
  /** Null at a sending end. */
  lost: TileLine | null
}

/** Null while nothing was measured in these minutes, or `isWanted` is false. */
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
      saved: lineOf(kind === 'input' ? 'Saved by resend' : 'Resent', '%', saved),
      lost: kind === 'input' ? lineOf('Lost for good', 'packets', lost) : null,
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
