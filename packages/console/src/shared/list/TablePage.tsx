/** A page that is one table: the pager stands at the foot of the screen, however few rows there are. */
import type { ReactNode } from 'react'
import classes from './TablePage.module.css'

export function TablePage({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>
}
