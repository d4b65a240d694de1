/** The rules that raise alarms and under each for whom it is overridden, or what applies to a chosen object. */
import { useQuery } from '@tanstack/react-query'
import { RULES } from '@trunkline/contract/alarms/alarm.rules'
import {
  ALARM_RULES,
  SEVERITIES,
  type AlarmRule,
} from '@trunkline/contract/alarms/open-alarms.schema'
import { defaultThreshold } from '@trunkline/contract/alarms/threshold.rules'
import type { AlarmOverride } from '@trunkline/contract/alarms/overrides/override.schema'
import { Fragment, useState } from 'react'
import { NotYet } from '../../shared/list/ListState.tsx'
import { useSortedRows } from '../../shared/list/sorted-rows.hook.ts'
import { IconButton } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { Tag } from '../../ui/symbol/Tag.tsx'
import { ButtonsCell, CellLine, Row, TableFrame, type Column } from '../../ui/table/Table.tsx'
import { COVERED_WORDS } from '../maintenance/maintenance.messages.ts'
import { useIsRemoved, useRemoveOverride } from './override.actions.ts'
import {
  delayText,
  LIST_FAILED,
  overrideText,
  REMOVED_TITLE,
  RULE_MEANINGS,
  thresholdText,
} from './override.messages.ts'
import { overridesQuery } from './override.queries.ts'
import { useOverrideRefusal } from './override-refusal.hook.ts'
import { CombinedRules, type RuledObject } from './CombinedRules.tsx'
import { ObjectChooser } from './ObjectChooser.tsx'
import { OverrideDialog } from './OverrideDialog.tsx'
import { SeverityMark } from './SeverityMark.tsx'
import classes from './RulesView.module.css'

const ROW_HEIGHT = 36
const COLUMNS: readonly Column[] = [
  { head: 'Rule', sort: 'title' },
  { head: 'Severity', sort: 'severity', width: 130 },
  { head: 'Threshold', width: [200, 170] },
  { head: 'Raised after', sort: 'raised', width: [130, 110] },
  { head: 'Cleared after', sort: 'cleared', width: [130, 110] },
  { head: 'Actions', width: 108, align: 'buttons' },
]
/** Overrides stay with their rule. */
const SORTED = {
  table: 'alarmRules',
  values: {
    title: (rule: AlarmRule) => RULES[rule].title,
    severity: (rule: AlarmRule) => SEVERITIES.indexOf(RULES[rule].severity),
    raised: (rule: AlarmRule) => RULES[rule].raiseAfterMs,
    cleared: (rule: AlarmRule) => RULES[rule].clearAfterMs,
  },
} as const

type Edited = { override: AlarmOverride } | { rule: AlarmRule }

export function RulesView() {
  const [chosen, setChosen] = useState<RuledObject | null>(null)
  return (
    <>
      <ObjectChooser chosen={chosen} onChoose={setChosen} />
      {chosen === null && <AllRules />}
      {chosen !== null && chosen.id === '' && (
        <div className={classes.place}>
          <Empty title="No object chosen">
            Choose one to see which settings apply to it, and where they come from.
          </Empty>
        </div>
      )}
      {chosen !== null && chosen.id !== '' && <CombinedRules key={chosen.id} object={chosen} />}
    </>
  )
}

