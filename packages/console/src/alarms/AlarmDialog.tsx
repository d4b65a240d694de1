/** Acknowledge alarms with a note, or mute one for a while. */
import { MUTE_HOURS_AT_MOST, NOTE_CHARACTERS } from '@trunkline/contract/alarms/alarm.schema'
import type { AlarmHead } from '@trunkline/contract/alarms/open-alarms.schema'
import { useState } from 'react'
import { useKeptValues } from '../shared/kept/kept-values.hook.ts'
import { Button } from '../ui/button/Button.tsx'
import { SelectField } from '../ui/choice/SelectField.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Field } from '../ui/field/Field.tsx'
import { ruleTitle, titleOf } from './alarm-view.rules.ts'
import { useAcknowledgeSeveral, useAlarmDeed } from './alarm.actions.ts'
import { severitiesText } from './alarm.messages.ts'
import classes from './AlarmDialog.module.css'

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

export function AlarmDialog({ question, onClose }: AlarmDialogProps) {
  const [{ note }, keep] = useKeptValues(['alarm-note', ...idsOf(question)], NO_NOTE)
  const [minutes, setMinutes] = useState('60')
  const carryOut = useAlarmDeed()
  const acknowledgeSeveral = useAcknowledgeSeveral()
  const isMute = question.does === 'mute'
  const submit = () => {
    if (question.does === 'acknowledge several') void acknowledgeSeveral(question.alarms, note)
    else if (isMute) void carryOut(question.alarm, { does: 'mute', minutes: Number(minutes) })
    else void carryOut(question.alarm, { does: 'acknowledge', note })
    onClose()
  }
  return (
    <Dialog
      title={TITLES[question.does]}
      subtitle={'alarm' in question ? titleOf(question.alarm) : severitiesText(question.alarms)}
      width={440}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button size={36} onClick={onClose}>
            Cancel
          </Button>
          <Button size={36} tone="primary" onClick={submit}>
            {isMute ? 'Mute' : 'Acknowledge'}
          </Button>
        </>
      }
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <About question={question} />
        {isMute ? (
          <SelectField
            label="Mute for"
            data-autofocus
            choices={MUTES}
            value={minutes}
            onChange={setMinutes}
          />
        ) : (
          <Field
            label="Note"
            data-autofocus
            maxLength={NOTE_CHARACTERS}
            value={note}
            hint="Who looks after it, or what was found. Everybody sees it."
            onChange={(event) => keep({ note: event.target.value })}
          />
        )}
      </form>
    </Dialog>
  )
}

const NO_NOTE = { note: '' }

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
