/** How a test went, in the words of the other side. */
import type { NotificationDelivery } from '@trunkline/contract/notifications/notification.schema'
import { ResultDialog } from '../ui/dialog/ResultDialog.tsx'
import { DeliveryStateMark } from './DeliveryStateMark.tsx'
import classes from './NotificationsPage.module.css'

interface TestResultDialogProps {
  delivery: NotificationDelivery
  onClose: () => void
}

export function TestResultDialog({ delivery, onClose }: TestResultDialogProps) {
  const { state, answer, ruleTitle } = delivery
  return (
    <ResultDialog title="Test" subtitle={ruleTitle} onClose={onClose}>
      <p>
        <DeliveryStateMark state={state} />
      </p>
      <p className={classes.text}>{answer}</p>
    </ResultDialog>
  )
}
