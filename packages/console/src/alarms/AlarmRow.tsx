/** One alarm; opens to what it causes and who looks after it. */
import { useQuery } from '@tanstack/react-query'
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { Fragment, useId, useState } from 'react'
import { useApiNow } from '../lib/live/live-hooks.ts'
import { useRole } from '../lib/session.ts'
import { clockMomentText, clockTimeText, UNKNOWN } from '../shared/format.ts'
import { KIND_WORDS } from '../shared/kind.messages.ts'
import { RowExpander } from '../shared/list/RowExpander.tsx'
import { LaterDialog } from '../shared/page/Later.tsx'
import { ObjectLink } from '../shared/page/ObjectLink.tsx'
import { Age } from '../shared/state/Age.tsx'
import { clockText } from '../shared/clock-text.rules.ts'
import { Button, IconButton } from '../ui/button/Button.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import { Tag } from '../ui/symbol/Tag.tsx'
import {
  ButtonsCell,
  CellLine,
  type Column,
  ControlCell,
  DetailRow,
  Row,
} from '../ui/table/Table.tsx'
import {
  canOpen,
  disabledReasonOf,
  isInMaintenance,
  isMuted,
  isQuiet,
  lookOf,
  ruleTitle,
  titleOf,
} from './alarm-view.rules.ts'
import { useAlarmDeed } from './alarm.actions.ts'
import { consequencesText, CLEARS_SOON, quietText, SEVERITY_WORDS } from './alarm.messages.ts'
import { consequencesQuery } from './alarm.queries.ts'
import type { AlarmQuestion } from './AlarmDialog.tsx'
import { usePlanRefusal } from './maintenance/maintenance.actions.ts'
import { MAINTENANCE_DIALOG } from './maintenance/maintenance.loader.ts'
import { OBJECT_RULES_DIALOG, OVERRIDE_DIALOG } from './rules/override.loader.ts'
import { useOverrideRefusal } from './rules/override-refusal.hook.ts'
import classes from './AlarmRow.module.css'
import { LOCALE } from '../lib/locale/language.ts'
import { clockIso, ZONE_WORD } from '../lib/locale/time-zone.ts'

export const ALARM_COLUMNS: readonly Column[] = [
  { head: 'Expand', isHeadHidden: true, width: 50 },
  { head: 'Severity', sort: 'severity', width: 112 },
  { head: 'Object', sort: 'title', stays: true, width: [300, 220] },
  { head: 'Alarm', stays: true },
  { head: 'Since', sort: 'since', width: [150, 120] },
  { head: 'Actions', width: 120, align: 'buttons' },
]

interface AlarmRowProps {
  alarm: Alarm
  /** Absent in the history, where nothing is done to an alarm. */
  onAsk?: (question: AlarmQuestion) => void
  onTimeline: (alarm: Alarm) => void
}

export function AlarmRow({ alarm, onAsk, onTimeline }: AlarmRowProps) {
  const [isOpen, setOpen] = useState(false)
  const detailId = useId()
  const nowMs = useApiNow()
  const quiet = isQuiet(alarm, nowMs)
  const { family, shape } = lookOf(alarm, quiet)
  const title = titleOf(alarm)
  return (
    <Fragment>
      <Row family={family} isOpen={isOpen} data-alarm={alarm.id}>
        <ControlCell>
          <RowExpander
            of={`${title}, ${ruleTitle(alarm)}`}
            isOpen={isOpen}
            detailId={detailId}
            onChange={setOpen}
          />
        </ControlCell>
        <td data-phone="1-end">
          <span className={classes.severity} data-f={family}>
            <Shape shape={shape} family={family} />
            {SEVERITY_WORDS[alarm.severity]}
          </span>
        </td>
        <th scope="row" data-phone="1">
          <CellLine>
            <AlarmObject alarm={alarm} />
            <Tag className={classes.kind}>{KIND_WORDS[alarm.kind]}</Tag>
          </CellLine>
        </th>
        <td data-phone="2-wide" title={alarm.sentence}>
          <div className={classes.what}>
            <b>{ruleTitle(alarm)}</b>
            {alarm.behind > 0 && (
              <span className={classes.note}>{consequencesText(alarm.behind)}</span>
            )}
            {quiet && (
              <span className={classes.note}>{quietText(alarm, isMuted(alarm, nowMs))}</span>
            )}
            <span className={classes.sentence}>
              {alarm.overSinceMs === null ? alarm.sentence : CLEARS_SOON}
            </span>
          </div>
        </td>
        <td data-phone="3-left" className={classes.since}>
          <Since alarm={alarm} />
        </td>
        <ButtonsCell data-phone="3-end">
          <IconButton
            tone="quiet"
            size={28}
            icon="history"
            label={`Timeline of ${title}`}
            disabledReason={alarm.objectId === '' ? 'It is in another group.' : null}
            onClick={() => onTimeline(alarm)}
          />
          {onAsk !== undefined && <Deeds alarm={alarm} onAsk={onAsk} />}
        </ButtonsCell>
      </Row>
      {isOpen && (
        <DetailRow id={detailId} columns={ALARM_COLUMNS.length}>
          <Detail alarm={alarm} />
        </DetailRow>
      )}
    </Fragment>
  )
}

function AlarmObject({ alarm }: { alarm: Alarm }) {
  const role = useRole()
  const title = titleOf(alarm)
  if (!canOpen(alarm, mayDo(role, 'openPlaces'), mayDo(role, 'openContributions'))) {
    return <span title={title}>{title}</span>
  }
  return <ObjectLink object={{ ...alarm, id: alarm.objectId, title }} className={classes.link} />
}

