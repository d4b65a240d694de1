/** An address or a key in mono, cut short or in several lines, and a button that copies all of it. */
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
  /** In several lines rather than cut short: for what is shown once, or typed by hand. */
  isWhole?: boolean
}

export function CopyText({ text, shown = text, label, isWhole = false }: CopyTextProps) {
  const { copied: isCopied, copy } = useClipboard({ timeout: SHOWN_MS })
  return (
    <span className={classes.place}>
      <code className={isWhole ? classes.whole : classes.text} title={text}>
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
