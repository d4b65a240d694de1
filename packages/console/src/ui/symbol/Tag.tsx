/** A word about an object, in a frame beside its name. */
import type { ReactNode } from 'react'
import classes from './Tag.module.css'

interface TagProps {
  /** `waits`: something is not in force yet. */
  tone?: 'waits' | undefined
  className?: string | undefined
  children: ReactNode
}

export function Tag({ tone, className, children }: TagProps) {
  return (
    <span className={[classes.tag, className].filter(Boolean).join(' ')} data-tone={tone}>
      {children}
    </span>
  )
}
