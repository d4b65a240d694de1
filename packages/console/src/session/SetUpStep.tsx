/** The second step of somebody whose role needs a second factor and who has none: an app or a passkey. */
import { PRODUCT_NAME } from '@trunkline/contract/product'
import type { PasskeyCreation } from '@trunkline/contract/users/passkey.schema'
import type { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import { useEffect, useRef, useState } from 'react'
import { PASSKEY_NAME_HINT } from '../shared/passkeys/passkey.messages.ts'
import { RecoveryCodeList } from '../shared/second-factor/RecoveryCodeList.tsx'
import { ScanKey } from '../shared/second-factor/ScanKey.tsx'
import { Button } from '../ui/button/Button.tsx'
import { Field } from '../ui/field/Field.tsx'
import { CodeForm } from './CodeForm.tsx'
import { enterNewPasskey, enterSetUp, type SetUpDone } from './second-step.actions.ts'
import {
  KEEP_CODES_LEAD,
  NEW_PASSKEY_FAILED,
  NEW_PASSKEY_LEAD,
  SET_UP_LEAD,
  WAITING_FOR_PASSKEY,
} from './session.messages.ts'
import { SignInFailure } from './SignInFailure.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { useStep } from './step.hook.ts'
import classes from './LoginPage.module.css'

export interface SetUpStepProps {
  challenge: string
  setUp: NonNullable<SecondFactorAsked['setUp']>
  /** To e-mail and password again; `sentence`: why, '' by choice. */
  onBack: (sentence: string) => void
}

export function SetUpStep({ challenge, setUp, onBack }: SetUpStepProps) {
  const { secret, uri, passkey } = setUp
  const [done, setDone] = useState<SetUpDone | null>(null)
  const [isByPasskey, setByPasskey] = useState(false)
  if (done !== null) {
    return <KeepCodes done={done} />
  }
  return (
    <SignInFrame
      title={`Sign in to ${PRODUCT_NAME}`}
      lead={isByPasskey ? NEW_PASSKEY_LEAD : SET_UP_LEAD}
    >
      {isByPasskey && passkey !== null ? (
        <NewPasskeyForm creation={passkey} onDone={setDone} onBack={onBack} />
      ) : (
        <>
          <ScanKey secret={secret} uri={uri} />
          <CodeForm
            isRecovery={false}
            submitLabel="Turn on and sign in"
            enter={async (code) => setDone(await enterSetUp(challenge, code))}
            onBack={onBack}
          />
        </>
      )}
      <div className={classes.others}>
        {passkey !== null && (
          <Button tone="quiet" size={36} onClick={() => setByPasskey(!isByPasskey)}>
            {isByPasskey ? 'Use an app instead' : 'Use a passkey instead'}
          </Button>
        )}
        <Button tone="quiet" size={36} onClick={() => onBack('')}>
          Back
        </Button>
      </div>
    </SignInFrame>
  )
}

/** The codes have the focus, and not the button: what is pressed once more must not take them away. */
function KeepCodes({ done }: { done: SetUpDone }) {
  const codes = useRef<HTMLDivElement>(null)
  useEffect(() => codes.current?.focus(), [])
  return (
    <SignInFrame title="Keep your recovery codes" lead={KEEP_CODES_LEAD}>
      <div ref={codes} tabIndex={-1}>
        <RecoveryCodeList codes={done.recoveryCodes} />
      </div>
      <Button tone="primary" size={44} className={classes.submit} onClick={done.begin}>
        Continue
      </Button>
    </SignInFrame>
  )
}

interface NewPasskeyFormProps {
  creation: PasskeyCreation
  onDone: (done: SetUpDone) => void
  onBack: (sentence: string) => void
}

function NewPasskeyForm({ creation, onDone, onBack }: NewPasskeyFormProps) {
  const first = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const { isPending, failure, submit } = useStep({
    enter: async () => onDone(await enterNewPasskey(creation, name)),
    fallback: NEW_PASSKEY_FAILED,
    onBack,
  })
  useEffect(() => first.current?.focus(), [])
  return (
    <form onSubmit={submit} noValidate>
      <Field
        label="Name"
        name="name"
        size={44}
        ref={first}
        hint={PASSKEY_NAME_HINT}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button
        type="submit"
        tone="primary"
        size={44}
        className={classes.submit}
        disabled={name.trim() === '' || isPending}
      >
        {isPending ? WAITING_FOR_PASSKEY : 'Add passkey and sign in'}
      </Button>
      <SignInFailure sentence={failure} />
    </form>
  )
}
