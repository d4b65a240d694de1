/** Sign-in: an e-mail, a password, a button (AUTH-01 to AUTH-11). */
import { useLocation } from '@tanstack/react-router'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { Email } from '@trunkline/contract/text.schema'
import type { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import { useEffect, useRef, useState, type RefObject, type SubmitEvent } from 'react'
import { isNoAnswer, sentenceFor } from '../lib/api-error.ts'
import { readSession, useSession } from '../lib/session.ts'
import { clearToasts, showToast } from '../lib/toast.ts'
import { LaterPart } from '../shared/page/Later.tsx'
import { Redirect } from '../shared/page/Redirect.tsx'
import { Button } from '../ui/button/Button.tsx'
import { Field } from '../ui/field/Field.tsx'
import { SecretField } from '../ui/field/SecretField.tsx'
import { Kbd } from '../ui/hint/Kbd.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import { LineMap } from './LineMap.tsx'
import { SECOND_STEP, SET_UP_STEP } from './second-step.loader.ts'
import { providerAnswer } from './provider-sign-in.ts'
import { ProviderButton } from './ProviderButton.tsx'
import { ProviderStep } from './ProviderStep.tsx'
import { SignInFailure } from './SignInFailure.tsx'
import { signIn } from './session.actions.ts'
import { CHECK_EMAIL_AND_PASSWORD, INVALID_EMAIL } from './session.messages.ts'
import { SignInFrame } from './SignInFrame.tsx'
import classes from './LoginPage.module.css'

/** Why the last session has ended, or an attempt failed, is over once somebody has signed in. */
function dropNoticesOfSignIn(): void {
  if (readSession() !== null) clearToasts()
}

export function LoginPage() {
  const session = useSession()
  const location = useLocation()
  const { state } = location
  const [answer, setAnswer] = useState(() => providerAnswer(location))
  const [asked, setAsked] = useState<SecondFactorAsked | null>(null)
  const [reason, setReason] = useState('')
  const [email, setEmail] = useState('')
  useEffect(() => dropNoticesOfSignIn, [])
  // Whoever was sent to the provider again comes back with a session: the answer begins another. A session
  // that another tab has begun does not take away codes that are shown once.
  if (session !== null && answer === null && !asked?.setUp)
    return <Redirect to={state.from ?? '/'} from="" />
  if (answer !== null) {
    return (
      <ProviderStep
        answer={answer}
        onEnd={(sentence) => {
          setReason(sentence)
          setAnswer(null)
        }}
      />
    )
  }
  if (asked !== null) {
    const onBack = (sentence: string) => {
      setReason(sentence)
      setAsked(null)
    }
    const { challenge, setUp } = asked
    if (setUp === null) {
      return <LaterPart part={SECOND_STEP} props={{ asked, onBack }} waiting={<LineMap />} />
    }
    return (
      <LaterPart part={SET_UP_STEP} props={{ challenge, setUp, onBack }} waiting={<LineMap />} />
    )
  }
  return (
    <SignInFrame
      title={`Sign in to ${PRODUCT_NAME}`}
      lead="Encoders, feeders, channels and contributions."
    >
      <SignInForm
        reason={reason}
        from={state.from ?? ''}
        email={email}
        onEmail={setEmail}
        onAsked={setAsked}
      />
    </SignInFrame>
  )
}

interface SignInFormProps {
  /** Why another step led back here; '' for none. */
  reason: string
  /** The page that was asked for; '' for none. */
  from: string
  /** Kept while another step is shown: who comes back types the password alone. */
  email: string
  onEmail: (email: string) => void
  /** The account has a second factor. */
  onAsked: (asked: SecondFactorAsked) => void
}

function SignInForm({ reason, from, email, onEmail, onAsked }: SignInFormProps) {
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState(reason)
  const isEmailValid = Email.safeParse(email).success
  const isReady = isEmailValid && password !== '' && !isPending

  // oxlint-disable-next-line react/exhaustive-deps -- once, as the form is shown
  useEffect(() => (email === '' ? first : second).current?.focus(), [])

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (!isReady) return
    setPending(true)
    setFailure('')
    try {
      const asked = await signIn(email, password)
      if (asked !== null) onAsked(asked)
    } catch (error) {
      const sentence = sentenceFor(error, CHECK_EMAIL_AND_PASSWORD)
      setFailure(sentence)
      if (isNoAnswer(error)) showToast('failure', sentence, '')
      setPending(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label="Email"
        type="email"
        name="email"
        size={44}
        autoComplete="username"
        ref={first}
        value={email}
        error={email !== '' && !isEmailValid ? INVALID_EMAIL : ''}
        onChange={(event) => onEmail(event.target.value)}
      />
      <PasswordField value={password} ref={second} onChange={setPassword} />
      <Button type="submit" tone="primary" size={44} className={classes.submit} disabled={!isReady}>
        {isPending ? 'Signing in' : 'Sign in'}
        {!isPending && (
          <span className={classes.key} aria-hidden="true">
            <Kbd>Enter</Kbd>
          </span>
        )}
      </Button>
      <ProviderButton from={from} onFailure={setFailure} />
      <SignInFailure sentence={failure} />
    </form>
  )
}

interface PasswordFieldProps {
  value: string
  ref: RefObject<HTMLInputElement | null>
  onChange: (value: string) => void
}

function PasswordField({ ref, value, onChange }: PasswordFieldProps) {
  const [hasCapsLock, setCapsLock] = useState(false)
  return (
    <SecretField
      label="Password"
      secret="password"
      name="password"
      size={44}
      autoComplete="current-password"
      ref={ref}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
      onBlur={() => setCapsLock(false)}
      hint={
        hasCapsLock && (
          <>
            <Shape shape="triangle" family="warn" />
            Caps Lock is on.
          </>
        )
      }
    />
  )
}
