/** The three charts side by side, each with what its lines stand for. */
import { type ReactNode, useMemo } from 'react'
import type { ChartLine } from './Chart.tsx'
import { ChartPlace } from './ChartPlace.tsx'
import type { HistoryGrid } from './history.rules.ts'
import classes from './HistoryChart.module.css'

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
      <Panel
        name="Bitrate, kbit/s"
        legend={<Legend line="solid">average, lowest to highest shaded</Legend>}
      >
        {chart(bitrate, true)}
      </Panel>
      <Panel name="RTT, ms" legend={<Legend line="solid">highest of each interval</Legend>}>
        {chart(roundTrip, false)}
      </Panel>
      <Panel
        name="Packets per interval"
        legend={
          <>
            <Legend line="lost">dropped</Legend>
            <Legend line="dashed">retransmitted</Legend>
          </>
        }
      >
        {chart(losses, false)}
      </Panel>
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

interface PanelProps {
  name: string
  legend: ReactNode
  children: ReactNode
}

function Panel({ name, legend, children }: PanelProps) {
  return (
    <div className={classes.panel}>
      <h3>{name}</h3>
      <p>{legend}</p>
      {children}
    </div>
  )
}

function Legend({ line, children }: { line: 'solid' | 'dashed' | 'lost'; children: ReactNode }) {
  return (
    <span className={classes.legend} data-line={line}>
      {children}
    </span>
  )
}
