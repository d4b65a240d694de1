/** New recovery codes, shown once, to be kept. */
import { saveTextFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button/Button.tsx'
import classes from './second-factor.module.css'

export function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  return (
    <>
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
    </>
  )
}
