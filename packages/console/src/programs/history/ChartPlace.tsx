/** Where a chart will be: keeps its size while the drawing code is fetched, or cannot be. */
import { createElement } from 'react'
import { later, useLater } from '../../lib/later.ts'
import type { ChartProps } from './Chart.tsx'
import classes from './ChartPlace.module.css'
import { CHART_FAILED } from './history.messages.ts'

const CHART = later('chart', async () => (await import('./Chart.tsx')).Chart)

export function ChartPlace(props: ChartProps) {
  const chart = useLater(CHART)
  return (
    <div className={classes.place}>
      {typeof chart === 'function' && createElement(chart, props)}
      {chart === 'failed' && <p>{CHART_FAILED}</p>}
    </div>
  )
}
