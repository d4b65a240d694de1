/** Adds an override of an alarm rule, or changes one. */
import { RULES } from '@trunkline/contract/alarms/alarm.rules'
import {
  ALARM_RULES,
  SEVERITIES,
  type AlarmRule,
} from '@trunkline/contract/alarms/open-alarms.schema'
import { THRESHOLDS } from '@trunkline/contract/alarms/threshold.rules'
import { canOverride } from '@trunkline/contract/alarms/overrides/override.rules'
import { AlarmOverride } from '@trunkline/contract/alarms/overrides/override.schema'
import { FormSelect, FormText } from '../../forms/DialogFields.tsx'
import { type Form, readCurrentBy, useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { SEVERITY_WORDS } from '../alarm.messages.ts'
import { CoversFields } from '../CoversFields.tsx'
import fieldRow from '../../ui/field/FieldRow.module.css'
import { COVERED_WORDS } from '../maintenance/maintenance.messages.ts'
import { useSaveOverride } from './override.actions.ts'
import {
  checkOverride,
  newOverride,
  OVERRIDE_FIELDS,
  OVERRIDE_LABELS,
  valuesOf,
  type OverrideValues,
} from './override-form.rules.ts'
import { delayText, RULE_MEANINGS, SAVE_FAILED, thresholdText } from './override.messages.ts'

interface OverrideDialogProps {
  /** As it was when the dialog was opened; null for a new one. */
  override: AlarmOverride | null
  /** Of a new one: what it covers, where that is known. */
  covers: AlarmOverride['covers'] | null
  /** Of a new one. */
  rule: AlarmRule
  onClose: () => void
}

const KEEP = { value: '', label: 'As without this override' } as const
const RAISES = [KEEP, { value: 'yes', label: 'Yes' }, { value: 'no', label: 'No, off' }] as const
const SEVERITY_CHOICES = [
  KEEP,
  ...SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value] })),
]

/** Of a rule that judges a figure; '' keeps it. */
function ThresholdField({ form }: { form: Form<OverrideValues> }) {
  const { rule } = form.values
  const threshold = THRESHOLDS[rule]
  if (threshold === undefined) return null
  const choices = threshold.steps.map((step) => ({
    value: String(step),
    label: thresholdText(rule, step) ?? '',
  }))
  return (
    <FormSelect
      form={form}
      name="threshold"
      choices={[KEEP, ...choices]}
      hint={`Default ${thresholdText(rule, threshold.default)}.`}
    />
  )
}

export function OverrideDialog({ override, covers, rule, onClose }: OverrideDialogProps) {
  const save = useSaveOverride(override)
  const { kind, id } = covers ?? ({ kind: 'group', id: '' } as const)
  const form = useForm<OverrideValues>({
    initial: override === null ? newOverride({ kind, id }, rule) : valuesOf(override),
    version: override?.version ?? null,
    check: checkOverride,
    save,
    onSaved: onClose,
    keptAs: ['override', kind, id, rule, override?.id],
    labels: OVERRIDE_LABELS,
    fields: OVERRIDE_FIELDS,
    fallback: SAVE_FAILED,
    readCurrent: readCurrentBy(AlarmOverride, valuesOf),
  })
  const fixed = override?.covers ?? covers
  const { values } = form
  const settings = RULES[values.rule]
  const rules = ALARM_RULES.filter((each) => canOverride(values.kind, each))
  return (
    <FormDialog
      title={override === null ? 'Override alarm rule' : 'Change override'}
      subtitle={
        fixed === null ? undefined : `${COVERED_WORDS[fixed.kind]} ${fixed.title || fixed.id}`
      }
      width={560}
      form={form}
      saveLabel={override === null ? 'Add' : 'Save'}
      onClose={onClose}
    >
      {override === null ? (
        <FormSelect
          form={form}
          name="rule"
          choices={rules.map((value) => ({ value, label: RULES[value].title }))}
          // Its steps are those of the rule.
          onChange={(next) => form.set({ rule: next, threshold: '' })}
        />
      ) : (
        <p>
          <b>{settings.title}.</b> {RULE_MEANINGS[values.rule]}
        </p>
      )}
      {fixed === null && <CoversFields form={form} />}
      <div className={fieldRow.pair}>
        <FormSelect form={form} name="raises" choices={RAISES} />
        <FormSelect form={form} name="severity" choices={SEVERITY_CHOICES} />
        <ThresholdField form={form} />
        <FormText
          form={form}
          name="raiseAfter"
          inputMode="numeric"
          hint={`Leave empty to keep it; default ${delayText(settings.raiseAfterMs)}.`}
        />
        <FormText
          form={form}
          name="clearAfter"
          inputMode="numeric"
          hint={`Leave empty to keep it; default ${delayText(settings.clearAfterMs)}.`}
        />
      </div>
    </FormDialog>
  )
}
