/** Acknowledge alarms with a note, or mute one for a while. */
import { Alarm, MUTE_HOURS_AT_MOST, NOTE_CHARACTERS } from '@trunkline/contract/alarms/alarm.schema'
import type { AlarmHead } from '@trunkline/contract/alarms/open-alarms.schema'
import { FormSelect, FormText } from '../forms/DialogFields.tsx'
import { readCurrentBy, useForm } from '../forms/form.hook.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { ruleTitle, titleOf } from './alarm-view.rules.ts'
import { useAcknowledgeSeveral, useAskedDeed } from './alarm.actions.ts'
import { NO_ACKNOWLEDGED, NOT_CHANGED, severitiesText } from './alarm.messages.ts'

/** Several at once are only acknowledged. */
export type AlarmQuestion =
  | { does: 'acknowledge' | 'mute'; alarm: AlarmHead }
  | { does: 'acknowledge several'; alarms: readonly AlarmHead[] }

const TITLES: Readonly<Record<AlarmQuestion['does'], string>> = {
  acknowledge: 'Acknowledge alarm',
  'acknowledge several': 'Acknowledge alarms',
  mute: 'Mute alarm',
}

const MUTES = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: '1440', label: '1 day' },
  { value: String(MUTE_HOURS_AT_MOST * 60), label: '7 days' },
]

interface AlarmDialogProps {
  question: AlarmQuestion
  onClose: () => void
}

interface Answer {
  note: string
  minutes: string
}

export function AlarmDialog({ question, onClose }: AlarmDialogProps) {
  const carryOut = useAskedDeed()
  const acknowledgeSeveral = useAcknowledgeSeveral()
  const isMute = question.does === 'mute'
  const form = useForm<Answer>({
    initial: NO_ANSWER,
    version: 'alarm' in question ? question.alarm.version : null,
    check: () => ({}),
    save: async ({ note, minutes }, version) => {
      if (question.does === 'acknowledge several') {
        return acknowledgeSeveral(question.alarms, note)
      }
      const alarm = { ...question.alarm, version: version ?? question.alarm.version }
      if (isMute) return carryOut(alarm, { does: 'mute', minutes: Number(minutes) })
      return carryOut(alarm, { does: 'acknowledge', note })
    },
    onSaved: onClose,
    keptAs: ['alarm-note', ...idsOf(question)],
    labels: LABELS,
    fields: FIELDS,
    fallback: question.does === 'acknowledge several' ? NO_ACKNOWLEDGED : NOT_CHANGED,
    readCurrent: readCurrentBy(Alarm, ({ acknowledged }) => ({
      ...NO_ANSWER,
      note: acknowledged?.note ?? '',
    })),
  })
  return (
    <FormDialog
      title={TITLES[question.does]}
      subtitle={'alarm' in question ? titleOf(question.alarm) : severitiesText(question.alarms)}
      width={440}
      form={form}
      saveLabel={isMute ? 'Mute' : 'Acknowledge'}
      onClose={onClose}
    >
      <About question={question} />
      {isMute ? (
        <FormSelect form={form} name="minutes" data-autofocus choices={MUTES} />
      ) : (
        <FormText
          form={form}
          name="note"
          data-autofocus
          maxLength={NOTE_CHARACTERS}
          hint="Who looks after it, or what was found. Everybody sees it."
        />
      )}
    </FormDialog>
  )
}

const NO_ANSWER: Answer = { note: '', minutes: '60' }
/** By the names of the form, and of the API for what somebody else has changed. */
const LABELS = {
  note: 'Note',
  acknowledged: 'Note',
  'acknowledged.note': 'Note',
  'acknowledged.by': 'Acknowledged by',
  'acknowledged.at': 'Time',
  minutes: 'Mute for',
  mutedUntil: 'Mute for',
} as const
const FIELDS = [
  ['acknowledged', 'note'],
  ['mutedUntil', 'minutes'],
] as const

function idsOf(question: AlarmQuestion): string[] {
  return 'alarm' in question ? [question.alarm.id] : question.alarms.map(({ id }) => id)
}

function About({ question }: { question: AlarmQuestion }) {
  if (question.does !== 'acknowledge several') {
    const { alarm } = question
    return (
      <p>
        <b>{ruleTitle(alarm)}.</b> {alarm.sentence}
      </p>
    )
  }
  return <p>Alarms that change or are raised meanwhile stay as they are.</p>
}
