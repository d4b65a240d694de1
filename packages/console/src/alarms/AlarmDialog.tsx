/** Acknowledge an alarm with a note, or mute it for a while. */
import { MUTE_HOURS_AT_MOST, NOTE_CHARACTERS } from '@trunkline/contract/alarms/alarm.schema'
import type { AlarmHead } from '@trunkline/contract/alarms/open-alarms.schema'
import { useState } from 'react'
import { Button } from '../ui/button/Button.tsx'
import { SelectField } from '../ui/choice/SelectField.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Field } from '../ui/field/Field.tsx'
import { ruleTitle, titleOf } from './alarm-view.rules.ts'
import { useAlarmDeed, type AlarmDeed } from './alarm.actions.ts'
import classes from './AlarmDialog.module.css'

export interface AlarmQuestion {
  alarm: AlarmHead
  does: 'acknowledge' | 'mute'
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

export function AlarmDialog({ question: { alarm, does }, onClose }: AlarmDialogProps) {
  const [note, setNote] = useState('')
  const [minutes, setMinutes] = useState('60')
  const carryOut = useAlarmDeed()
  const isMute = does === 'mute'
  const submit = () => {
    const deed: AlarmDeed = isMute ? { does, minutes: Number(minutes) } : { does, note }
    void carryOut(alarm, deed)
    onClose()
  }
  return (
    <Dialog
      title={isMute ? 'Mute alarm' : 'Acknowledge alarm'}
      subtitle={titleOf(alarm)}
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
        <p>
          <b>{ruleTitle(alarm)}.</b> {alarm.sentence}
        </p>
        {isMute ? (
          <SelectField label="Mute for" choices={MUTES} value={minutes} onChange={setMinutes} />
        ) : (
          <Field
            label="Note"
            data-autofocus
            maxLength={NOTE_CHARACTERS}
            value={note}
            hint="Who looks after it, or what was found. Everybody sees it."
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </form>
    </Dialog>
  )
}
