/** The three charts side by side, each with what its lines stand for. */
import { useMemo } from 'react'
import type { ChartLine } from './Chart.tsx'
import { ChartPanel, Legend } from './ChartPanel.tsx'
import { ChartPlace } from './ChartPlace.tsx'
import type { HistoryGrid } from './history.rules.ts'

interface HistoryPanelsProps {
  group: string
  grid: HistoryGrid
  at: number | null
  onPoint: (index: number | null) => void
}

export function HistoryPanels({ group, grid, at, onPoint }: HistoryPanelsProps) {
  const { bitrate, roundTrip, losses } = useMemo(() => linesOf(grid), [grid])
  const chart = (lines: readonly ChartLine[], hasBand: boolean) => (
    <ChartPlace
      group={group}
      atMs={grid.atMs}
      lines={lines}
      hasBand={hasBand}
      at={at}
      onPoint={onPoint}
    />
  )
  return (
    <>
      <ChartPanel
        label="Bitrate, kbit/s"
        legend={<Legend line="solid">average, lowest to highest shaded</Legend>}
      >
        {chart(bitrate, true)}
      </ChartPanel>
      <ChartPanel label="RTT, ms" legend={<Legend line="solid">highest of each interval</Legend>}>
        {chart(roundTrip, false)}
      </ChartPanel>
      <ChartPanel
        label="Packets per interval"
        legend={
          <>
            <Legend line="lost">dropped</Legend>
            <Legend line="dashed">retransmitted</Legend>
          </>
        }
      >
        {chart(losses, false)}
      </ChartPanel>
    </>
  )
}

function linesOf({ points }: HistoryGrid) {
  const bitrate: readonly ChartLine[] = [
    { values: points.map((point) => point?.bitrateKbps.max ?? null), color: null },
    { values: points.map((point) => point?.bitrateKbps.min ?? null), color: null },
    { values: points.map((point) => point?.bitrateKbps.avg ?? null), color: '--text' },
  ]
  const roundTrip: readonly ChartLine[] = [
    { values: points.map((point) => point?.rttMs ?? null), color: '--text' },
  ]
  const losses: readonly ChartLine[] = [
    {
      values: points.map((point) => point?.retransmittedPackets ?? null),
      color: '--text-2',
      isDashed: true,
    },
    { values: points.map((point) => point?.droppedPackets ?? null), color: '--warn' },
  ]
  return { bitrate, roundTrip, losses }
}
