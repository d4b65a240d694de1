/** What a click on an encoder's tile opens: its card, as the dashboard has it, and from there its log. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useState } from 'react'
import { EncoderCard } from '../encoders/dashboard/EncoderCard.tsx'
import { EncoderLogDialog } from '../encoders/EncoderLogDialog.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'

export function EncoderDialogs({ encoder, onClose }: { encoder: Encoder; onClose: () => void }) {
  const [isLogOpen, setLogOpen] = useState(false)
  // One dialog deep, never two: the log stands in for the card.
  if (isLogOpen) return <EncoderLogDialog encoder={encoder} onClose={onClose} />
  return (
    <Dialog title="Encoder" subtitle={encoder.title} width={440} isOpen onClose={onClose}>
      <EncoderCard encoder={encoder} onLog={() => setLogOpen(true)} />
    </Dialog>
  )
}
