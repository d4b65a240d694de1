/** Above the form of a new host: where its port and key come from, and what follows once it is saved. */
import { Fragment } from 'react'
import { Lead } from '../../ui/dialog/Dialog.tsx'
import classes from './EnrolmentDialog.module.css'
import { ADD_LEAD, commandFor } from './enrolment.messages.ts'

export function EnrolmentLead() {
  const command = commandFor({ consoleAddress: window.location.origin, code: '…', dialsOut: false })
  return (
    <Lead>
      {ADD_LEAD}{' '}
      <code>
        {command.split(' ').map((word) => (
          <Fragment key={word}>
            <span className={classes.word}>{word}</span>{' '}
          </Fragment>
        ))}
      </code>
    </Lead>
  )
}
