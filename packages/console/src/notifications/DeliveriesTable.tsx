/** What was sent, is to be sent, and could not be sent: the newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  DELIVERY_STATES,
  type DeliveryState,
  type NotificationDelivery,
} from '@trunkline/contract/notifications/notification.schema'
import { Fragment, useId, useState } from 'react'
import { NewestFirstTable } from '../shared/list/NewestFirstTable.tsx'
import { RowExpander } from '../shared/list/RowExpander.tsx'
import { Select } from '../ui/choice/Select.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import { type Column, ControlCell, DetailRow, Row } from '../ui/table/Table.tsx'
import { DeliveryStateMark } from './DeliveryStateMark.tsx'
import { KIND_NAMES, LOG_FAILED, STATE_WORDS } from './notification.messages.ts'
import { deliveriesQuery } from './notification.queries.ts'
import classes from './NotificationsPage.module.css'
import { clockIso, ZONE_WORD } from '../lib/locale/time-zone.ts'

const ROW_HEIGHT = 36
const COLUMNS: readonly Column[] = [
  { head: 'Expand', isHeadHidden: true, width: 50 },
  { head: `Time (${ZONE_WORD})`, width: 150 },
  { head: 'State', width: 110 },
  { head: 'Rule', width: [200, 150] },
  { head: 'Message' },
  { head: 'Answer', width: [320, 220] },
]
const STATE_CHOICES = [
  { value: '' as const, label: 'All' },
  ...DELIVERY_STATES.map((value) => ({ value, label: STATE_WORDS[value] })),
]

interface DeliveriesTableProps {
  /** Of the messages that are shown; '' for all. */
  state: DeliveryState | ''
  onState: (state: DeliveryState | '') => void
}

export function DeliveriesTable({ state, onState }: DeliveriesTableProps) {
  return (
    <>
      <div className={classes.place}>
        <Select
          label="State"
          isLabelShown
          choices={STATE_CHOICES}
          value={state}
          onChange={onState}
        />
      </div>
      <Deliveries state={state} />
    </>
  )
}

function Deliveries({ state }: { state: DeliveryState | '' }) {
  const answer = useInfiniteQuery(deliveriesQuery(state))
  return (
    <NewestFirstTable
      label="Sent notifications"
      columns={COLUMNS}
      rowHeight={ROW_HEIGHT}
      answer={answer}
      failedText={LOG_FAILED}
      empty={
        <Empty title={state === '' ? 'Nothing was sent yet' : 'No messages in this state'}>
          Every message stays here, with the answer of the receiver.
        </Empty>
      }
      olderLabel="Show older messages"
      rowOf={(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />}
    />
  )
}

function DeliveryRow({ delivery }: { delivery: NotificationDelivery }) {
  const [isOpen, setOpen] = useState(false)
  const detailId = useId()
  const { createdAt, ruleTitle, subject, state, answer } = delivery
  return (
    <Fragment>
      <Row isOpen={isOpen}>
        <ControlCell>
          <RowExpander
            of={`${subject}, ${timeText(createdAt)}`}
            isOpen={isOpen}
            detailId={detailId}
            onChange={setOpen}
          />
        </ControlCell>
        <td data-phone="2">
          <time dateTime={createdAt}>{timeText(createdAt)}</time>
        </td>
        <td data-phone="2-end">
          <DeliveryStateMark state={state} />
        </td>
        <td className={classes.quiet} title={ruleTitle} data-phone="3">
          {ruleTitle}
        </td>
        <th scope="row" title={subject} data-phone="1">
          {subject}
        </th>
        <td className={classes.quiet} title={answer} data-phone="4-wide">
          {answer}
        </td>
      </Row>
      {isOpen && (
        <DetailRow id={detailId} columns={COLUMNS.length}>
          <Detail delivery={delivery} />
        </DetailRow>
      )}
    </Fragment>
  )
}

function Detail({ delivery }: { delivery: NotificationDelivery }) {
  const { attempts, nextTryAt, finishedAt, kind, answer, text, id } = delivery
  const tries = attempts === 1 ? '1 try' : `${attempts} tries`
  return (
    <>
      <p>
        {KIND_NAMES[kind]}, {tries}
        {finishedAt !== null && `, finished ${timeText(finishedAt)}`}
        {nextTryAt !== null && `, next try ${timeText(nextTryAt)}`}. Message ID {id}.
      </p>
      {answer !== '' && <p className={classes.text}>{answer}</p>}
      <pre className={classes.text}>{text}</pre>
    </>
  )
}

/** '11-27 03:04:05', as the clock of the page. */
function timeText(at: string): string {
  return clockIso(Date.parse(at)).slice(5, 19).replace('T', ' ')
}
