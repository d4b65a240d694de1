/** The question of `useLeaveQuestion`, in the footer of the dialog, and what it stands guard over. */
import { useBlocker, useRouter } from '@tanstack/react-router'
import { readSession } from '../../lib/session.ts'
import { Button } from '../../ui/button/Button.tsx'
import classes from './AskBeforeLeaving.module.css'
import type { LeaveQuestion } from './leave-question.hook.ts'

interface LeaveButtonsProps {
  leaving: LeaveQuestion
  /** What is lost. */
  sentence: string
  /** Of the safe answer: 'Keep editing'. */
  stayLabel: string
}

/** In place of the buttons of the footer while the question stands. */
export function LeaveButtons({ leaving, sentence, stayLabel }: LeaveButtonsProps) {
  return (
    <div className={classes.question} role="group" aria-label="Close without saving?">
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
        Close without saving
      </Button>
    </div>
  )
}

/** A dialog that stands beside the pages stays open over a change of page: nothing is lost by one. */
export function LeaveGuard({ leaving }: { leaving: LeaveQuestion }) {
  // Outside of the pages there is none, whatever its type says.
  const router: unknown = useRouter({ warn: false })
  return Boolean(router) && <PageGuard leaving={leaving} />
}

function PageGuard({ leaving: { ask, hasChanges } }: { leaving: LeaveQuestion }) {
  useBlocker({
    shouldBlockFn: async ({ current, next, action }) => {
      // What a page notes in its own address is no leaving; who is signed out cannot stay.
      const isNote = current.pathname === next.pathname && action === 'REPLACE'
      if (isNote || readSession() === null) return false
      return !(await ask())
    },
    enableBeforeUnload: hasChanges,
    disabled: !hasChanges,
  })
  return null
}
