/** Of several, those that could not be done: each with its reason. */
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import type { TitledFailure } from './bulk.rules.ts'
import classes from './BulkResultDialog.module.css'
import { SELECT_FAILED, STAYED, STAYED_WITH_OTHERS, someFailed } from './bulk.messages.ts'
import { LOCALE } from '../../lib/locale/language.ts'

export interface BulkResult {
  failures: readonly TitledFailure[]
  /** How many it was about. */
  of: number
}

interface BulkResultDialogProps {
  result: BulkResult
  /** Takes all others out of the selection; null where no others are in it. */
  onSelectFailed: (() => void) | null
  onClose: () => void
}

export function BulkResultDialog({ result, onSelectFailed, onClose }: BulkResultDialogProps) {
  return (
    <Dialog
      title={someFailed(result.failures.length, result.of)}
      width={560}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button size={36} data-autofocus onClick={onClose}>
            Close
          </Button>
          {onSelectFailed !== null && (
            <Button
              size={36}
              tone="primary"
              onClick={() => {
                onSelectFailed()
                onClose()
              }}
            >
              {SELECT_FAILED}
            </Button>
          )}
        </>
      }
    >
      <p className={classes.note}>{onSelectFailed === null ? STAYED : STAYED_WITH_OTHERS}</p>
      {/* A long list scrolls by itself, so the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className={classes.list} aria-label="Failed" tabIndex={0}>
        {result.failures.slice(0, LISTED).map(({ id, title, error }) => (
          <li key={id}>
            <b>{title}</b>
            <span>{error}</span>
          </li>
        ))}
      </ul>
      {result.failures.length > LISTED && (
        <p className={classes.note}>
          {(result.failures.length - LISTED).toLocaleString(LOCALE)} more.
        </p>
      )}
    </Dialog>
  )
}

/** Nobody reads thousands. */
const LISTED = 200
