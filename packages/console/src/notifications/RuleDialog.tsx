/** 'Notification rule': makes a rule, or changes one. */
import { SEVERITIES } from '@trunkline/contract/alarms/open-alarms.schema'
import {
  NOTIFICATION_KINDS,
  NotificationRule,
} from '@trunkline/contract/notifications/notification.schema'
import { LANGUAGES } from '@trunkline/contract/session/language.rules'
import { FormSelect, FormText } from '../forms/DialogFields.tsx'
import { type Form, readCurrentBy, useForm } from '../forms/form.hook.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { Leaving } from '../forms/leave/Leaving.tsx'
import { LANGUAGE_NAMES } from '../lib/locale/language.ts'
import { useChoices } from '../shared/choices/choices.hook.ts'
import { GROUPS } from '../shared/choices/group.queries.ts'
import { ChoiceList } from '../ui/choice/ChoiceList.tsx'
import { useSaveRule } from './notification.actions.ts'
import {
  checkRule,
  DEFAULT_PORTS,
  RULE_LABELS,
  RULE_NAMES,
  type RuleValues,
  valuesOf,
} from './notification-form.rules.ts'
import * as text from './notification.messages.ts'
import classes from './NotificationsPage.module.css'
import fieldRow from '../ui/field/FieldRow.module.css'
import { TargetFields } from './TargetFields.tsx'

interface RuleDialogProps {
  /** As it was when the dialog was opened; null for a new rule. */
  rule: NotificationRule | null
  snmpEngineId: string
  onClose: () => void
}

const YES_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const

export function RuleDialog({ rule, snmpEngineId, onClose }: RuleDialogProps) {
  const save = useSaveRule(rule)
  const form = useForm<RuleValues>({
    initial: valuesOf(rule),
    version: rule?.version ?? null,
    check: (values) => checkRule(values, rule),
    save,
    onSaved: onClose,
    keptAs: ['notification-rule', rule?.id],
    labels: RULE_LABELS,
    fields: RULE_NAMES,
    fallback: rule === null ? text.ADD_FAILED : text.SAVE_FAILED,
    readCurrent: readCurrentBy(NotificationRule, valuesOf),
  })
  return (
    <FormDialog
      title="Notification rule"
      subtitle={rule?.title}
      width={720}
      form={form}
      saveLabel={rule === null ? 'Add rule' : 'Save'}
      onClose={onClose}
    >
      <div className={fieldRow.columns}>
        <div className={fieldRow.column}>
          <FormText form={form} name="title" data-autofocus />
          <div className={classes.pair}>
            <FormSelect form={form} name="isEnabled" choices={YES_NO} />
            <FormSelect
              form={form}
              name="severity"
              choices={SEVERITIES.map((value) => ({ value, label: text.SEVERITY_CHOICES[value] }))}
            />
          </div>
          <GroupsField form={form} />
          <PaceFields form={form} />
        </div>
        <div className={fieldRow.column}>
          <div className={classes.pair}>
            <FormSelect
              form={form}
              name="kind"
              choices={NOTIFICATION_KINDS.map((value) => ({
                value,
                label: text.KIND_NAMES[value],
              }))}
              onChange={(kind) => form.set({ kind, port: DEFAULT_PORTS[kind] })}
            />
            <FormSelect
              form={form}
              name="language"
              choices={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
              hint={text.LANGUAGE_HINTS[form.values.kind]}
            />
          </div>
          <TargetFields form={form} rule={rule} snmpEngineId={snmpEngineId} />
        </div>
      </div>
    </FormDialog>
  )
}

function PaceFields({ form }: { form: Form<RuleValues> }) {
  return (
    <>
      <div className={classes.pair}>
        <FormText
          form={form}
          name="delaySeconds"
          inputMode="numeric"
          hint="Alarms cleared sooner are not sent."
        />
        <FormText
          form={form}
          name="groupingSeconds"
          inputMode="numeric"
          hint="Alarms in this time go in one message."
        />
      </div>
      <div className={classes.pair}>
        <FormText
          form={form}
          name="repeatMinutes"
          inputMode="numeric"
          hint="Until acknowledged. 0: no repeats."
        />
        <FormSelect form={form} name="sendsCleared" choices={YES_NO} />
      </div>
    </>
  )
}

function GroupsField({ form }: { form: Form<RuleValues> }) {
  const { rows, more, onType, known, isRead } = useChoices(GROUPS, '')
  const { groupIds } = form.values
  const isListed = new Set(rows.map(({ _id }) => _id))
  const others = groupIds.filter((id) => !isListed.has(id))
  const choices = [
    ...others.map((id) => ({ value: id, label: known(id)?.title ?? `Group ${id}` })),
    ...rows.map(({ _id, title }) => ({ value: _id, label: title })),
  ]
  return (
    <Leaving onLeave={() => form.leave('groupIds')}>
      <ChoiceList
        label={groupIds.length === 0 ? `${RULE_LABELS.groupIds}: all` : RULE_LABELS.groupIds}
        kind="many"
        choices={choices}
        more={more}
        onType={onType}
        chosen={groupIds}
        onChange={(next) => form.set({ groupIds: [...next] })}
        error={form.errorOf('groupIds')}
        emptyText={isRead ? 'No groups yet.' : 'Reading groups …'}
      />
    </Leaving>
  )
}
