/** New recovery codes, shown once. */
import { saveTextFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button/Button.tsx'
import { ResultDialog } from '../../ui/dialog/ResultDialog.tsx'
import classes from './SecondFactor.module.css'

interface RecoveryCodesProps {
  title: string
  lead: string
  codes: readonly string[]
  onClose: () => void
}

export function RecoveryCodes({ title, lead, codes, onClose }: RecoveryCodesProps) {
  return (
    <ResultDialog title={title} subtitle="" onClose={onClose}>
      <p role="status">{lead}</p>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button
        size={36}
        onClick={() =>
          saveTextFile('trunkline-recovery-codes.txt', 'text/plain', `${codes.join('\n')}\n`)
        }
      >
        Save as file
      </Button>
    </ResultDialog>
  )
}
