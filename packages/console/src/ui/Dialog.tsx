/**
 * A dialog over the dimmed page: title, content, footer. Focus goes in and comes back, Escape
 * closes. The header of the page stays lit above it (the scrim starts under the header).
 */
import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'

export type DialogWidth = 440 | 560 | 720 | 1264

export interface DialogProps {
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
  children: ReactNode
  footer?: ReactNode
  /** Content without padding, edge to edge: a log, a player. */
  isFlush?: boolean | undefined
}

type Frame = ComponentType<DialogProps>

// A page is drawn before anybody opens a dialog, so the machinery of dialogs comes after the page.
const LateFrame = lazy(async () => ({ default: (await import('./DialogFrame.tsx')).DialogFrame }))
/** Once it is here it is used as it is: what is lazy costs the first dialog a third of a second. */
let readyFrame: Frame | null = null

/** Called once the first page stands, so that the first dialog opens without a wait. */
export async function preloadDialogs(): Promise<void> {
  try {
    readyFrame = (await import('./DialogFrame.tsx')).DialogFrame
  } catch {
    // The first dialog asks for it again.
  }
}

export function Dialog(props: DialogProps) {
  // Once opened it stays, so that it can fade when it closes.
  const [Shown, setShown] = useState<Frame | null>(null)
  if (props.isOpen && Shown === null) setShown(() => readyFrame ?? LateFrame)
  useFocusBack(props.isOpen)
  if (Shown === null) return null
  return (
    <Suspense>
      <Shown {...props} />
    </Suspense>
  )
}

/** What had the focus when the dialog that was opened last was opened; null once it got it back. */
let wayBack: Element | null = null

/**
 * Gives the focus back to what had it. Mantine does so only for dialogs that are there before they
 * are opened; ours come with their code, and some come and go with what they show.
 */
function useFocusBack(isOpen: boolean): void {
  const before = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (!isOpen) return
    const now = document.activeElement
    // One dialog that stands in for another opens when the focus is lost: it inherits the way back.
    before.current = now === document.body ? wayBack : now
    wayBack = before.current
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
      if (wayBack === before.current) wayBack = null
    }
  }, [isOpen])
}
