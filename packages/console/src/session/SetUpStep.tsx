/** The second step of somebody whose role needs a second factor and who has none: an app or a passkey. */
import { useBlocker } from '@tanstack/react-router'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import type { PasskeyCreation } from '@trunkline/contract/users/passkey.schema'
import type { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import { useEffect, useRef, useState } from 'react'
import { askFirst, type Question } from '../lib/confirm.ts'
import { PASSKEY_NAME_HINT } from '../shared/passkeys/passkey.messages.ts'
import { RecoveryCodeList } from '../shared/second-factor/RecoveryCodeList.tsx'
import { ScanKey } from '../shared/second-factor/ScanKey.tsx'
import { Button } from '../ui/button/Button.tsx'
import { Field } from '../ui/field/Field.tsx'
import { CodeForm } from './CodeForm.tsx'
import { enterNewPasskey, enterSetUp, type SetUpDone } from './second-step.actions.ts'
import { WAITING_FOR_PASSKEY } from './session.messages.ts'
import {
  CODES_ARE_AWAITED,
  CODES_ARE_LOST,
  KEEP_CODES_LEAD,
  NEW_PASSKEY_FAILED,
  NEW_PASSKEY_LEAD,
  SET_UP_LEAD,
} from './set-up.messages.ts'
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
  const [isAwaited, setAwaited] = useState(false)
  if (done !== null) {
    const begin = () => {
      done.begin()
      // The session leads on.
      onBack('')
    }
    return <KeepCodes codes={done.recoveryCodes} onContinue={begin} />
  }
  const receive = async (answer: Promise<SetUpDone>) => {
    setAwaited(true)
    try {
      setDone(await answer)
    } finally {
      setAwaited(false)
    }
  }
  const leave = async (go: () => void) => {
    if (isAwaited && !(await askFirst(CODES_ARE_AWAITED))) return
    go()
  }
  return (
    <SignInFrame
      title={`Sign in to ${PRODUCT_NAME}`}
      lead={isByPasskey ? NEW_PASSKEY_LEAD : SET_UP_LEAD}
    >
      {isAwaited && <CodesGuard question={CODES_ARE_AWAITED} />}
      {isByPasskey && passkey !== null ? (
        <NewPasskeyForm creation={passkey} receive={receive} onBack={onBack} />
      ) : (
        <>
          <ScanKey secret={secret} uri={uri} />
          <CodeForm
            isRecovery={false}
            submitLabel="Turn on and sign in"
            enter={async (code) => receive(enterSetUp(challenge, code))}
            onBack={onBack}
          />
        </>
      )}
      <div className={classes.others}>
        {passkey !== null && (
          <Button
            tone="quiet"
            size={36}
            onClick={() => void leave(() => setByPasskey(!isByPasskey))}
          >
            {isByPasskey ? 'Use an app instead' : 'Use a passkey instead'}
          </Button>
        )}
        <Button tone="quiet" size={36} onClick={() => void leave(() => onBack(''))}>
          Back
        </Button>
      </div>
    </SignInFrame>
  )
}

interface KeepCodesProps {
  codes: readonly string[]
  onContinue: () => void
}

/** The codes have the focus, and not the button: what is pressed once more must not take them away. */
function KeepCodes({ codes: shown, onContinue }: KeepCodesProps) {
  const codes = useRef<HTMLDivElement>(null)
  useEffect(() => codes.current?.focus(), [])
  return (
    <SignInFrame title="Keep your recovery codes" lead={KEEP_CODES_LEAD}>
      <CodesGuard question={CODES_ARE_LOST} />
      <div ref={codes} tabIndex={-1}>
        <RecoveryCodeList codes={shown} />
      </div>
      <Button tone="primary" size={44} className={classes.submit} onClick={onContinue}>
        Continue
      </Button>
    </SignInFrame>
  )
}

/** Another page asks first, and so does the browser before it closes this one. Nobody is signed in here yet. */
function CodesGuard({ question }: { question: Question }) {
  useBlocker({
    shouldBlockFn: async () => !(await askFirst(question)),
    enableBeforeUnload: true,
  })
  return null
}

interface NewPasskeyFormProps {
  creation: PasskeyCreation
  receive: (answer: Promise<SetUpDone>) => Promise<void>
  onBack: (sentence: string) => void
}

function NewPasskeyForm({ creation, receive, onBack }: NewPasskeyFormProps) {
  const first = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const { isPending, failure, submit } = useStep({
    enter: async () => receive(enterNewPasskey(creation, name)),
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
