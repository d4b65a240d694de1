/** The second step of somebody whose role needs a second factor and who has none: the app is set up. */
import { PRODUCT_NAME } from '@trunkline/contract/product'
import type { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import { useState } from 'react'
import { RecoveryCodeList } from '../shared/second-factor/RecoveryCodeList.tsx'
import { ScanKey } from '../shared/second-factor/ScanKey.tsx'
import { Button } from '../ui/button/Button.tsx'
import { CodeForm } from './CodeForm.tsx'
import { enterSetUp, type SetUpDone } from './second-step.actions.ts'
import { KEEP_CODES_LEAD, SET_UP_LEAD } from './session.messages.ts'
import { SignInFrame } from './SignInFrame.tsx'
import classes from './LoginPage.module.css'

export interface SetUpStepProps {
  challenge: string
  setUp: NonNullable<SecondFactorAsked['setUp']>
  /** To e-mail and password again; `sentence`: why, '' by choice. */
  onBack: (sentence: string) => void
}

export function SetUpStep({ challenge, setUp, onBack }: SetUpStepProps) {
  const [done, setDone] = useState<SetUpDone | null>(null)
  if (done !== null) {
    return (
      <SignInFrame title="Keep your recovery codes" lead={KEEP_CODES_LEAD}>
        <RecoveryCodeList codes={done.recoveryCodes} />
        <Button tone="primary" size={44} className={classes.submit} onClick={done.begin}>
          Continue
        </Button>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title={`Sign in to ${PRODUCT_NAME}`} lead={SET_UP_LEAD}>
      <ScanKey {...setUp} />
      <CodeForm
        isRecovery={false}
        submitLabel="Turn on and sign in"
        enter={async (code) => setDone(await enterSetUp(challenge, code))}
        onBack={onBack}
      />
      <div className={classes.others}>
        <Button tone="quiet" size={36} onClick={() => onBack('')}>
          Back
        </Button>
      </div>
    </SignInFrame>
  )
}
