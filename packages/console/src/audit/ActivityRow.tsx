/** One line of activity; opens to what differs. */
import type { AuditEntry } from '@trunkline/contract/audit/audit.schema'
import { Fragment, useId, useState } from 'react'
import { useApiNow } from '../lib/live/live-hooks.ts'
import { clockDateText, clockMomentText, clockTimeText, UNKNOWN } from '../shared/format.ts'
import { RowExpander } from '../shared/list/RowExpander.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import { ControlCell, DetailRow, Row } from '../ui/table/Table.tsx'
import { RESULT_VIEWS } from '../shared/activity/activity.messages.ts'
import { agoText, reasonOf, subjectOf, whatOf, whoOf } from '../shared/activity/activity.rules.ts'
import { ActivityDetail } from './ActivityDetail.tsx'
import { changedText } from './difference.rules.ts'
import classes from './ActivityRow.module.css'

const COLUMNS = 8

export function ActivityRow({ entry }: { entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false)
  const detailId = useId()
  const who = whoOf(entry)
  const what = whatOf(entry)
  const about = reasonOf(entry) || changedText(entry.before, entry.after)
  return (
    <Fragment>
      <Row isOpen={isOpen}>
        <ControlCell>
          <RowExpander
            of={`${what}, ${clockTimeText(Date.parse(entry.at))}`}
            isOpen={isOpen}
            detailId={detailId}
            onChange={setOpen}
          />
        </ControlCell>
        <td className={classes.when} data-phone="3-end">
          <When at={entry.at} />
        </td>
        <td className={classes.who} data-phone="3">
          <div className={classes.line} title={who.name}>
            <span className={classes.main}>{who.name}</span>
            {who.role !== '' && <span className={classes.quiet}>{who.role}</span>}
          </div>
        </td>
        <th scope="row" title={what} data-phone="1">
          {what}
        </th>
        <td data-phone="2-wide">
          <Subject entry={entry} />
        </td>
        <td data-phone="1-end">
          <Result entry={entry} />
        </td>
        <td className={classes.from}>
          <code>{entry.ip === '' ? UNKNOWN : entry.ip}</code>
        </td>
        <td className={classes.reason} title={about}>
          {about}
        </td>
      </Row>
      {isOpen && (
        <DetailRow id={detailId} columns={COLUMNS}>
          <ActivityDetail entry={entry} />
        </DetailRow>
      )}
    </Fragment>
  )
}

/** The date stands only where it is not today's. */
function When({ at }: { at: string }) {
  const nowMs = useApiNow()
  const atMs = Date.parse(at)
  const day = clockDateText(atMs)
  return (
    <time className={classes.line} dateTime={at} title={clockMomentText(atMs)}>
      {day !== clockDateText(nowMs) && <span className={classes.day}>{day}</span>}
      <span className={classes.main}>{clockTimeText(atMs)}</span>
      <span className={classes.age}>{agoText(nowMs - atMs)}</span>
    </time>
  )
}

function Subject({ entry }: { entry: AuditEntry }) {
  const { kind, title, id } = subjectOf(entry)
  if (kind === '') return <span className={classes.none}>{UNKNOWN}</span>
  return (
    <div className={classes.line} title={title || id}>
      <span className={classes.quiet}>{kind}</span>
      {title === '' ? (
        <code className={classes.main}>{id}</code>
      ) : (
        <span className={classes.main}>{title}</span>
      )}
    </div>
  )
}

function Result({ entry }: { entry: AuditEntry }) {
  const { word, shape, family } = RESULT_VIEWS[entry.result]
  return (
    <span className={classes.chip} data-f={family} data-result={entry.result}>
      <Shape shape={shape} family={family} />
      {word}
    </span>
  )
}
