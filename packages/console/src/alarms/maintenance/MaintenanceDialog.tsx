/** Plans a maintenance window, or changes one. */
import { MaintenanceWindow } from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { FormSelect, FormText } from '../../forms/DialogFields.tsx'
import { type Form, readCurrentBy, useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { Leaving } from '../../forms/leave/Leaving.tsx'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { ChoiceList } from '../../ui/choice/ChoiceList.tsx'
import { useSaveWindow } from './maintenance.actions.ts'
import { DAY_CHOICES, weekdaysIn } from '../../shared/weekday.messages.ts'
import * as text from './maintenance.messages.ts'
import {
  checkWindow,
  newValues,
  valuesOf,
  WINDOW_FIELDS,
  WINDOW_LABELS,
  type StartCovers,
  type WindowValues,
} from './maintenance-form.rules.ts'
import { CoversFields } from '../CoversFields.tsx'
import fieldRow from '../../ui/field/FieldRow.module.css'

interface MaintenanceDialogProps {
  /** As it was when the dialog was opened; null for a new one. */
  window: MaintenanceWindow | null
  /** Of a new one: what it covers, and what that is called. */
  covers: (StartCovers & { title: string }) | null
  onClose: () => void
}

const REPEATS = [
  { value: 'once', label: 'Once' },
  { value: 'weekly', label: 'Every week' },
] as const

export function MaintenanceDialog({ window, covers, onClose }: MaintenanceDialogProps) {
  const nowMs = useApiNow()
  const save = useSaveWindow(window)
  const start = covers ?? NOTHING_YET
  const form = useForm<WindowValues>({
    initial:
      window === null
        ? newValues({ kind: start.kind, id: start.id }, nowMs)
        : valuesOf(window, nowMs),
    version: window?.version ?? null,
    check: checkWindow,
    save,
    onSaved: onClose,
    keptAs: ['maintenance', start.kind, start.id, window?.id],
    labels: WINDOW_LABELS,
    fields: WINDOW_FIELDS,
    fallback: text.SAVE_FAILED,
    readCurrent: readCurrentBy(MaintenanceWindow, (saved) => valuesOf(saved, nowMs)),
  })
  const fixed = window?.covers ?? covers
  return (
    <FormDialog
      title={window === null ? 'Plan maintenance' : 'Change maintenance'}
      subtitle={
        fixed === null ? undefined : `${text.COVERED_WORDS[fixed.kind]} ${fixed.title || fixed.id}`
      }
      width={440}
      form={form}
      saveLabel={window === null ? 'Plan' : 'Save'}
      onClose={onClose}
    >
      <FormText
        form={form}
        name="title"
        data-autofocus
        hint="What is being done. Shown with the alarms that it silences."
      />
      {fixed === null && <CoversFields form={form} />}
      <FormSelect form={form} name="repeats" choices={REPEATS} />
      {form.values.repeats === 'once' ? (
        <div className={fieldRow.pair}>
          <FormText form={form} name="from" />
          <FormText form={form} name="until" />
        </div>
      ) : (
        <WeeklyFields form={form} />
      )}
    </FormDialog>
  )
}

const NOTHING_YET = { kind: 'group', id: '' } as const

function WeeklyFields({ form }: { form: Form<WindowValues> }) {
  const { days } = form.values
  return (
    <>
      <Leaving onLeave={() => form.leave('days')}>
        <ChoiceList
          label={WINDOW_LABELS.days}
          kind="many"
          choices={DAY_CHOICES}
          chosen={days}
          onChange={(chosen) => form.set({ days: weekdaysIn(chosen) })}
          error={form.errorOf('days')}
          emptyText=""
        />
      </Leaving>
      <div className={fieldRow.pair}>
        <FormText form={form} name="startsAt" />
        <FormText form={form} name="lasts" />
      </div>
    </>
  )
}
