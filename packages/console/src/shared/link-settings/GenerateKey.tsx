/** Below a passphrase field: fills in a new one, and copies what is typed (IN-FORM-19, Q166). */
import { Button } from '../../ui/button/Button.tsx'
import { CopyText } from '../../ui/button/CopyText.tsx'
import classes from './GenerateKey.module.css'

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

/** 24 bytes are 32 characters and more than any cipher here keeps. */
const RANDOM_BYTES = 24

/** A passphrase out of the characters that both tools take unchanged (decisions.md 13). */
export function newPassphrase(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}
