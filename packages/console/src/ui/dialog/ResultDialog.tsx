/** How something ended: it stays readable until it was read. */
import type { ReactNode } from 'react'
import { Button } from '../button/Button.tsx'
import { Dialog } from './Dialog.tsx'

interface ResultDialogProps {
  title: string
  subtitle: string
  onClose: () => void
  children: ReactNode
}

export function ResultDialog(props: ResultDialogProps) {
  return (
    <Dialog
      {...props}
      width={560}
      isOpen
      footer={
        <Button size={36} tone="primary" data-autofocus onClick={props.onClose}>
          Done
        </Button>
      }
    />
  )
}
