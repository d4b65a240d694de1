/** The notices of lib/toast.ts on the screen. */
import type { Family, Shape } from '@trunkline/contract/fleet/state-view.rules'
import { closeToast, useToasts, type ToastTone } from '../lib/toast.ts'
import { Toasts } from '../ui/notice/Toasts.tsx'

const LOOKS: Record<ToastTone, { family: Family; shape: Shape }> = {
  success: { family: 'ok', shape: 'disc' },
  warning: { family: 'warn', shape: 'triangle' },
  failure: { family: 'bad', shape: 'octagon' },
}

export function Notices() {
  const toasts = useToasts().map(({ tone, ...toast }) => ({
    ...toast,
    ...LOOKS[tone],
    isUrgent: tone !== 'success',
  }))
  return <Toasts toasts={toasts} onClose={closeToast} />
}
