/** Where a chart will be: keeps its size while the drawing code is fetched. */
import { lazy, Suspense } from 'react'
import type { ChartProps } from './Chart.tsx'
import classes from './ChartPlace.module.css'

const Drawn = lazy(async () => ({ default: (await import('./Chart.tsx')).Chart }))

export function ChartPlace(props: ChartProps) {
  return (
    <div className={classes.place}>
      <Suspense fallback={null}>
        <Drawn {...props} />
      </Suspense>
    </div>
  )
}
