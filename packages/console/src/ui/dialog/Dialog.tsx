/**
 * A dialog over the dimmed page: title, content, footer. Focus goes in and comes back, Escape
 * closes. The header of the page stays lit above it (the scrim starts under the header).
 */
import { Modal } from '@mantine/core'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type ReactNode,
} from 'react'
import { IconButton } from '../button/Button.tsx'
import { LateAnswer } from '../notice/LateAnswer.tsx'
import classes from './Dialog.module.css'

const FADE_MS = 160

export type DialogWidth = 440 | 560 | 720 | 1264

interface DialogProps {
  /** What stands before the title: a state. */
  lead?: ReactNode
  /** Names the dialog; text, or text that can be edited. */
  title: ReactNode
  /** Beside the title, quieter: the object that it is about. */
  subtitle?: ReactNode
  /** Between title and close button. */
  headerRight?: ReactNode
  width: DialogWidth
  isOpen: boolean
  onClose: () => void
  /** A click beside it may be a slip of the hand; without this it closes the dialog too. */
  onClickBeside?: (() => void) | undefined
  /** Neither Escape nor a click beside it closes it. */
  isClosedByButtonsOnly?: boolean | undefined
  children: ReactNode
  footer?: ReactNode
  /** Content without padding, edge to edge: a log, a player. */
  isFlush?: boolean | undefined
}

export function Dialog(props: DialogProps) {
  // Once opened it stays, so that it can fade when it closes.
  const [wasOpened, setOpened] = useState(false)
  if (props.isOpen && !wasOpened) setOpened(true)
  useFocusBack(props.isOpen)
  useSecondClickIgnored(props.isOpen)
  return wasOpened ? <Frame {...props} /> : null
}

function Frame(props: DialogProps) {
  const content = useFocusKept(props.isOpen)
  const isByButtons = props.isClosedByButtonsOnly === true
  const onClickBeside = props.onClickBeside ?? (isByButtons ? undefined : props.onClose)
  return (
    <Modal.Root
      opened={props.isOpen}
      onClose={props.onClose}
      closeOnClickOutside={false}
      closeOnEscape={!isByButtons}
      size={props.width}
      centered
      transitionProps={{ transition: 'fade', duration: FADE_MS }}
      classNames={{ inner: classes.inner, content: classes.content, body: classes.body }}
      zIndex={20}
    >
      <Modal.Overlay
        className={classes.overlay ?? ''}
        onClick={(event) => !isRepeated(event) && onClickBeside?.()}
      />
      <Modal.Content radius={12} ref={content} onFocus={showFirstFocus}>
        <div className={classes.header} data-width={props.width}>
          {props.lead}
          <Modal.Title className={classes.title ?? ''}>{props.title}</Modal.Title>
          {props.subtitle !== undefined && (
            <span className={classes.subtitle}>{props.subtitle}</span>
          )}
          {props.headerRight !== undefined && (
            <span className={classes.tools}>{props.headerRight}</span>
          )}
          <span className={classes.close}>
            <IconButton icon="close" label="Close" tone="quiet" size={32} onClick={props.onClose} />
          </span>
        </div>
        <Modal.Body>
          <div className={props.isFlush === true ? classes.flush : classes.padded}>
            {props.children}
          </div>
          <div className={classes.foot}>
            <LateAnswer />
            {props.footer !== undefined && (
              <div className={classes.footer} data-footer>
                {props.footer}
              </div>
            )}
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** What a dialog is for, before its content. */
export function Lead({ children }: { children: ReactNode }) {
  return <p className={classes.lead}>{children}</p>
}

/**
 * The dialog itself takes the focus of a control of its that is gone, as with the step of a form that was
 * done: what is pressed next goes on from there, and is not lost on the page behind.
 */
function useFocusKept(isOpen: boolean) {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen && document.activeElement === document.body) {
      content.current?.focus({ preventScroll: true })
    }
  })
  return content
}

/** What has the focus at first may be far down, and Mantine gives it without scrolling. */
function showFirstFocus({ target }: FocusEvent): void {
  if (target.matches('[data-autofocus]')) target.scrollIntoView({ block: 'nearest' })
}

/** The second click of a double click: it was meant for what had the first, wherever it lands. */
function isRepeated({ detail }: { detail: number }): boolean {
  return detail > 1
}

/**
 * Whoever clicks Save twice means Save: when the first click closes the dialog, the second is not given
 * to what was behind it, such as the stop button of a row or a link of a phone's bottom bar.
 */
function useSecondClickIgnored(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    return () => {
      const ignoreSecond = (event: MouseEvent) => {
        if (!isRepeated(event)) return
        event.preventDefault()
        event.stopPropagation()
      }
      document.addEventListener('click', ignoreSecond, { capture: true, once: true })
    }
  }, [isOpen])
}

/** What had the focus when the dialog that was opened last was opened, `of` which it is; null once it got it back. */
let wayBack: { to: Element | null; of: object } | null = null

/**
 * Gives the focus back to what had it. Mantine does so only for dialogs that are there before they
 * are opened; some of ours come and go with what they show.
 */
function useFocusBack(isOpen: boolean): void {
  const before = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (!isOpen) return
    const now = document.activeElement
    // One dialog that stands in for another opens when the focus is lost: it inherits the way back.
    before.current = now === document.body ? (wayBack?.to ?? null) : now
    wayBack = { to: before.current, of: before }
  }, [isOpen])
  useEffect(() => {
    if (!isOpen) return
    return () => {
      const now = document.activeElement
      const isFree =
        now === null || now === document.body || now.closest('[role="dialog"]') !== null
      if (isFree && before.current instanceof HTMLElement) {
        before.current.focus({ preventScroll: true })
      }
      // The dialog that stands in for this one has it now, and hands it on in turn.
      if (wayBack?.of === before) wayBack = null
    }
  }, [isOpen])
}
