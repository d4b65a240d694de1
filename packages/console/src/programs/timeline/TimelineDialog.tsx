import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Timeline } from './Timeline.tsx'
import type { NamedObject } from './timeline-csv.rules.ts'
import { TIMELINE } from './timeline.messages.ts'

interface TimelineDialogProps {
  object: NamedObject
  cue: string
  /** Back to the log; absent where there is none. */
  onLog?: () => void
  onClose: () => void
}

export function TimelineDialog({ object, cue, onLog, onClose }: TimelineDialogProps) {
  return (
    <Dialog
      title={TIMELINE}
      subtitle={object.title}
      width={720}
      isOpen
      onClose={onClose}
      headerRight={
        onLog !== undefined && (
          <Button size={28} icon="log" onClick={onLog}>
            Log
          </Button>
        )
      }
    >
      <Timeline object={object} cue={cue} />
    </Dialog>
  )
}
