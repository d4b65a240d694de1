/** An address or a key in mono, cut short when it must be, and a button that copies all of it. */
import { useEffect, useState } from 'react'
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
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <span className={classes.place}>
      <span className={classes.text} title={text}>
        {shown}
      </span>
      {/* A page that is not served over https from another host has no clipboard. */}
      {navigator.clipboard !== undefined && (
        <IconButton
          className={classes.button}
          icon={isCopied ? 'check' : 'copy'}
          label={isCopied ? 'Copied' : label}
          tone="quiet"
          size={28}
          onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
        />
      )}
    </span>
  )
}
