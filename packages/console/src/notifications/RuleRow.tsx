/** A notification rule: what it sends to whom, and how the last message went. */
import { SEVERITIES } from '@trunkline/contract/alarms/open-alarms.schema'
import type {
  NotificationDelivery,
  NotificationRule,
} from '@trunkline/contract/notifications/notification.schema'
import { clockText } from '../shared/clock-text.rules.ts'
import { UNKNOWN } from '../shared/format.ts'
import { Button, IconButton } from '../ui/button/Button.tsx'
import { type Column, ButtonsCell, NameButton, Row } from '../ui/table/Table.tsx'
import { DeliveryStateMark } from './DeliveryStateMark.tsx'
import { useRemoveRule, useTestRule } from './notification.actions.ts'
import { KIND_NAMES, SEVERITY_CHOICES } from './notification.messages.ts'
import classes from './NotificationsPage.module.css'

export const RULE_COLUMNS: readonly Column[] = [
  { head: 'Rule', sort: 'title', isOwnOrder: true, width: [260, 200] },
  { head: 'Sent by', sort: 'kind', width: 100 },
  { head: 'To', sort: 'to' },
  { head: 'Severity', sort: 'severity', width: [160, 140] },
  { head: 'Last message', sort: 'last', width: [200, 160] },
  { head: 'Actions', width: 160, align: 'buttons' },
]

export const RULE_SORT_VALUES = {
  title: ({ title }: NotificationRule) => title,
  kind: ({ target }: NotificationRule) => KIND_NAMES[target.kind],
  to: ({ target }: NotificationRule) => targetText(target),
  /** Those that are switched off send nothing. */
  severity: ({ isEnabled, severity }: NotificationRule) =>
    isEnabled ? SEVERITIES.indexOf(severity) : null,
  last: ({ last }: NotificationRule) => (last === null ? null : Date.parse(last.createdAt)),
}

interface RuleRowProps {
  rule: NotificationRule
  onEdit: () => void
  onTested: (delivery: NotificationDelivery) => void
}

export function RuleRow({ rule, onEdit, onTested }: RuleRowProps) {
  const remove = useRemoveRule(rule)
  const test = useTestRule(rule, onTested)
  const { title, target } = rule
  const to = targetText(target)
  return (
    <Row family={rule.isEnabled ? undefined : 'off'}>
      <th scope="row" data-phone="1">
        <NameButton title={title} onClick={onEdit}>
          {title}
        </NameButton>
      </th>
      <td data-phone="2">{KIND_NAMES[target.kind]}</td>
      <td className={classes.quiet} title={to} data-phone="3-wide">
        {to}
      </td>
      <td data-phone="4">{rule.isEnabled ? SEVERITY_CHOICES[rule.severity] : 'Switched off'}</td>
      <td data-phone="4-end" title={rule.last?.answer ?? ''}>
        <Last rule={rule} />
      </td>
      <ButtonsCell>
        <Button
          size={28}
          aria-label={`Test ${title}`}
          aria-busy={test.isPending || undefined}
          disabledReason={test.isPending ? '' : null}
          onClick={test.run}
        >
          Test
        </Button>
        <IconButton icon="pencil" label={`Edit ${title}`} tone="quiet" size={28} onClick={onEdit} />
        <IconButton
          icon="bin"
          label={`Delete ${title}`}
          tone="quiet"
          size={28}
          onClick={() => void remove()}
        />
      </ButtonsCell>
    </Row>
  )
}

function Last({ rule: { last, waiting } }: Pick<RuleRowProps, 'rule'>) {
  if (last === null) return <span className={classes.quiet}>{UNKNOWN}</span>
  const more = waiting > 1 ? ` (${waiting})` : ''
  return (
    <span className={classes.state}>
      <DeliveryStateMark state={last.state} />
      {more}
      <span className={classes.quiet}>{clockText(Date.parse(last.createdAt)).slice(5)}</span>
    </span>
  )
}

function targetText(target: NotificationRule['target']): string {
  switch (target.kind) {
    case 'email':
      return target.to.join(', ')
    case 'webhook':
      return target.url
    case 'snmp':
      return `${target.host}:${target.port}, v${target.version} ${target.type}`
  }
}
