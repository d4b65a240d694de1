/** What a new input or output needs to be known before its page opens: server and group, or input. */
export interface AddLinkDialogProps {
  onClose: () => void
}

export function AddInputDialog(_props: AddLinkDialogProps) {
  return null
}

export function AddOutputDialog(_props: AddLinkDialogProps) {
  return null
}
