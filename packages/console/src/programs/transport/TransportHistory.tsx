/** What was counted in a link's transport stream over an hour, a day or a week, and when something was wrong. */
import { useQuery } from '@tanstack/react-query'
import {
  TRANSPORT_SPANS,
  type TransportSpan,
} from '@trunkline/contract/contributions/transport-history.calls'
import type { ErrorSpan } from '@trunkline/contract/fleet/transport-history.schema'
import type { TransportPid, TransportReport } from '@trunkline/contract/fleet/transport.schema'
import { useId, useMemo, useState } from 'react'
import { QueryContent } from '../../shared/page/QueryContent.tsx'
import { Segmented } from '../../ui/choice/Segmented.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { FigureHead, FigureTable } from '../figures/FigurePanel.tsx'
import { ChartSlider } from '../history/ChartSlider.tsx'
import { gridOf } from '../history/history.rules.ts'
import { usePointer } from '../history/pointer.hook.ts'
import { TransportCharts } from './TransportCharts.tsx'
import {
  coverageText,
  historyFaultText,
  olderText,
  spanLookedText,
  spanTimeText,
  TRANSPORT_HISTORY_CLEAN,
  TRANSPORT_HISTORY_FAILED,
  TRANSPORT_HISTORY_LABEL,
  TRANSPORT_HISTORY_NONE,
  transportPointText,
} from './transport-history.messages.ts'
import { transportHistoryQuery, type TransportLinkKind } from './transport-history.queries.ts'
import type { TransportHistoryData } from './transport-history.rules.ts'
import classes from './TransportStream.module.css'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'

const SPAN_LABELS: Record<TransportSpan, string> = { '1h': '1 h', '24h': '24 h', '7d': '7 d' }

interface TransportHistoryProps {
  kind: TransportLinkKind
  id: string
  /** Of now: it names the PIDs. */
  report: TransportReport | null
}

export function TransportHistory({ kind, id, report }: TransportHistoryProps) {
  const [span, choose] = useState<TransportSpan>('1h')
  const answer = useQuery(transportHistoryQuery(kind, id, span))
  return (
    <div className={classes.history} role="group" aria-label={TRANSPORT_HISTORY_LABEL}>
      <FigureHead>
        <h3>{TRANSPORT_HISTORY_LABEL}</h3>
        <Segmented
          label="Span of the transport stream"
          segments={TRANSPORT_SPANS.map((value) => ({
            value,
            label: SPAN_LABELS[value],
            count: null,
          }))}
          value={span}
          onChange={choose}
        />
      </FigureHead>
      <QueryContent
        answer={answer}
        failedText={TRANSPORT_HISTORY_FAILED}
        failedClass={classes.note}
        waiting={<Skeleton count={1} height={170} />}
      >
        {(history) =>
          history.points.length === 0 ? (
            <p className={classes.note}>{TRANSPORT_HISTORY_NONE}</p>
          ) : (
            // Another span has other steps: none of them is pointed at.
            <Counted key={span} history={history} pids={pidsOf(report)} />
          )
        }
      </QueryContent>
    </div>
  )
}

const NO_PIDS: readonly TransportPid[] = []

function pidsOf(report: TransportReport | null): readonly TransportPid[] {
  return report?.state === 'measured' ? report.pids : NO_PIDS
}

interface CountedProps {
  history: TransportHistoryData
  pids: readonly TransportPid[]
}

function Counted({ history, pids }: CountedProps) {
  const group = useId()
  const grid = useMemo(() => gridOf(history), [history])
  const last = grid.atMs.length - 1
  const { pointed, setPointed, onKeyDown } = usePointer(last)
  const index = pointed ?? last
  const text = transportPointText(grid.atMs[index] ?? 0, grid.points[index] ?? null, history)
  const { errors, errorCount, toMs } = history
  return (
    <>
      <p className={classes.note}>{coverageText(history)}</p>
      <ChartSlider index={index} last={last} text={text} onKeyDown={onKeyDown}>
        <TransportCharts group={group} grid={grid} at={pointed} onPoint={setPointed} />
      </ChartSlider>
      {errors.length === 0 ? (
        <p className={classes.clean}>
          <Shape shape="disc" family="ok" size={12} /> {TRANSPORT_HISTORY_CLEAN}
        </p>
      ) : (
        <Errors errors={errors} pids={pids} nowMs={toMs} />
      )}
      {errorCount > errors.length && (
        <p className={classes.note}>{olderText(errors.length, errorCount)}</p>
      )}
    </>
  )
}

interface ErrorsProps {
  errors: readonly ErrorSpan[]
  pids: readonly TransportPid[]
  nowMs: number
}

/** When something was wrong, newest first. */
function Errors({ errors, pids, nowMs }: ErrorsProps) {
  return (
    <FigureTable label="Past errors" isTall>
      <thead>
        <tr>
          <th scope="col">
            Time <small>{ZONE_WORD}</small>
          </th>
          <th scope="col">Errors</th>
          <th scope="col">Checked</th>
        </tr>
      </thead>
      <tbody>
        {errors.map((span) => (
          <tr key={span.fromMs}>
            <th scope="row">{spanTimeText(span, nowMs)}</th>
            <td data-text>{span.faults.map((fault) => historyFaultText(fault, pids)).join(' ')}</td>
            <td>{spanLookedText(span)}</td>
          </tr>
        ))}
      </tbody>
    </FigureTable>
  )
}
