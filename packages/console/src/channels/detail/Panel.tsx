/** A titled box of facts in the detail. */
import type { ReactNode } from 'react'
import classes from './Panel.module.css'

interface PanelProps {
  title: string
  /** Right of the title, quiet: an age, a count. */
  aside?: ReactNode
  children: ReactNode
}

export function Panel({ title, aside, children }: PanelProps) {
  return (
    <section className={classes.panel} aria-label={title}>
      <h3 className={classes.title}>
        {title}
        {aside !== undefined && <em>{aside}</em>}
      </h3>
      {children}
    </section>
  )
}

/** Names and values, one below the other; `isPaired` puts two pairs on a line. */
export function Facts({ isPaired = false, children }: { isPaired?: boolean; children: ReactNode }) {
  return <dl className={isPaired ? classes.pairs : classes.facts}>{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
