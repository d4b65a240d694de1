/** Who is notified of alarms, by what, and what became of each message. */
import {
  DELIVERY_STATES,
  type NotificationDelivery,
  type NotificationRule,
} from '@trunkline/contract/notifications/notification.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { ButtonAnchor, ButtonLink } from '../shared/page/ButtonLink.tsx'
import { usePageQuery } from '../shared/page/page-query.hook.ts'
import { useRole } from '../lib/session.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { useListAddress } from '../shared/list/list-address.hook.ts'
import { ListState } from '../shared/list/ListState.tsx'
import { useRefresh } from '../shared/list/refresh.hook.ts'
import { useSortedPage } from '../shared/list/sorted-rows.hook.ts'
import { TablePage } from '../shared/list/TablePage.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { Button, IconButton } from '../ui/button/Button.tsx'
import { Segmented } from '../ui/choice/Segmented.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import { TableFrame } from '../ui/table/Table.tsx'
import { DeliveriesTable } from './DeliveriesTable.tsx'
import { NOTIFICATIONS, RULES_FAILED } from './notification.messages.ts'
import { NOTIFICATION_KEY, rulesQuery } from './notification.queries.ts'
import classes from './NotificationsPage.module.css'
import { RuleDialog } from './RuleDialog.tsx'
import { RULE_COLUMNS, RULE_SORT_VALUES, RuleRow } from './RuleRow.tsx'
import { TestResultDialog } from './TestResultDialog.tsx'

const ROW_HEIGHT = 36
const SORTED = {
  table: 'notificationRules',
  values: RULE_SORT_VALUES,
} as const
const VIEWS = [
  { value: 'rules', label: 'Rules', count: null },
  { value: 'sent', label: 'Sent', count: null },
] as const

export function NotificationsPage() {
  const isAllowed = mayDo(useRole(), 'editNotifications')
  if (isAllowed) return <Notifications />
  return (
    <TablePage>
      <PageHead title={NOTIFICATIONS} tools={<BackToAlarms />} />
      <div className={classes.place}>
        <Empty title="Only admins see and edit notifications">
          Ask an admin if you should be notified of alarms.
        </Empty>
      </div>
    </TablePage>
  )
}

function Notifications() {
  const { values, change } = useListAddress({
    usual: { view: () => 'rules', state: () => '' },
    place: 'address',
    isShown: true,
  })
  const view = values.view === 'sent' ? 'sent' : 'rules'
  const [edited, setEdited] = useState<NotificationRule | 'new' | null>(null)
  const { isWaiting, refresh } = useRefresh(NOTIFICATION_KEY)
  const { data } = usePageQuery(rulesQuery())
  const add = () => setEdited('new')
  useShortcut('n', add)
  useShortcut('r', refresh)
  return (
    <TablePage>
      <PageHead
        title={NOTIFICATIONS}
        views={
          <Segmented
            label="View"
            segments={VIEWS}
            value={view}
            onChange={(next) => change({ view: next }, 'push')}
          />
        }
        tools={
          <>
            <BackToAlarms />
            <ButtonAnchor href="/TRUNKLINE-MIB.txt" download>
              SNMP MIB
            </ButtonAnchor>
            <IconButton
              icon="refresh"
              label="Refresh"
              disabledReason={isWaiting ? '' : null}
              onClick={refresh}
            />
            <Button tone="primary" icon="plus" onClick={add}>
              Add rule
            </Button>
          </>
        }
      />
      {view === 'rules' ? (
        <Rules onEdit={setEdited} onAdd={add} />
      ) : (
        <DeliveriesTable
          state={DELIVERY_STATES.find((state) => state === values.state) ?? ''}
          onState={(state) => change({ state }, 'push')}
        />
      )}
      {edited !== null && (
        <RuleDialog
          rule={edited === 'new' ? null : edited}
          snmpEngineId={data?.snmpEngineId ?? ''}
          onClose={() => setEdited(null)}
        />
      )}
    </TablePage>
  )
}

function BackToAlarms() {
  return (
    <ButtonLink to="/dashboard/alarm" preload={false}>
      Alarms
    </ButtonLink>
  )
}

interface RulesProps {
  onEdit: (rule: NotificationRule) => void
  onAdd: () => void
}

function Rules({ onEdit, onAdd }: RulesProps) {
  const [tested, setTested] = useState<NotificationDelivery | null>(null)
  const answer = usePageQuery(rulesQuery())
  const rules = answer.data?.data
  const { sorting, sorted } = useSortedPage(SORTED)
  const empty = (
    <Empty title="No notification rules yet" action={<Button onClick={onAdd}>Add rule</Button>}>
      A rule sends alarms by e-mail, webhook or SNMP. Each alarm is sent once with everything that
      it causes, and again when it is cleared.
    </Empty>
  )
  return (
    <>
      <ListState
        rows={rules}
        answer={answer}
        rowHeight={ROW_HEIGHT}
        failedText={RULES_FAILED}
        empty={empty}
      />
      {rules !== undefined && rules.length > 0 && (
        <TableFrame
          label="Notification rules"
          columns={RULE_COLUMNS}
          rowHeight={ROW_HEIGHT}
          sorting={sorting}
        >
          <tbody>
            {sorted(rules).map((rule) => (
              <RuleRow key={rule.id} rule={rule} onEdit={() => onEdit(rule)} onTested={setTested} />
            ))}
          </tbody>
        </TableFrame>
      )}
      {tested !== null && <TestResultDialog delivery={tested} onClose={() => setTested(null)} />}
    </>
  )
}
