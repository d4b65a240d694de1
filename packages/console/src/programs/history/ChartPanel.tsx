/** Around one chart of several: its name, and what its lines stand for. */
import type { ReactNode } from 'react'
import classes from './HistoryChart.module.css'

interface ChartPanelProps {
  label: string
  legend: ReactNode
  children: ReactNode
}

export function ChartPanel({ label, legend, children }: ChartPanelProps) {
  return (
    <div className={classes.panel}>
      <h3>{label}</h3>
      <p>{legend}</p>
      {children}
    </div>
  )
}

interface LegendProps {
  line: 'solid' | 'dashed' | 'lost'
  children: ReactNode
}

export function Legend({ line, children }: LegendProps) {
  return (
    <span className={classes.legend} data-line={line}>
      {children}
    </span>
  )
}
