/** The charts of a transport stream's history side by side, each with what its lines stand for. */
import type { TransportPoint } from '@trunkline/contract/contributions/transport-history.calls'
import { type ReactNode, useMemo } from 'react'
import type { ChartLine } from '../history/Chart.tsx'
import { ChartPanel, Legend } from '../history/ChartPanel.tsx'
import { ChartPlace } from '../history/ChartPlace.tsx'
import type { HistoryGrid } from '../history/history.rules.ts'
import { otherErrorsOf } from './transport-history.rules.ts'

interface TransportChartsProps {
  group: string
  grid: HistoryGrid<TransportPoint>
  at: number | null
  onPoint: (index: number | null) => void
}

interface Panel {
  name: string
  legend: ReactNode
  lines: readonly ChartLine[]
}

export function TransportCharts({ group, grid, at, onPoint }: TransportChartsProps) {
  const panels = useMemo(() => panelsOf(grid), [grid])
  return panels.map(({ name, legend, lines }) => (
    <ChartPanel key={name} label={name} legend={legend}>
      <ChartPlace
        group={group}
        atMs={grid.atMs}
        lines={lines}
        hasBand={false}
        at={at}
        onPoint={onPoint}
      />
    </ChartPanel>
  ))
}

function panelsOf({ points }: HistoryGrid<TransportPoint>): readonly Panel[] {
  const line = (
    color: string,
    isDashed: boolean,
    valueOf: (point: TransportPoint) => number | null,
  ): ChartLine => ({
    values: points.map((point) => (point === null ? null : valueOf(point))),
    color,
    isDashed,
  })
  return [
    {
      name: 'Errors per interval',
      legend: (
        <>
          <Legend line="lost">continuity</Legend>
          <Legend line="dashed">sync, damaged packets, checksums</Legend>
        </>
      ),
      lines: [
        line('--text-2', true, otherErrorsOf),
        line('--warn', false, (point) => point.continuityErrors),
      ],
    },
    {
      name: 'PCR, ms',
      legend: (
        <>
          <Legend line="solid">arrival jitter</Legend>
          <Legend line="dashed">longest interval</Legend>
        </>
      ),
      lines: [
        line('--text-2', true, (point) => point.pcrIntervalMs),
        line('--text', false, (point) => point.pcrJitterMs),
      ],
    },
    {
      name: 'Longest PAT and PMT interval, ms',
      legend: (
        <>
          <Legend line="solid">PAT</Legend>
          <Legend line="dashed">PMT</Legend>
        </>
      ),
      lines: [
        line('--text-2', true, (point) => point.pmtGapMs),
        line('--text', false, (point) => point.patGapMs),
      ],
    },
  ]
}
