/** Adds to a list: a button, or the key n, that opens a dialog. */
import { type ReactNode, useState } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/button/Button.tsx'

interface AddButtonProps {
  label: string
  dialogOf: (onClose: () => void) => ReactNode
}

export function AddButton({ label, dialogOf }: AddButtonProps) {
  const [isOpen, setOpen] = useState(false)
  useShortcut('n', () => setOpen(true))
  return (
    <>
      <Button tone="primary" icon="plus" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && dialogOf(() => setOpen(false))}
    </>
  )
}
