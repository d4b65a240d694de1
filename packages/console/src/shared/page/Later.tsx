/**
 * In place of what is loaded later: a skeleton, or of a dialog a small one, until it is there; when it cannot
 * be loaded, words, until it comes. Nothing else on the page is lost meanwhile.
 */
import { useTimeout } from '@mantine/hooks'
import { type ComponentType, createElement, type ReactNode, useState } from 'react'
import { type Later, useAskAgain, useLater } from '../../lib/later.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog, Lead } from '../../ui/dialog/Dialog.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { useFocusOnWhatComes } from './focus-on-what-comes.hook.ts'
import classes from './Later.module.css'

const NOT_LOADED = 'This part of the console could not be loaded'
const WHAT_TO_DO =
  'The console server does not answer, or the console was updated meanwhile. It is tried again every 5 s. If the console was updated, reload the page: unsaved changes are lost.'

interface LaterDialogProps<P> {
  part: Later<ComponentType<P>>
  props: P
}

export function LaterDialog<P extends { onClose: () => void }>({
  part,
  props,
}: LaterDialogProps<P>) {
  const shown = useLater(part)
  if (shown === 'loading') return <Opening onClose={props.onClose} />
  if (shown !== 'failed') return createElement(shown, props)
  return (
    <Dialog
      title={NOT_LOADED}
      width={440}
      isOpen
      onClose={props.onClose}
      footer={<AgainButtons part={part} />}
    >
      <Lead>{WHAT_TO_DO}</Lead>
    </Dialog>
  )
}

/** A dialog that is there sooner would only flicker. */
const OPENING_AFTER_MS = 300

function Opening({ onClose }: { onClose: () => void }) {
  const [isShown, setShown] = useState(false)
  useTimeout(() => setShown(true), OPENING_AFTER_MS, { autoInvoke: true })
  return (
    <Dialog
      lead={<Shape shape="arc" family="move" />}
      title="Opening…"
      width={440}
      isOpen={isShown}
      onClose={onClose}
      footer={
        <Button size={36} onClick={onClose}>
          Cancel
        </Button>
      }
    >
      {/* Not a button: what is typed ahead would press it. */}
      <div className={classes.waiting} tabIndex={-1} data-autofocus>
        <Lead>Waiting for the console server to send this dialog.</Lead>
      </div>
    </Dialog>
  )
}

interface LaterPartProps<P> extends LaterDialogProps<P> {
  waiting: ReactNode
  /** What the words stand in, when it cannot be loaded: of a table they must be a cell. */
  failedIn?: (words: ReactNode) => ReactNode
}

export function LaterPart<P extends object>(given: LaterPartProps<P>) {
  const { part, props, waiting, failedIn } = given
  const shown = useLater(part)
  if (shown === 'loading') return waiting
  if (shown !== 'failed') return createElement(shown, props)
  const words = <NotLoaded part={part} />
  return failedIn?.(words) ?? words
}

function NotLoaded({ part }: { part: Later<unknown> }) {
  const place = useFocusOnWhatComes()
  return (
    <div ref={place}>
      <Empty title={NOT_LOADED} action={<AgainButtons part={part} />}>
        {WHAT_TO_DO}
      </Empty>
    </div>
  )
}

function AgainButtons({ part }: { part: Later<unknown> }) {
  const { isAsking, ask } = useAskAgain(part)
  return (
    <span className={classes.buttons}>
      <Button onClick={ask} disabledReason={isAsking ? '' : null}>
        Retry
      </Button>
      <Button tone="quiet" onClick={() => location.reload()}>
        Reload the page
      </Button>
    </span>
  )
}
