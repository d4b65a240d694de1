/** How it is with a message: waiting, sent or failed. */
import type { DeliveryState } from '@trunkline/contract/notifications/notification.schema'
import { Shape } from '../ui/symbol/Shape.tsx'
import { STATE_WORDS } from './notification.messages.ts'
import classes from './NotificationsPage.module.css'

const LOOKS = {
  waiting: { family: 'warn', shape: 'half-disc' },
  sent: { family: 'ok', shape: 'disc' },
  failed: { family: 'bad', shape: 'octagon' },
} as const

export function DeliveryStateMark({ state }: { state: DeliveryState }) {
  return (
    <span className={classes.state} data-f={LOOKS[state].family}>
      <Shape {...LOOKS[state]} />
      {STATE_WORDS[state]}
    </span>
  )
}
