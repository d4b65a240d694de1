/** An action of a row as an icon. The command palette lists the same action in words. */
import { IconButton } from './Button.tsx'
import type { MenuAction } from './Menu.tsx'

export interface RowAction extends MenuAction {
  /** Why it cannot be done now; '' without a word, as while an action runs; null where it can. */
  disabledReason: string | null
}

interface RowButtonProps {
  action: RowAction
  'data-row-focus'?: true
  'data-autofocus'?: true | undefined
  'aria-keyshortcuts'?: string
}

export function RowButton({ action, ...rest }: RowButtonProps) {
  const { label, icon, disabledReason, does } = action
  return (
    <IconButton
      {...rest}
      icon={icon}
      label={label}
      tone="quiet"
      size={28}
      disabledReason={disabledReason}
      onClick={does}
    />
  )
}
