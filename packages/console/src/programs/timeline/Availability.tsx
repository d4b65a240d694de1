/** How long an object was up, by day. */
import { useQuery } from '@tanstack/react-query'
import { availabilityOf, type DayAvailability } from '@trunkline/contract/events/event.schema'
import type { SiteKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { durationText, UNKNOWN } from '../../shared/format.ts'
import { useSortedRows } from '../../shared/list/sorted-rows.hook.ts'
import { QueryContent } from '../../shared/page/QueryContent.tsx'
import { type Column, PlainHead } from '../../ui/table/Table.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { AVAILABILITY_FAILED, AVAILABILITY_NOTE, PACKETS_NOTE } from './timeline.messages.ts'
import { availabilityText, isEmpty, lossText, withoutEmptyEnd } from './availability.rules.ts'
import { availabilityQuery } from './timeline.queries.ts'
import { dayText } from './timeline.rules.ts'
import classes from './Timeline.module.css'

const COLUMNS: readonly Column[] = [
  { head: 'Day', sort: 'day' },
  { head: 'Availability', sort: 'share' },
  { head: 'Down', sort: 'down' },
  { head: 'Not known', sort: 'unknown' },
]
const SORTED = {
  table: 'availability',
  values: {
    day: ({ fromMs }: DayAvailability) => fromMs,
    share: (day: DayAvailability) => availabilityOf(day),
    down: (day: DayAvailability) => (isEmpty(day) ? null : day.downMs),
    unknown: (day: DayAvailability) => (isEmpty(day) ? null : day.unknownMs),
  },
} as const

export function Availability({ kind, id }: { kind: SiteKind; id: string }) {
  const answer = useQuery(availabilityQuery(kind, id))
  const isLink = kind === 'feeder' || kind === 'input' || kind === 'output'
  return (
    <QueryContent
      answer={answer}
      failedText={AVAILABILITY_FAILED}
      failedClass={classes.note}
      waiting={<Skeleton kind="row" count={4} height={28} />}
    >
      {(days) => <Days days={days} isLink={isLink} />}
    </QueryContent>
  )
}

function Days({ days, isLink }: { days: readonly DayAvailability[]; isLink: boolean }) {
  const { sorting, sorted } = useSortedRows(SORTED)
  return (
    <>
      <table className={classes.days} aria-label="Availability">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <PlainHead key={column.head} column={column} sorting={sorting} />
            ))}
            {isLink && <th scope="col">Packets</th>}
          </tr>
        </thead>
        <tbody>
          {sorted(withoutEmptyEnd(days)).map((day) => (
            <DayRow key={day.fromMs} day={day} isLink={isLink} />
          ))}
        </tbody>
      </table>
      <p className={classes.note}>
        {AVAILABILITY_NOTE}
        {isLink && ` ${PACKETS_NOTE}`}
      </p>
    </>
  )
}

function DayRow({ day, isLink }: { day: DayAvailability; isLink: boolean }) {
  const nowMs = useApiNow()
  return (
    <tr>
      <th scope="row">{dayText(new Date(day.fromMs).toISOString().slice(0, 10), nowMs)}</th>
      <td>{availabilityText(availabilityOf(day))}</td>
      <td>{lengthText(day, day.downMs)}</td>
      <td>{lengthText(day, day.unknownMs)}</td>
      {isLink && <td>{lossText(day.counted) || UNKNOWN}</td>}
    </tr>
  )
}

function lengthText(day: DayAvailability, lengthMs: number): string {
  return isEmpty(day) ? UNKNOWN : durationText(lengthMs)
}
