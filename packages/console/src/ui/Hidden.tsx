import type { ReactNode } from 'react'
import classes from './Hidden.module.css'

/** Spoken, not shown. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={classes.hidden}>{children}</span>
}
