/** Bitrate, round trip and losses of one link over minutes or a day, with one cursor for all three. */
import {
  HISTORY_SPANS,
  type HistorySpan,
  type LinkPoint,
} from '@trunkline/contract/contributions/history.calls'
import { useId, useMemo } from 'react'
import { Segmented } from '../../ui/choice/Segmented.tsx'
import { ReadFailed } from '../../ui/notice/ReadFailed.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { clockTimeText } from '../../shared/format.ts'
import { FigureHead, FigurePanel } from '../figures/FigurePanel.tsx'
import { ChartSlider } from './ChartSlider.tsx'
import { useLinkHistory } from './history.hook.ts'
import { HISTORY_FAILED, HISTORY_LABEL, HISTORY_NONE } from './history.messages.ts'
import {
  beginsAtMs,
  type History,
  type HistoryGrid,
  pointText,
  summaryOf,
} from './history.rules.ts'
import classes from './HistoryChart.module.css'
import { HistoryPanels } from './HistoryPanels.tsx'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'

const SPAN_LABELS: Record<HistorySpan, string> = { '5m': '5 min', '1h': '1 h', '24h': '24 h' }

interface HistoryChartProps {
  kind: ProgramKind
  id: string
  title: string
}

export function HistoryChart({ kind, id, title }: HistoryChartProps) {
  const shown = useLinkHistory(kind, id)
  const { span, choose, history, grid, error, retry } = shown
  return (
    <FigurePanel label={`${HISTORY_LABEL} of ${title}`}>
      <FigureHead>
        <h2>{HISTORY_LABEL}</h2>
        {history !== undefined && <Begin history={history} />}
        <Segmented
          label="Span"
          segments={HISTORY_SPANS.map((value) => ({
            value,
            label: SPAN_LABELS[value],
            count: null,
          }))}
          value={span}
          onChange={choose}
        />
      </FigureHead>
      {error !== null && (
        <ReadFailed
          className={classes.note}
          sentence={HISTORY_FAILED}
          error={error}
          onRetry={retry}
        />
      )}
      {error === null && grid === null && <Skeleton count={1} height={170} />}
      {history !== undefined && history.points.length === 0 && (
        <p className={classes.note}>{HISTORY_NONE}</p>
      )}
      {history !== undefined && grid !== null && history.points.length > 0 && (
        <Measured shown={shown} history={history} grid={grid} />
      )}
    </FigurePanel>
  )
}

function Begin({ history }: { history: History }) {
  const atMs = beginsAtMs(history)
  return atMs === null ? null : (
    <span>
      history starts {clockTimeText(atMs)} {ZONE_WORD}
    </span>
  )
}

interface MeasuredProps {
  shown: ReturnType<typeof useLinkHistory>
  history: History
  grid: HistoryGrid
}

function Measured({ shown, history, grid }: MeasuredProps) {
  const group = useId()
  const last = grid.atMs.length - 1
  const index = shown.pointed ?? last
  const text = useMemo(
    () => pointText(grid.atMs[index] ?? 0, grid.points[index] ?? null),
    [grid, index],
  )
  return (
    <>
      <ChartSlider index={index} last={last} text={text} onKeyDown={shown.onKeyDown}>
        <HistoryPanels group={group} grid={grid} at={shown.pointed} onPoint={shown.setPointed} />
      </ChartSlider>
      <HistorySummary points={history.points} />
    </>
  )
}

/** The span in numbers, for whoever cannot see the charts, or wants to read them off. */
function HistorySummary({ points }: { points: readonly LinkPoint[] }) {
  return (
    // Focusable, because a region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.scroll} role="region" aria-label="Whole period" tabIndex={0}>
      <table className={classes.summary} aria-label="Whole period">
        <thead>
          <tr>
            <th scope="col">Whole period</th>
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
