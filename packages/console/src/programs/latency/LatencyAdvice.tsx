/** The latency that an open link needs by its last hour, and the step that sets it. */
import { useQuery } from '@tanstack/react-query'
import type {
  LatencyAdvice as Advice,
  LatencyLinkKind,
} from '@trunkline/contract/paths/latency.calls'
import { endsToSet } from '@trunkline/contract/paths/latency.rules'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { QueryContent } from '../../shared/page/QueryContent.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import {
  ADVICE_FAILED,
  endsOf,
  endsText,
  evidenceText,
  fillInText,
  headlineText,
  isOld,
  LATENCY_LABEL,
  oldText,
  ruleText,
  VERDICT_VIEWS,
  verdictText,
} from './latency.messages.ts'
import { latencyAdviceQuery } from './latency.queries.ts'
import { FigureHead, FigurePanel } from '../figures/FigurePanel.tsx'
import classes from './LatencyAdvice.module.css'

interface LatencyAdviceProps {
  kind: LatencyLinkKind
  id: string
  title: string
  /** Opens the settings with this latency filled in; null for who may not edit them. */
  onUse: ((latencyMs: number) => void) | null
}

export function LatencyAdvice({ kind, id, title, onUse }: LatencyAdviceProps) {
  const answer = useQuery(latencyAdviceQuery(kind, id))
  return (
    <FigurePanel label={`${LATENCY_LABEL} of ${title}`}>
      <QueryContent
        answer={answer}
        failedText={ADVICE_FAILED}
        failedClass={classes.note}
        waiting={<Skeleton kind="row" count={1} height={72} />}
      >
        {(advice) => <Advised advice={advice} onUse={onUse} />}
      </QueryContent>
    </FigurePanel>
  )
}

interface AdvisedProps extends Pick<LatencyAdviceProps, 'onUse'> {
  advice: Advice
}

function Advised({ advice, onUse }: AdvisedProps) {
  const { needed, measured } = advice
  const nowMs = useApiNow()
  const latencyMs = needed?.latencyMs ?? 0
  const isOffered = needed !== null && endsToSet(endsOf(advice), latencyMs).isOwn
  return (
    <>
      <FigureHead>
        <h2 className={classes.headline}>{headlineText(advice)}</h2>
        {isOffered && onUse !== null && (
          <Button size={28} icon="pencil" onClick={() => onUse(latencyMs)}>
            {fillInText(latencyMs)}
          </Button>
        )}
      </FigureHead>
      {needed !== null && (
        <p className={classes.verdict}>
          <Shape {...VERDICT_VIEWS[needed.verdict]} size={12} />
          {verdictText(advice, needed)}
        </p>
      )}
      {measured !== null && isOld(measured, nowMs) && (
        <p className={classes.verdict}>
          <Shape shape="diamond-question" family="blind" size={12} />
          {oldText(measured, nowMs)}
        </p>
      )}
      <p className={classes.note}>{endsText(advice)}</p>
      {measured !== null && <p className={classes.note}>{evidenceText(measured, nowMs)}</p>}
      {needed !== null && <p className={classes.note}>{ruleText(advice, needed)}</p>}
    </>
  )
}
