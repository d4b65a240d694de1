/** How something ended: it stays readable until it was read. */
import type { ReactNode } from 'react'
import { Button } from '../button/Button.tsx'
import { Dialog } from './Dialog.tsx'

interface ResultDialogProps {
  title: string
  subtitle: string
  onClose: () => void
  /**
   * What it shows cannot be read again: nothing but its own buttons closes it, and it has the focus
   * itself, so that a key pressed once more does not take it away.
   */
  isShownOnce?: boolean
  children: ReactNode
}

export function ResultDialog({ isShownOnce = false, children, ...props }: ResultDialogProps) {
  return (
    <Dialog
      {...props}
      width={560}
      isOpen
      isClosedByButtonsOnly={isShownOnce}
      footer={
        <Button
          size={36}
          tone="primary"
          data-autofocus={!isShownOnce || undefined}
          onClick={props.onClose}
        >
          Done
        </Button>
      }
    >
      {isShownOnce ? (
        <div tabIndex={-1} data-autofocus>
          {children}
        </div>
      ) : (
        children
      )}
    </Dialog>
  )
}
