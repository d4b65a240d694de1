/** What has happened to one object, newest first, and how long it was up by day. */
import type { TimelineEvent } from '@trunkline/contract/events/event.schema'
import { useId, useState } from 'react'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { clockTimeText } from '../../shared/format.ts'
import { QueryContent } from '../../shared/page/QueryContent.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Segmented } from '../../ui/choice/Segmented.tsx'
import { Select } from '../../ui/choice/Select.tsx'
import { Tip } from '../../ui/hint/Tip.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { Availability } from './Availability.tsx'
import { useTimeline } from './timeline.hook.ts'
import { NO_EVENTS, NO_SUCH_EVENTS, TIMELINE, TIMELINE_FAILED } from './timeline.messages.ts'
import {
  byDay,
  dayText,
  eventView,
  exactText,
  FILTER_LABELS,
  filtersOf,
  SPAN_LABELS,
  TIMELINE_SPANS,
} from './timeline.rules.ts'
import type { NamedObject } from './timeline-csv.rules.ts'
import classes from './Timeline.module.css'

interface TimelineProps {
  object: NamedObject
  /** Changes when something has happened to the object: the timeline is read again soon after. */
  cue: string
}

const VIEWS = [
  { value: 'events', label: 'Events', count: null },
  { value: 'availability', label: 'Availability', count: null },
] as const

export function Timeline({ object, cue }: TimelineProps) {
  const [view, setView] = useState<'events' | 'availability'>('events')
  const { kind, id } = object
  const shown = useTimeline(object, cue)
  return (
    <div className={classes.timeline} role="group" aria-label={`${TIMELINE} of ${object.title}`}>
      <div className={classes.tools}>
        {kind !== 'console' && (
          <Segmented label="View" segments={VIEWS} value={view} onChange={setView} />
        )}
        {view === 'events' && <Filters object={object} shown={shown} />}
      </div>
      {view === 'events' || kind === 'console' ? (
        <Events object={object} shown={shown} />
      ) : (
        <Availability kind={kind} id={id} />
      )}
    </div>
  )
}

interface ShownProps {
  object: NamedObject
  shown: ReturnType<typeof useTimeline>
}

function Filters({ object, shown }: ShownProps) {
  const filters = filtersOf(object.kind).map((value) => ({ value, label: FILTER_LABELS[value] }))
  const spans = TIMELINE_SPANS.map((value) => ({ value, label: SPAN_LABELS[value] }))
  return (
    <>
      <Select
        label="Events"
        size={28}
        choices={filters}
        value={shown.filter}
        onChange={shown.setFilter}
      />
      <Select
        label="Period"
        size={28}
        choices={spans}
        value={shown.span}
        onChange={shown.setSpan}
      />
      <Button
        size={28}
        className={classes.save}
        disabledReason={shown.isSaving ? '' : null}
        onClick={() => void shown.save()}
      >
        Save as CSV
      </Button>
    </>
  )
}

function Events(props: ShownProps) {
  return (
    <QueryContent
      answer={props.shown.query}
      failedText={TIMELINE_FAILED}
      failedClass={classes.note}
      waiting={<Skeleton kind="row" count={4} height={28} />}
    >
      {({ pages }) => <EventList {...props} events={pages.flatMap((page) => page.data)} />}
    </QueryContent>
  )
}

function EventList({ object, shown, events }: ShownProps & { events: readonly TimelineEvent[] }) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = shown.query
  const nowMs = useApiNow()
  if (events.length === 0) {
    const isAll = shown.filter === 'all' && shown.span === 'all'
    return <p className={classes.note}>{isAll ? NO_EVENTS : NO_SUCH_EVENTS}</p>
  }
  return (
    // Focusable, because a region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.scroll} role="group" aria-label="Events" tabIndex={0}>
      {byDay(events).map(({ day, events: some }) => (
        <Day key={day} object={object} heading={dayText(day, nowMs)} events={some} />
      ))}
      {hasNextPage && (
        <Button
          size={28}
          className={classes.older}
          disabledReason={isFetchingNextPage ? '' : null}
          onClick={() => void fetchNextPage()}
        >
          Show older events
        </Button>
      )}
    </div>
  )
}

interface DayProps {
  object: NamedObject
  heading: string
  events: readonly TimelineEvent[]
}

function Day({ object, heading, events }: DayProps) {
  const id = useId()
  return (
    <>
      <h3 className={classes.day} id={id}>
        {heading}
      </h3>
      <ul className={classes.lines} aria-labelledby={id}>
        {events.map((event) => (
          <Line key={`${event.at} ${event.id}`} object={object} event={event} />
        ))}
      </ul>
    </>
  )
}

function Line({ object, event }: { object: NamedObject; event: TimelineEvent }) {
  const { shape, family, text, detail, by } = eventView(object.kind, event)
  return (
    <li data-f={family}>
      <span className={classes.time}>
        <Tip text={exactText(event)}>
          <time dateTime={event.at}>{clockTimeText(Date.parse(event.at))}</time>
        </Tip>
      </span>
      <Shape shape={shape} family={family} size={12} />
      <span className={classes.text}>
        {text}
        {detail !== '' && <em>{detail}</em>}
        {by !== '' && <small>by {by}</small>}
      </span>
    </li>
  )
}
