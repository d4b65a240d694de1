/** The second step of a sign-in: a passkey, the code of the app, or a recovery code. */
import { PRODUCT_NAME } from '@trunkline/contract/product'
import type { PasskeyRequest } from '@trunkline/contract/users/passkey.schema'
import type { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button/Button.tsx'
import { CodeForm } from './CodeForm.tsx'
import { SignInFailure } from './SignInFailure.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { enterCode, enterPasskey } from './second-step.actions.ts'
import {
  CODE_LEAD,
  NO_PASSKEY_LEAD,
  PASSKEY_FAILED,
  PASSKEY_LEAD,
  RECOVERY_LEAD,
  WAITING_FOR_PASSKEY,
} from './session.messages.ts'
import { useStep } from './step.hook.ts'
import classes from './LoginPage.module.css'

interface SecondStepProps {
  asked: SecondFactorAsked
  /** To e-mail and password again; `sentence`: why, '' by choice. */
  onBack: (sentence: string) => void
}

type Way = 'passkey' | 'app' | 'recovery'

const USE = {
  passkey: 'Use a passkey',
  app: 'Use the app',
  recovery: 'Use a recovery code',
} as const

export function SecondStep({ asked, onBack }: SecondStepProps) {
  const ways = waysOf(asked)
  const [first] = ways
  const [way, setWay] = useState<Way>(first)
  const lead =
    way === 'passkey'
      ? PASSKEY_LEAD
      : way === 'app'
        ? CODE_LEAD
        : ways.length === 1
          ? NO_PASSKEY_LEAD
          : RECOVERY_LEAD
  return (
    <SignInFrame title={`Sign in to ${PRODUCT_NAME}`} lead={lead}>
      {way === 'passkey' && asked.passkey !== null ? (
        <PasskeyForm request={asked.passkey} onBack={onBack} />
      ) : (
        <CodeForm
          key={way}
          isRecovery={way === 'recovery'}
          submitLabel="Sign in"
          enter={async (code) => enterCode(asked.challenge, code)}
          onBack={onBack}
        />
      )}
      <div className={classes.others}>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} tone="quiet" size={36} onClick={() => setWay(other)}>
              {USE[other]}
            </Button>
          ))}
        <Button tone="quiet" size={36} onClick={() => onBack('')}>
          Back
        </Button>
      </div>
    </SignInFrame>
  )
}

/** The nearest at hand first. */
function waysOf({ passkey, hasApp }: SecondFactorAsked): readonly [Way, ...Way[]] {
  if (passkey !== null) return hasApp ? ['passkey', 'app', 'recovery'] : ['passkey', 'recovery']
  return hasApp ? ['app', 'recovery'] : ['recovery']
}

interface PasskeyFormProps {
  request: PasskeyRequest
  onBack: (sentence: string) => void
}

function PasskeyForm({ request, onBack }: PasskeyFormProps) {
  const first = useRef<HTMLButtonElement>(null)
  const { isPending, failure, submit } = useStep({
    enter: async () => enterPasskey(request),
    fallback: PASSKEY_FAILED,
    onBack,
  })
  useEffect(() => first.current?.focus(), [])
  return (
    <form onSubmit={submit}>
      <Button
        type="submit"
        tone="primary"
        size={44}
        className={classes.submit}
        ref={first}
        aria-busy={isPending || undefined}
      >
        {isPending ? WAITING_FOR_PASSKEY : 'Use a passkey'}
      </Button>
      <SignInFailure sentence={failure} />
    </form>
  )
}
