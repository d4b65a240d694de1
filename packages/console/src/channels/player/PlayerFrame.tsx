/** The black 16:9 box, and the note that stands in it while there is no picture. */
import type { ReactNode } from 'react'
import { Button } from '../../ui/button/Button.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import classes from './PlayerFrame.module.css'

export function PlayerFrame({ note, children }: { note: ReactNode; children?: ReactNode }) {
  return (
    <div className={classes.frame}>
      {children}
      {note !== null && <div className={classes.note}>{note}</div>}
    </div>
  )
}

interface PlayerNoteProps {
  title: string
  detail?: string
  isBusy?: boolean
  onRetry?: () => void
}

export function PlayerNote({ title, detail, isBusy = false, onRetry }: PlayerNoteProps) {
  return (
    <>
      <p className={classes.title} role={isBusy ? undefined : 'status'}>
        {isBusy && <Shape shape="arc" family="move" size={16} />}
        {title}
      </p>
      {detail !== undefined && <p className={classes.detail}>{detail}</p>}
      {onRetry !== undefined && (
        <Button size={28} onClick={onRetry}>
          Retry
        </Button>
      )}
    </>
  )
}
