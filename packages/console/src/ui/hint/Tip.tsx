/** Text with a hint, shown by pointer, focus and touch alike. */
import type { ReactNode } from 'react'
import { Hint } from './Hint.tsx'
import classes from './Tip.module.css'

interface TipProps {
  /** What is behind it. */
  text: string
  children: ReactNode
}

/** A button, so that the keyboard gets there; all it does is to say its text. */
export function Tip({ text, children }: TipProps) {
  return (
    <Hint text={text}>
      <button type="button" className={classes.tip}>
        {children}
      </button>
    </Hint>
  )
}