function AllRules() {
  const answer = useQuery(overridesQuery)
  const [edited, setEdited] = useState<Edited | null>(null)
  const refusal = useOverrideRefusal()
  const { sorting, sorted } = useSortedRows(SORTED)
  if (answer.data === undefined) {
    return <NotYet answer={answer} rowHeight={ROW_HEIGHT} failedText={LIST_FAILED} />
  }
  const byRule = Map.groupBy(answer.data.data, ({ rule }) => rule)
  return (
    <>
      <TableFrame label="Alarm rules" columns={COLUMNS} rowHeight={ROW_HEIGHT} sorting={sorting}>
        <tbody>
          {sorted(ALARM_RULES).map((rule) => (
            <Fragment key={rule}>
              <RuleRow rule={rule} refusal={refusal} onAdd={() => setEdited({ rule })} />
              {byRule.get(rule)?.map((override) => (
                <OverrideRow
                  key={override.id}
                  override={override}
                  refusal={refusal}
                  onEdit={() => setEdited({ override })}
                />
              ))}
            </Fragment>
          ))}
        </tbody>
      </TableFrame>
      {edited !== null && (
        <OverrideDialog
          override={'override' in edited ? edited.override : null}
          covers={null}
          rule={'override' in edited ? edited.override.rule : edited.rule}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

interface RuleRowProps {
  rule: AlarmRule
  refusal: string | null
  onAdd: () => void
}

function RuleRow({ rule, refusal, onAdd }: RuleRowProps) {
  const { title, severity, raiseAfterMs, clearAfterMs } = RULES[rule]
  return (
    <Row>
      <th scope="row" data-phone="1">
        <RuleName rule={rule} />
      </th>
      <td data-phone="1-end">
        <SeverityMark severity={severity} />
      </td>
      <td className={classes.threshold} data-phone="2-right">
        {thresholdText(rule, defaultThreshold(rule)) ?? ''}
      </td>
      <td data-phone="2-left">
        <span className={classes.phone}>Raised after </span>
        {delayText(raiseAfterMs)}
      </td>
      <td data-phone="3-left">
        <span className={classes.phone}>Cleared after </span>
        {delayText(clearAfterMs)}
      </td>
      <ButtonsCell data-phone="3-end">
        <IconButton
          tone="quiet"
          size={28}
          icon="plus"
          label={`Override ${title}`}
          disabledReason={refusal}
          onClick={onAdd}
        />
      </ButtonsCell>
    </Row>
  )
}

function RuleName({ rule }: { rule: AlarmRule }) {
  return (
    <div className={classes.rule} title={RULE_MEANINGS[rule]}>
      <b>{RULES[rule].title}</b>
      <span className={classes.meaning}>{RULE_MEANINGS[rule]}</span>
    </div>
  )
}

interface OverrideRowProps {
  override: AlarmOverride
  refusal: string | null
  onEdit: () => void
}

function OverrideRow({ override, refusal, onEdit }: OverrideRowProps) {
  const { covers, isOff, severity, raiseAfterSeconds, clearAfterSeconds } = override
  const remove = useRemoveOverride(override)
  const isRemoved = useIsRemoved(override)
  const title = overrideText(override)
  const common = { tone: 'quiet', size: 28, disabledReason: isRemoved ? '' : refusal } as const
  return (
    <Row isBusy={isRemoved}>
      <th scope="row" data-phone="1" className={classes.covers}>
        <CellLine>
          <Tag>{COVERED_WORDS[covers.kind]}</Tag> {covers.title || REMOVED_TITLE}
        </CellLine>
      </th>
      <td data-phone="1-end">
        {isOff === true ? (
          'Off'
        ) : severity === null ? (
          <Kept />
        ) : (
          <SeverityMark severity={severity} />
        )}
        {isOff === false && ' On'}
      </td>
      <td data-phone="2-right">
        <ThresholdKept rule={override.rule} threshold={override.threshold} />
      </td>
      <td data-phone="2-left">
        <span className={classes.phone}>Raised after </span>
        <Delay seconds={raiseAfterSeconds} />
      </td>
      <td data-phone="3-left">
        <span className={classes.phone}>Cleared after </span>
        <Delay seconds={clearAfterSeconds} />
      </td>
      <ButtonsCell data-phone="3-end">
        <IconButton {...common} icon="pencil" label={`Change ${title}`} onClick={onEdit} />
        <IconButton
          {...common}
          icon="bin"
          label={`Delete ${title}`}
          onClick={() => void remove()}
        />
      </ButtonsCell>
    </Row>
  )
}

function Delay({ seconds }: { seconds: number | null }) {
  return seconds === null ? <Kept /> : delayText(seconds * 1000)
}

/** Nothing of a rule that judges no figure. */
function ThresholdKept({ rule, threshold }: Pick<AlarmOverride, 'rule' | 'threshold'>) {
  if (defaultThreshold(rule) === null) return null
  return thresholdText(rule, threshold) ?? <Kept />
}

function Kept() {
  return <span className={classes.kept}>unchanged</span>
}
