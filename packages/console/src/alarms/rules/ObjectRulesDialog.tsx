import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { CombinedRules, type RuledObject } from './CombinedRules.tsx'

interface ObjectRulesDialogProps {
  object: RuledObject
  onClose: () => void
}

/** The rules that apply to the object of an alarm. */
export function ObjectRulesDialog({ object, onClose }: ObjectRulesDialogProps) {
  return (
    <Dialog
      title="Alarm rules that apply"
      subtitle={object.title}
      width={1264}
      isOpen
      onClose={onClose}
      footer={
        <Button size={36} onClick={onClose}>
          Close
        </Button>
      }
    >
      <CombinedRules object={object} />
    </Dialog>
  )
}
