/** Before something on air is interrupted: what loses the stream, and its title to be typed. */
import {
  isTitle,
  ON_AIR_OVERRIDE_HEADER,
  ON_AIR_TITLES_HEADER,
  titlesHeader,
  titleToType,
} from '@trunkline/contract/on-air/on-air.rules'
import type { OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'
import { useState } from 'react'
import type { Question } from '../../lib/confirm.ts'
import type { OnAirAnswer } from '../../lib/on-air.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { wordsOfCall } from '@trunkline/contract/audit/call.messages'
import classes from './OnAirDialogs.module.css'
import { effectText, moreText } from './on-air.messages.ts'

interface InterruptionDialogProps {
  callName: string
  refusal: OnAirRefusal
  /** What is asked whatever is on air; null: the call itself was refused. */
  question: Question | null
  answer: (answer: OnAirAnswer) => void
  onClose: () => void
}

export function InterruptionDialog(props: InterruptionDialogProps) {
  const { callName, refusal, question, answer, onClose } = props
  const [typed, setTyped] = useState('')
  const title = titleToType(refusal)
  const isTyped = title !== null && isTitle(typed, title)
  const decide = (headers: OnAirAnswer) => {
    answer(headers)
    onClose()
  }
  const interrupt = () => {
    const titles = refusal.effects.map((effect) => effect.title)
    if (isTyped) decide({ [ON_AIR_TITLES_HEADER]: titlesHeader(titles) })
  }
  return (
    <Dialog
      title="Are you sure?"
      subtitle={wordsOfCall(callName)?.[1]}
      width={560}
      isOpen
      onClose={onClose}
      footer={
        <>
          {refusal.mayOverride && (
            <span className={classes.aside}>
              <Button size={36} onClick={() => decide({ [ON_AIR_OVERRIDE_HEADER]: 'yes' })}>
                Interrupt without typing
              </Button>
            </span>
          )}
          <Button size={36} onClick={onClose}>
            {question?.keepLabel ?? 'Keep on air'}
          </Button>
          {title !== null && (
            <Button
              size={36}
              tone="danger"
              disabledReason={isTyped ? null : `Type ${title} first.`}
              onClick={interrupt}
            >
              {question?.doLabel ?? 'Interrupt'}
            </Button>
          )}
        </>
      }
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          interrupt()
        }}
      >
        {question?.sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p>This interrupts what is on air:</p>
        <Effects refusal={refusal} />
        {title === null ? (
          <p>Only an admin may interrupt it. Nothing was changed.</p>
        ) : (
          <Field
            label={`Type ${title} to interrupt it`}
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            value={typed}
            hint="It is recorded who interrupted it."
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </form>
    </Dialog>
  )
}

function Effects({ refusal }: { refusal: OnAirRefusal }) {
  const { effects, more, hidden } = refusal
  return (
    <ul className={classes.effects}>
      {effects.map((effect) => (
        <li key={`${effect.kind} ${effect.id}`}>{effectText(effect)}</li>
      ))}
      {more > 0 && <li>{moreText(refusal)}</li>}
      {hidden > 0 && <li>Something in another group loses the stream.</li>}
    </ul>
  )
}