function Since({ alarm: { raisedAt, raisedAtMs, clearedAt } }: { alarm: Alarm }) {
  if (clearedAt === null) {
    return (
      <time dateTime={raisedAt} title={`${clockTimeText(raisedAtMs)} ${ZONE_WORD}`}>
        <Age sinceMs={raisedAtMs} />
      </time>
    )
  }
  return (
    <time dateTime={raisedAt} title={`Cleared ${clockMomentText(Date.parse(clearedAt))}`}>
      {clockIso(raisedAtMs).slice(5, 10)} {clockTimeText(raisedAtMs)}
    </time>
  )
}

function Deeds({ alarm, onAsk }: { alarm: Alarm; onAsk: (question: AlarmQuestion) => void }) {
  const carryOut = useAlarmDeed()
  const muted = isMuted(alarm, useApiNow())
  const title = titleOf(alarm)
  const disabledReason = disabledReasonOf(alarm, useRole())
  const common = { tone: 'quiet', size: 28, disabledReason } as const
  return (
    <>
      <IconButton
        {...common}
        icon={alarm.acknowledged === null ? 'check' : 'close'}
        label={
          alarm.acknowledged === null
            ? `Acknowledge ${title}`
            : `Withdraw acknowledgement of ${title}`
        }
        onClick={() => {
          if (alarm.acknowledged === null) onAsk({ alarm, does: 'acknowledge' })
          else void carryOut(alarm, { does: 'unacknowledge' })
        }}
      />
      <IconButton
        {...common}
        icon={muted ? 'volume' : 'muted'}
        label={muted ? `Unmute ${title}` : `Mute ${title}`}
        onClick={() => {
          if (muted) void carryOut(alarm, { does: 'unmute' })
          else onAsk({ alarm, does: 'mute' })
        }}
      />
    </>
  )
}

function Detail({ alarm }: { alarm: Alarm }) {
  const nowMs = useApiNow()
  const { acknowledged, mutedUntil, maintenanceUntil } = alarm
  return (
    <div className={classes.detail}>
      <p>{alarm.sentence}</p>
      {alarm.overSinceMs !== null && <p>{CLEARS_SOON}</p>}
      {acknowledged !== null && (
        <p>
          Acknowledged by {acknowledged.by} at {clockTimeText(Date.parse(acknowledged.at))}{' '}
          {ZONE_WORD}
          {acknowledged.note === '' ? '.' : `: ${acknowledged.note}`}
        </p>
      )}
      {mutedUntil !== null && isMuted(alarm, nowMs) && (
        <p>
          Muted until {clockText(Date.parse(mutedUntil))} {ZONE_WORD}.
        </p>
      )}
      {maintenanceUntil !== null && isInMaintenance(alarm, nowMs) && (
        <p>
          In maintenance until {clockText(Date.parse(maintenanceUntil))} {ZONE_WORD}.
        </p>
      )}
      {alarm.clearedAt === null && alarm.objectId !== '' && (
        <div className={classes.actions}>
          <PlanMaintenance alarm={alarm} />
          <OverrideRule alarm={alarm} />
          <ObjectRules alarm={alarm} />
        </div>
      )}
      {alarm.clearedAt === null && alarm.behind > 0 && <Consequences alarm={alarm} />}
    </div>
  )
}

function PlanMaintenance({ alarm }: { alarm: Alarm }) {
  const [isOpen, setOpen] = useState(false)
  const refusal = usePlanRefusal()
  const { kind, objectId: id } = alarm
  return (
    <div>
      <Button size={28} disabledReason={refusal} onClick={() => setOpen(true)}>
        Plan maintenance
      </Button>
      {isOpen && (
        <LaterDialog
          part={MAINTENANCE_DIALOG}
          props={{
            window: null,
            covers: { kind, id, title: titleOf(alarm) },
            onClose: () => setOpen(false),
          }}
        />
      )}
    </div>
  )
}

function OverrideRule({ alarm }: { alarm: Alarm }) {
  const [isOpen, setOpen] = useState(false)
  const refusal = useOverrideRefusal()
  const { kind, objectId: id, rule } = alarm
  const title = titleOf(alarm)
  return (
    <div>
      <Button size={28} disabledReason={refusal} onClick={() => setOpen(true)}>
        Change this rule for {title}…
      </Button>
      {isOpen && (
        <LaterDialog
          part={OVERRIDE_DIALOG}
          props={{
            override: null,
            covers: { kind, id, title },
            rule,
            onClose: () => setOpen(false),
          }}
        />
      )}
    </div>
  )
}

function ObjectRules({ alarm }: { alarm: Alarm }) {
  const [isOpen, setOpen] = useState(false)
  const object = { kind: alarm.kind, id: alarm.objectId, title: titleOf(alarm) }
  return (
    <div>
      <Button size={28} onClick={() => setOpen(true)}>
        Rules that apply to {object.title}…
      </Button>
      {isOpen && (
        <LaterDialog part={OBJECT_RULES_DIALOG} props={{ object, onClose: () => setOpen(false) }} />
      )}
    </div>
  )
}

function Consequences({ alarm }: { alarm: Alarm }) {
  const { data } = useQuery(consequencesQuery(alarm.id))
  if (data === undefined) return null
  const rest = data.total - data.data.length
  return (
    <>
      <h2 className={classes.head}>Caused by this alarm</h2>
      <ul className={classes.list}>
        {data.data.map((each) => (
          <li key={each.id}>
            <Tag>{KIND_WORDS[each.kind]}</Tag> <AlarmObject alarm={each} />
            <span className={classes.rule}>{ruleTitle(each)}</span>
          </li>
        ))}
        {data.total === 0 && <li>{UNKNOWN}</li>}
        {rest > 0 && <li>and {rest.toLocaleString(LOCALE)} more</li>}
      </ul>
    </>
  )
}
