/** Discard, Save and, for what runs, Save and restart: at the head of a page with a long form. */
import { askFirst } from '../lib/confirm.ts'
import { Button } from '../ui/Button.tsx'
import { discardSentences, NO_CHANGES } from './unsaved.messages.ts'

interface SaveButtonsProps {
  /** What is edited, as the question before discarding names it. */
  title: string
  changes: number
  isPending: boolean
  /** Why saving does nothing now; null when it works. */
  disabledReason: string | null
  mayRestart: boolean
  onDiscard: () => void
  onSave: (then: 'restart' | 'leave') => void
}

export function SaveButtons(props: SaveButtonsProps) {
  const { title, changes, isPending, disabledReason, onDiscard, onSave } = props
  const discard = async () => {
    const sentences = discardSentences(title, changes)
    if (await askFirst({ sentences, doLabel: 'Discard', keepLabel: 'Keep editing' })) onDiscard()
  }
  return (
    <>
      <Button
        disabledReason={changes === 0 ? NO_CHANGES : isPending ? '' : null}
        onClick={() => void discard()}
      >
        Discard
      </Button>
      {props.mayRestart && (
        <Button disabledReason={disabledReason} onClick={() => onSave('restart')}>
          Save and restart
        </Button>
      )}
      <Button
        tone="primary"
        disabledReason={disabledReason}
        aria-busy={isPending || undefined}
        onClick={() => onSave('leave')}
      >
        Save
      </Button>
    </>
  )
}
