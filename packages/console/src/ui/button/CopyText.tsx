/** An address or a key in mono, cut short when it must be, and a button that copies all of it. */
import { useClipboard } from '@mantine/hooks'
import { IconButton } from './Button.tsx'
import classes from './CopyText.module.css'

const SHOWN_MS = 2000

interface CopyTextProps {
  text: string
  /** What stands there in place of the whole. */
  shown?: string | undefined
  /** What is copied, for the button's name: 'Copy address'. */
  label: string
}

export function CopyText({ text, shown = text, label }: CopyTextProps) {
  const { copied: isCopied, copy } = useClipboard({ timeout: SHOWN_MS })
  return (
    <span className={classes.place}>
      <code className={classes.text} title={text}>
        {shown}
      </code>
      {/* A page that is not served over https from another host has no clipboard. */}
      {navigator.clipboard !== undefined && (
        <IconButton
          className={classes.button}
          icon={isCopied ? 'check' : 'copy'}
          label={isCopied ? 'Copied' : label}
          tone="quiet"
          size={28}
          onClick={() => copy(text)}
        />
      )}
    </span>
  )
}
