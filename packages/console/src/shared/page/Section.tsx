/** A titled part of a configuration page. */
import type { ReactNode } from 'react'
import classes from './Section.module.css'

interface SectionProps {
  title: string
  /** At the right end of the title. */
  aside?: ReactNode
  /** Something in it asks for a look. */
  isWarned?: boolean
  children: ReactNode
}

export function Section({ title, aside, isWarned = false, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title} data-warned={isWarned || undefined}>
      <h2>
        {title}
        {aside !== undefined && <span className={classes.aside}>{aside}</span>}
      </h2>
      {children}
    </section>
  )
}

export function Fields({ columns, children }: { columns: 3 | 4; children: ReactNode }) {
  return (
    <div className={classes.fields} data-columns={columns}>
      {children}
    </div>
  )
}
