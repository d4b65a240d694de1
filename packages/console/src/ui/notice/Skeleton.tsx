/** Grey bars in the final sizes, shown only when an answer takes longer than a blink. */
import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import classes from './Skeleton.module.css'

/** design.md section 5. */
const SHOWN_AFTER_MS = 200

interface SkeletonProps {
  count: number
  /** Pixels, of each. */
  height: number
  /** A row of a table has no box of its own, and one line. */
  kind?: 'card' | 'row' | undefined
}

export function Skeleton({ count, height, kind = 'card' }: SkeletonProps) {
  const [isShown, setShown] = useState(false)
  useTimeout(() => setShown(true), SHOWN_AFTER_MS, { autoInvoke: true })
  return (
    <>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={classes[kind]} style={{ height }} aria-hidden="true">
          {isShown && <i />}
          {isShown && kind === 'card' && (
            <>
              <i />
              <i />
            </>
          )}
        </div>
      ))}
    </>
  )
}
