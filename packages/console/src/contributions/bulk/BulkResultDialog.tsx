/** Of several, those that could not be done: each with its reason. */
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import type { TitledFailure } from './bulk.rules.ts'
import classes from './BulkResultDialog.module.css'
import { STAYED, someFailed } from '../contribution.messages.ts'
import { LOCALE } from '../../lib/locale/language.ts'

export interface BulkResult {
  failures: readonly TitledFailure[]
  /** How many it was about. */
  of: number
}

export function BulkResultDialog({ result, onClose }: { result: BulkResult; onClose: () => void }) {
  return (
    <Dialog
      title={someFailed(result.failures.length, result.of)}
      width={560}
      isOpen
      onClose={onClose}
      footer={
        <Button size={36} data-autofocus onClick={onClose}>
          Close
        </Button>
      }
    >
      <p className={classes.note}>{STAYED}</p>
      <ul className={classes.list} aria-label="Failed">
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
