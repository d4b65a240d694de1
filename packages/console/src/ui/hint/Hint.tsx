/** A tooltip: on hover and on focus, gone with Escape; a plain sentence, never a control. */
import { Portal, Tooltip } from '@mantine/core'
import '@mantine/core/styles/Tooltip.css'
import {
  cloneElement,
  useEffect,
  useId,
  useRef,
  useState,
  type DOMAttributes,
  type ReactElement,
} from 'react'
import { placeOf } from './hint-place.rules.ts'
import classes from './Hint.module.css'

const OPENS_AFTER_MS = 300

interface HintProps {
  /** '' shows nothing. */
  text: string
  /** It only repeats the name of an icon: a finger that tapped the icon has no use for it. */
  isName?: boolean | undefined
  /** One element of the page, focusable so that the keyboard gets the hint too. */
  children: ReactElement
}

interface TargetProps extends DOMAttributes<HTMLElement> {
  'aria-describedby'?: string | undefined
}

export function Hint({ text, isName = false, children }: HintProps) {
  const id = useId()
  const { target, watch } = useTarget()
  const isOpen = target !== null && text !== ''
  const own = children.props as TargetProps
  const described = [own['aria-describedby'], isOpen ? id : undefined].filter(Boolean).join(' ')
  return (
    <>
      {cloneElement(children as ReactElement<TargetProps>, {
        ...watch(own),
        'aria-describedby': described === '' ? undefined : described,
      })}
      {isOpen && <Bubble target={target} id={id} text={text} isName={isName} />}
    </>
  )
}

interface BubbleProps {
  target: HTMLElement
  /** Of the text, which describes the target. */
  id: string
  text: string
  isName: boolean
}

/** Mantine places it. Its own triggers would keep what places it for each of the buttons of a table. */
function Bubble({ target, id, text, isName }: BubbleProps) {
  const { anchor, position } = placeOf(target)
  return (
    <Portal>
      {/* At the end of the document, outside of every other landmark: it is one for as long as it is there. */}
      <aside aria-label="Hint">
        <Tooltip
          opened
          target={anchor}
          position={position}
          label={<span id={id}>{text}</span>}
          classNames={{ tooltip: isName ? classes.name : classes.hint }}
          multiline
          maw={280}
          withinPortal={false}
          hideDetached={false}
        />
      </aside>
    </Portal>
  )
}

/** The element that is hovered or focused; null while none is, or after Escape. */
function useTarget() {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isOpen = target !== null
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!isOpen) return
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setTarget(null)
    }
    document.addEventListener('keydown', closeByKey)
    return () => document.removeEventListener('keydown', closeByKey)
  }, [isOpen])
  const close = () => {
    clearTimeout(timer.current)
    setTarget(null)
  }
  const watch = (own: TargetProps): TargetProps => ({
    onMouseEnter: (event) => {
      own.onMouseEnter?.(event)
      const { currentTarget } = event
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setTarget(currentTarget), OPENS_AFTER_MS)
    },
    onMouseLeave: (event) => {
      own.onMouseLeave?.(event)
      close()
    },
    onFocus: (event) => {
      own.onFocus?.(event)
      // A click focuses as well; who clicks has read what the button says.
      if (event.currentTarget.matches(':focus-visible')) setTarget(event.currentTarget)
    },
    onBlur: (event) => {
      own.onBlur?.(event)
      close()
    },
  })
  return { target, watch }
}
