/** Adds a schedule of an object, or changes one. */
import { commandsOf } from '@trunkline/contract/schedules/schedule.rules'
import {
  SCHEDULE_NOTE_CHARACTERS,
  Schedule,
  type ScheduleSource,
} from '@trunkline/contract/schedules/schedule.schema'
import { useMemo } from 'react'
import { FormSelect, FormText } from '../forms/DialogFields.tsx'
import { type Form, readCurrentBy, useForm } from '../forms/form.hook.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { Leaving } from '../forms/leave/Leaving.tsx'
import { apiNowMs } from '../lib/live/live-store.ts'
import type { OnAirObject } from '../lib/on-air.ts'
import { KIND_WORDS } from '../shared/kind.messages.ts'
import { COMMAND_WORDS, momentText } from '../shared/schedules/schedule.messages.ts'
import { ChoiceList } from '../ui/choice/ChoiceList.tsx'
import { Band } from '../ui/notice/Notice.tsx'
import { scheduleName, useSaveSchedule } from './schedule.actions.ts'
import {
  checkSchedule,
  firstAt,
  newValues,
  SCHEDULE_FIELDS,
  SCHEDULE_LABELS,
  sharedWith,
  valuesOf,
  type ScheduleValues,
} from './schedule-form.rules.ts'
import { DAY_CHOICES, weekdaysIn } from '../shared/weekday.messages.ts'
import { firstText, SAVE_FAILED, sharedText } from './schedule.messages.ts'
import fieldRow from '../ui/field/FieldRow.module.css'

interface ScheduleFormProps {
  object: OnAirObject
  /** As it was when the form was opened; null for a new one. */
  schedule: Schedule | null
  /** Of a channel; empty of anything else. */
  sources: readonly ScheduleSource[]
  /** The other schedules of this object. */
  others: readonly Schedule[]
  onClose: () => void
}

const REPEATS = [
  { value: 'once', label: 'Once' },
  { value: 'weekly', label: 'Every week' },
] as const

const ON_AIR = [
  { value: 'no', label: 'Refuse it' },
  { value: 'yes', label: 'Carry it out' },
] as const

export function ScheduleForm(props: ScheduleFormProps) {
  const { object, schedule, sources, onClose } = props
  const save = useSaveSchedule(object, schedule, sources)
  const form = useForm<ScheduleValues>({
    initial:
      schedule === null
        ? newValues(apiNowMs(), Intl.DateTimeFormat().resolvedOptions().timeZone)
        : valuesOf(schedule, apiNowMs()),
    version: schedule?.version ?? null,
    check: (values) => checkSchedule(values, sources, apiNowMs()),
    save,
    onSaved: onClose,
    keptAs: ['schedule', object.kind, object.id, schedule?.id],
    labels: SCHEDULE_LABELS,
    fields: SCHEDULE_FIELDS,
    fallback: SAVE_FAILED,
    readCurrent: readCurrentBy(Schedule, (saved) => valuesOf(saved, apiNowMs())),
  })
  const { values } = form
  const commands = commandsOf(object.kind)
    .filter((command) => command !== 'switch' || sources.length > 0)
    .map((value) => ({ value, label: COMMAND_WORDS[value] }))
  return (
    <FormDialog
      title={schedule === null ? 'Add schedule' : 'Change schedule'}
      subtitle={`${KIND_WORDS[object.kind]} ${object.title}`}
      width={560}
      form={form}
      saveLabel={schedule === null ? 'Add' : 'Save'}
      onClose={onClose}
    >
      <div className={fieldRow.pair}>
        <FormSelect form={form} name="command" choices={commands} data-autofocus />
        <FormSelect form={form} name="repeats" choices={REPEATS} />
      </div>
      {values.command === 'switch' && <SourceField form={form} sources={sources} />}
      <TimeFields form={form} />
      {schedule?.isEnabled !== false && <SharedMinute values={values} others={props.others} />}
      {values.command !== 'start' && (
        <FormSelect
          form={form}
          name="alsoOnAir"
          choices={ON_AIR}
          hint="What happens if it would interrupt something that is on air at that time."
        />
      )}
      <FormText
        form={form}
        name="note"
        maxLength={SCHEDULE_NOTE_CHARACTERS}
        hint="Which programme it is, or whom to call."
      />
    </FormDialog>
  )
}

function SourceField({
  form,
  sources,
}: Pick<ScheduleFormProps, 'sources'> & { form: Form<ScheduleValues> }) {
  const choices = [
    { value: '', label: 'Choose a source' },
    ...sources.map(({ index, url }) => ({ value: String(index), label: `${index + 1}: ${url}` })),
  ]
  return (
    <FormSelect
      form={form}
      name="source"
      choices={choices}
      hint="If the list of sources has changed by then, the switch fails and is reported."
    />
  )
}

function SharedMinute({
  values,
  others,
}: Pick<ScheduleFormProps, 'others'> & { values: ScheduleValues }) {
  const shared = useMemo(() => sharedWith(values, others, apiNowMs()), [values, others])
  if (shared === null) return null
  return (
    <Band family="warn" shape="triangle">
      {sharedText(scheduleName(shared.other), momentText(shared.at, values.timeZone))}
    </Band>
  )
}

/** The chosen zone may be one that this browser does not list, such as UTC. */
function zonesWith(chosen: string) {
  const names = new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])
  return [...names].map((value) => ({ value, label: value }))
}

function TimeFields({ form }: { form: Form<ScheduleValues> }) {
  const { repeats, days, timeZone } = form.values
  const zones = useMemo(() => zonesWith(timeZone), [timeZone])
  const first = firstAt(form.values, apiNowMs())
  const hint = first === null ? undefined : firstText(repeats, momentText(first, timeZone))
  return (
    <>
      {repeats === 'weekly' && (
        <Leaving onLeave={() => form.leave('days')}>
          <ChoiceList
            label={SCHEDULE_LABELS.days}
            kind="many"
            choices={DAY_CHOICES}
            chosen={days}
            onChange={(chosen) =>
              form.set({
                days: weekdaysIn(chosen),
              })
            }
            error={form.errorOf('days')}
            emptyText=""
          />
        </Leaving>
      )}
      <div className={fieldRow.pair}>
        <FormText form={form} name={repeats === 'once' ? 'at' : 'time'} hint={hint} />
        <FormSelect form={form} name="timeZone" choices={zones} />
      </div>
    </>
  )
}
