/** Above the form of a new host: where its port and key come from, and what follows once it is saved. */
import { Fragment } from 'react'
import { Lead } from '../../ui/dialog/Dialog.tsx'
import classes from './EnrolmentDialog.module.css'
import { ADD_LEAD, ADD_LEAD_KEYLESS, commandFor } from './enrolment.messages.ts'

/** `takesKey`: the form below asks for the key of the host. */
export function EnrolmentLead({ takesKey }: { takesKey: boolean }) {
  const command = commandFor({ consoleAddress: window.location.origin, code: '…', dialsOut: false })
  return (
    <Lead>
      {takesKey ? ADD_LEAD : ADD_LEAD_KEYLESS}{' '}
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
