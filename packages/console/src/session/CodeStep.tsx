/** The second step of a sign-in: the code of the app, or a recovery code. */
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { ApiError, sentenceFor } from '../lib/api-error.ts'
import { Button } from '../ui/button/Button.tsx'
import { Field } from '../ui/field/Field.tsx'
import { SignInFailure } from './SignInFailure.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { enterCode } from './session.actions.ts'
import { CODE_FAILED, CODE_LEAD, RECOVERY_LEAD } from './session.messages.ts'
import classes from './LoginPage.module.css'

interface CodeStepProps {
  challenge: string
  /** To e-mail and password again; `sentence`: why, '' by choice. */
  onBack: (sentence: string) => void
}

export function CodeStep({ challenge, onBack }: CodeStepProps) {
  const [isRecovery, setRecovery] = useState(false)
  return (
    <SignInFrame title={`Sign in to ${PRODUCT_NAME}`} lead={isRecovery ? RECOVERY_LEAD : CODE_LEAD}>
      <CodeForm
        key={String(isRecovery)}
        challenge={challenge}
        isRecovery={isRecovery}
        onBack={onBack}
      />
      <div className={classes.others}>
        <Button tone="quiet" size={36} onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? 'Use the app' : 'Use a recovery code'}
        </Button>
        <Button tone="quiet" size={36} onClick={() => onBack('')}>
          Back
        </Button>
      </div>
    </SignInFrame>
  )
}

function CodeForm({ challenge, isRecovery, onBack }: CodeStepProps & { isRecovery: boolean }) {
  const first = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState('')
  const isReady = code.trim() !== '' && !isPending
  useEffect(() => first.current?.focus(), [])

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (!isReady) return
    setPending(true)
    setFailure('')
    try {
      await enterCode(challenge, code)
    } catch (error) {
      const sentence = sentenceFor(error, CODE_FAILED)
      if (error instanceof ApiError && error.status === 401) {
        onBack(sentence)
        return
      }
      setFailure(sentence)
      setPending(false)
      first.current?.select()
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label={isRecovery ? 'Recovery code' : 'Code'}
        name="code"
        size={44}
        ref={first}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        spellCheck={false}
        autoCapitalize="none"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" tone="primary" size={44} className={classes.submit} disabled={!isReady}>
        {isPending ? 'Signing in' : 'Sign in'}
      </Button>
      <SignInFailure sentence={failure} />
    </form>
  )
}
