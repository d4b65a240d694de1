/** The bubble of a Hint: placed by Mantine, loaded when the first one is wanted. */
import { Tooltip } from '@mantine/core'
import '@mantine/core/styles/Tooltip.css'
import classes from './Hint.module.css'

interface HintBubbleProps {
  target: HTMLElement
  /** Of the text, which describes the target. */
  id: string
  text: string
  isName: boolean
}

export function HintBubble({ target, id, text, isName }: HintBubbleProps) {
  return (
    <Tooltip
      opened
      target={target}
      label={<span id={id}>{text}</span>}
      classNames={{ tooltip: isName ? classes.name : classes.hint }}
      multiline
      maw={280}
      withinPortal
      hideDetached={false}
    />
  )
}
