/** The question of `useLeaveQuestion`, in the footer of the dialog, and what it stands guard over. */
import { PageGuard } from '../../shared/page/PageGuard.tsx'
import { Button } from '../../ui/button/Button.tsx'
import classes from './AskBeforeLeaving.module.css'
import type { LeaveQuestion } from './leave-question.hook.ts'

interface LeaveButtonsProps {
  leaving: LeaveQuestion
  /** What is lost. */
  sentence: string
  /** Of the safe answer: 'Keep editing'. */
  stayLabel: string
  leaveLabel: string
}

/** In place of the buttons of the footer while the question stands. */
export function LeaveButtons({ leaving, sentence, stayLabel, leaveLabel }: LeaveButtonsProps) {
  return (
    <div className={classes.question} role="group" aria-label="Close?">
      <p role="alert">{sentence}</p>
      <Button
        size={36}
        // The question stands where the buttons stood: the safe answer has the focus.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onClick={() => leaving.answer(false)}
      >
        {stayLabel}
      </Button>
      <Button size={36} tone="danger" onClick={() => leaving.answer(true)}>
        {leaveLabel}
      </Button>
    </div>
  )
}

export function LeaveGuard({ leaving: { ask, hasChanges } }: { leaving: LeaveQuestion }) {
  return hasChanges && <PageGuard mayLeave={ask} />
}
