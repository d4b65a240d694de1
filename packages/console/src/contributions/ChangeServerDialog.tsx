/** Moves inputs with their outputs to another server: what will happen first, one result each after. */
import type { Input } from '@trunkline/contract/contributions/input.schema'

export interface ChangeServerDialogProps {
  inputs: readonly Input[]
  onClose: () => void
}

export function ChangeServerDialog(_props: ChangeServerDialogProps) {
  return null
}
