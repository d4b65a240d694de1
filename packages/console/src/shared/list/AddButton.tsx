/** Adds to a list: a button, or the key n, that opens a dialog. */
import { type ReactNode, useState } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/button/Button.tsx'

interface AddButtonProps {
  label: string
  /** Why this person may not; null where they may. */
  disabledReason?: string | null
  dialogOf: (onClose: () => void) => ReactNode
}

export function AddButton({ label, disabledReason = null, dialogOf }: AddButtonProps) {
  const [isOpen, setOpen] = useState(false)
  useShortcut('n', () => setOpen(disabledReason === null))
  return (
    <>
      <Button
        tone="primary"
        icon="plus"
        disabledReason={disabledReason}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && dialogOf(() => setOpen(false))}
    </>
  )
}

/** The same in the place of an empty list. The key n is the other button's. */
export function AddFirst({ label, dialogOf }: Omit<AddButtonProps, 'disabledReason'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && dialogOf(() => setOpen(false))}
    </>
  )
}
