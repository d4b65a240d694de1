import type { ReactNode } from 'react'
import classes from './Kbd.module.css'

/** A key as it is printed on the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className={classes.kbd}>{children}</kbd>
}
