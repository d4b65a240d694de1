/** The next command of an object within a day, and the last one that was not carried out: in words. */
import { useQuery } from '@tanstack/react-query'
import { Tip } from '../../ui/hint/Tip.tsx'
import { Tag } from '../../ui/symbol/Tag.tsx'
import { nextDetail, nextText, problemDetail, problemText } from './schedule.messages.ts'
import { scheduleMarksQuery } from './schedule-marks.queries.ts'
import type { ScheduleTagProps } from './ScheduleTag.tsx'

export function ShownScheduleTag({ kind, id }: ScheduleTagProps) {
  const { data: mark } = useQuery({
    ...scheduleMarksQuery,
    // A row is drawn again only when its own changes.
    select: ({ data }) => data.find((each) => each.kind === kind && each.id === id) ?? null,
  })
  if (mark === undefined || mark === null) return null
  const { next, problem } = mark
  // Room for a tag is scarce: what went wrong comes first, and says what comes next.
  const details = [
    problem === null ? '' : problemDetail(problem),
    next === null ? '' : `${nextDetail(next)}.`,
  ]
  return (
    <Tip text={details.join(' ').trim()}>
      {problem !== null ? (
        <Tag tone="waits">{problemText(problem)}</Tag>
      ) : (
        next !== null && <Tag>{nextText(next)}</Tag>
      )}
    </Tip>
  )
}
