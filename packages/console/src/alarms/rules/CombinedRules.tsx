/** What applies of each rule to one object, where each setting comes from, and the way to change it there. */
import { useQuery } from '@tanstack/react-query'
import { RULES } from '@trunkline/contract/alarms/alarm.rules'
import { SEVERITIES, type AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import type {
  AlarmOverride,
  CombinedRule,
} from '@trunkline/contract/alarms/overrides/override.schema'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { useState } from 'react'
import { NotYet } from '../../shared/list/ListState.tsx'
import { useSortedRows } from '../../shared/list/sorted-rows.hook.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { ButtonsCell, Row, TableFrame, type Column } from '../../ui/table/Table.tsx'
import { COVERED_WORDS } from '../maintenance/maintenance.messages.ts'
import { combinedQuery } from './combined.queries.ts'
import { sourcesOf, type RuleSource } from './combined.rules.ts'
import { OVERRIDE_DIALOG } from './override.loader.ts'
import {
  COMBINED_FAILED,
  delayText,
  REMOVED_TITLE,
  RULE_MEANINGS,
  thresholdText,
} from './override.messages.ts'
import { overridesQuery } from './override.queries.ts'
import { useOverrideRefusal } from './override-refusal.hook.ts'
import { SeverityMark } from './SeverityMark.tsx'
import classes from './RulesView.module.css'

const ROW_HEIGHT = 36
const COLUMNS: readonly Column[] = [
  { head: 'Rule', sort: 'title', width: 190 },
  { head: 'Severity', sort: 'severity', width: 130 },
  { head: 'Threshold', width: [200, 170] },
  { head: 'Raised after', sort: 'raised', width: [130, 110] },
  { head: 'Cleared after', sort: 'cleared', width: [130, 110] },
  { head: 'From' },
  { head: 'Actions', width: 72, align: 'buttons' },
]
const SORTED = {
  table: 'combinedRules',
  values: {
    title: ({ rule }: CombinedRule) => RULES[rule].title,
    severity: ({ isOff, severity }: CombinedRule) => (isOff ? null : SEVERITIES.indexOf(severity)),
    raised: ({ raiseAfterMs }: CombinedRule) => raiseAfterMs,
    cleared: ({ clearAfterMs }: CombinedRule) => clearAfterMs,
  },
} as const

export interface RuledObject {
  kind: ObservedKind
  id: string
  title: string
}

interface Edited {
  rule: AlarmRule
  /** Null: a new one for the object. */
  override: AlarmOverride | null
}

export function CombinedRules({ object }: { object: RuledObject }) {
  const answer = useQuery(combinedQuery(object.kind, object.id))
  const overrides = useQuery(overridesQuery)
  const [edited, setEdited] = useState<Edited | null>(null)
  const { sorting, sorted } = useSortedRows(SORTED)
  if (answer.data === undefined || overrides.isPending) {
    return <NotYet answer={answer} rowHeight={ROW_HEIGHT} failedText={COMBINED_FAILED} />
  }
  const known = overrides.data?.data ?? []
  return (
    <>
      <TableFrame
        label={`Alarm rules of ${object.title}`}
        columns={COLUMNS}
        rowHeight={ROW_HEIGHT}
        sorting={sorting}
      >
        <tbody>
          {sorted(answer.data.data).map((combined) => (
            <CombinedRow
              key={combined.rule}
              combined={combined}
              object={object}
              overrides={known}
              onEdit={(override) => setEdited({ rule: combined.rule, override })}
            />
          ))}
        </tbody>
      </TableFrame>
      {edited !== null && (
        <LaterDialog
          part={OVERRIDE_DIALOG}
          props={{ ...edited, covers: object, onClose: () => setEdited(null) }}
        />
      )}
    </>
  )
}

interface CombinedRowProps {
  combined: CombinedRule
  object: RuledObject
  overrides: readonly AlarmOverride[]
  onEdit: (override: AlarmOverride | null) => void
}

function CombinedRow({ combined, object, overrides, onEdit }: CombinedRowProps) {
  const { rule, isOff, severity, threshold, raiseAfterMs, clearAfterMs } = combined
  const refusal = useOverrideRefusal()
  const { title } = RULES[rule]
  const own = overrides.find(
    ({ covers, rule: of }) => of === rule && covers.kind === object.kind && covers.id === object.id,
  )
  return (
    <Row>
      <th scope="row" data-phone="1" title={RULE_MEANINGS[rule]}>
        {title}
      </th>
      <td data-phone="1-end">{isOff ? 'Off' : <SeverityMark severity={severity} />}</td>
      <td className={classes.threshold} data-phone="2-right">
        {thresholdText(rule, threshold) ?? ''}
      </td>
      <td data-phone="2-left">
        <span className={classes.phone}>Raised after </span>
        {delayText(raiseAfterMs)}
      </td>
      <td>{delayText(clearAfterMs)}</td>
      <td data-phone="3">
        <Sources sources={sourcesOf(combined, overrides)} refusal={refusal} onEdit={onEdit} />
      </td>
      <ButtonsCell data-phone="3-end">
        <IconButton
          tone="quiet"
          size={28}
          icon={own === undefined ? 'plus' : 'pencil'}
          label={`${own === undefined ? 'Override' : 'Change'} ${title} for ${object.title}`}
          disabledReason={refusal}
          onClick={() => onEdit(own ?? null)}
        />
      </ButtonsCell>
    </Row>
  )
}

interface SourcesProps {
  sources: readonly RuleSource[]
  refusal: string | null
  onEdit: (override: AlarmOverride) => void
}

function Sources({ sources, refusal, onEdit }: SourcesProps) {
  if (sources.length === 0) return <span className={classes.kept}>default</span>
  return (
    <div className={classes.sources}>
      {sources.map(({ override, fields }) => (
        <span key={override?.id ?? 'hidden'} className={classes.source}>
          {override === null ? (
            'another group'
          ) : (
            <Button size={28} disabledReason={refusal} onClick={() => onEdit(override)}>
              {COVERED_WORDS[override.covers.kind]} {override.covers.title || REMOVED_TITLE}
            </Button>
          )}
          <span className={classes.kept}>{fields.join(', ')}</span>
        </span>
      ))}
    </div>
  )
}
