/** The span in numbers, for whoever cannot see the charts, or wants to read them off. */
import type { LinkPoint } from '@trunkline/contract/contributions/history.calls'
import { summaryOf } from './history.rules.ts'
import classes from './HistoryChart.module.css'

export function HistorySummary({ points }: { points: readonly LinkPoint[] }) {
  return (
    // Focusable, because a region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.scroll} role="region" aria-label="Over the whole span" tabIndex={0}>
      <table className={classes.summary} aria-label="Over the whole span">
        <thead>
          <tr>
            <th scope="col">Over the whole span</th>
            <th scope="col">Lowest</th>
            <th scope="col">Average</th>
            <th scope="col">Highest</th>
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {summaryOf(points).map((row) => (
            <tr key={row.name}>
              <th scope="row">
                {row.name} <small>{row.unit}</small>
              </th>
              <td>{row.lowest}</td>
              <td>{row.average}</td>
              <td>{row.highest}</td>
              <td>{row.total}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
