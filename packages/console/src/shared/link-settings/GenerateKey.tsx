/** Below a passphrase field: fills in a new one, and copies what is typed (IN-FORM-19, Q166). */
import { Button } from '../../ui/button/Button.tsx'
import { CopyText } from '../../ui/button/CopyText.tsx'
import classes from './GenerateKey.module.css'
import { newPassphrase } from './passphrase.ts'

interface GenerateKeyProps {
  /** As typed; '' for none. */
  passphrase: string
  onGenerate: (passphrase: string) => void
}

export function GenerateKey({ passphrase, onGenerate }: GenerateKeyProps) {
  return (
    <div className={classes.generate}>
      <Button size={28} onClick={() => onGenerate(newPassphrase())}>
        Generate A Key
      </Button>
      {passphrase !== '' && <CopyText text={passphrase} shown="••••••" label="passphrase" />}
    </div>
  )
}
