/** Where a chart will be: keeps its size while the drawing code is fetched, or cannot be. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ChartProps } from './Chart.tsx'
import classes from './ChartPlace.module.css'
import { CHART_FAILED } from './history.messages.ts'

/**
 * Not `lazy`: what that cannot fetch ends the whole page, and an operator whose network has just gone
 * would lose sight of every link for a chart. Asked for again when updates are back.
 */
const drawingQuery = queryOptions({
  queryKey: ['chartDrawing'],
  queryFn: async () => (await import('./Chart.tsx')).Chart,
  staleTime: Infinity,
  gcTime: Infinity,
  retry: false,
})

export function ChartPlace(props: ChartProps) {
  const { data: Drawn, isError } = useQuery(drawingQuery)
  return (
    <div className={classes.place}>
      {Drawn !== undefined && <Drawn {...props} />}
      {Drawn === undefined && isError && <p>{CHART_FAILED}</p>}
    </div>
  )
}
