/** The bubble of a Hint: placed by Mantine, loaded when the first one is wanted. */
import { Portal, Tooltip } from '@mantine/core'
import '@mantine/core/styles/Tooltip.css'
import { placeOf } from './hint-place.rules.ts'
import classes from './Hint.module.css'

interface HintBubbleProps {
  target: HTMLElement
  /** Of the text, which describes the target. */
  id: string
  text: string
  isName: boolean
}

export function HintBubble({ target, id, text, isName }: HintBubbleProps) {
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
