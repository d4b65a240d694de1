/** The room around sign-in: the map of lines, the card, and at the foot whether the API answers. */
import { useEffect, type ReactNode } from 'react'
import { UtcClock } from '../shared/page/UtcClock.tsx'
import { Mark } from '../ui/symbol/Mark.tsx'
import { LineMap } from './LineMap.tsx'
import { Reachability } from './Reachability.tsx'
import classes from './SignInFrame.module.css'

interface SignInFrameProps {
  title: string
  lead: string
  children: ReactNode
}

export function SignInFrame({ title, lead, children }: SignInFrameProps) {
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div className={classes.page}>
      <LineMap />
      <main className={classes.middle}>
        <div className={classes.card}>
          <Mark size={36} />
          <h1>{title}</h1>
          <p>{lead}</p>
          {children}
        </div>
      </main>
      <footer className={classes.foot}>
        <Reachability />
        <span className={classes.help}>Lost access? Ask an admin of your group.</span>
        <UtcClock />
      </footer>
    </div>
  )
}
