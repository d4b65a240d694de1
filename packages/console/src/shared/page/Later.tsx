/** In place of what is loaded later: nothing or a skeleton until it is there, and words when it cannot be. */
import { type ComponentType, createElement, type ReactNode } from 'react'
import { type Later, useLater } from '../../lib/later.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog, Lead } from '../../ui/dialog/Dialog.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'

const NOT_LOADED = 'This part of the console could not be loaded'
const WHAT_TO_DO =
  'The console may have been updated meanwhile, or the console server does not answer. Reload the page.'

interface LaterDialogProps<P> {
  part: Later<ComponentType<P>>
  props: P
}

export function LaterDialog<P extends { onClose: () => void }>({
  part,
  props,
}: LaterDialogProps<P>) {
  const shown = useLater(part)
  if (shown === 'loading') return null
  if (shown !== 'failed') return createElement(shown, props)
  return (
    <Dialog title={NOT_LOADED} width={440} isOpen onClose={props.onClose} footer={<Reload />}>
      <Lead>{WHAT_TO_DO}</Lead>
    </Dialog>
  )
}

interface LaterPartProps<P> extends LaterDialogProps<P> {
  waiting: ReactNode
}

export function LaterPart<P extends object>({ part, props, waiting }: LaterPartProps<P>) {
  const shown = useLater(part)
  if (shown === 'loading') return waiting
  if (shown !== 'failed') return createElement(shown, props)
  return (
    <Empty title={NOT_LOADED} action={<Reload />}>
      {WHAT_TO_DO}
    </Empty>
  )
}

function Reload() {
  return <Button onClick={() => location.reload()}>Reload the page</Button>
}
