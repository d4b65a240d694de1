/** After an encoder was carried: what was created, and where each part is started. */
import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import type { Carried } from './carry.actions.ts'
import type { CarryUse } from './carry-form.rules.ts'
import { MADE } from './carry.messages.ts'
import classes from './CarryDialog.module.css'

interface CarriedDialogProps {
  made: Carried
  /** What was done with the feeder. */
  use: CarryUse
  onClose: () => void
}

export function CarriedDialog({ made, use, onClose }: CarriedDialogProps) {
  const { encoder, feeder, input, output } = made
  return (
    <Dialog
      title="Encoder carried"
      subtitle={encoder.title}
      width={560}
      isOpen
      onClose={onClose}
      footer={
        <Button size={36} tone="primary" data-autofocus onClick={onClose}>
          Done
        </Button>
      }
    >
      <p className={classes.lead}>{MADE[use]}</p>
      <ul className={classes.made}>
        <li>
          Input{' '}
          <Link to="/dashboard/contribution" preload={false}>
            {input.title}
          </Link>{' '}
          on {input.serverInfo.title}
        </li>
        <li>
          Output{' '}
          <Link to="/dashboard/contribution" search={{ tab: 'outputs' }} preload={false}>
            {output.title}
          </Link>{' '}
          on {input.serverInfo.title}
        </li>
        <li>
          Feeder{' '}
          <Link
            to="/dashboard/edit_encoder/$id"
            params={{ id: encoder._id }}
            search={{ tab: 'feeder' }}
            preload={false}
          >
            {feeder.input.title}
          </Link>{' '}
          of {encoder.title}
        </li>
      </ul>
    </Dialog>
  )
}
