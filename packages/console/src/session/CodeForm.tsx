/** The field for a code of the app, or a recovery code, and its button. */
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button/Button.tsx'
import { Field } from '../ui/field/Field.tsx'
import { SignInFailure } from './SignInFailure.tsx'
import { CODE_FAILED, RECOVERY_REFUSED } from './session.messages.ts'
import { useStep } from './step.hook.ts'
import classes from './LoginPage.module.css'

interface CodeFormProps {
  isRecovery: boolean
  submitLabel: string
  /** Rejects with an ApiError: 401 when the password is asked for again. */
  enter: (code: string) => Promise<void>
  /** To e-mail and password again; `sentence`: why. */
  onBack: (sentence: string) => void
}

export function CodeForm({ isRecovery, submitLabel, enter, onBack }: CodeFormProps) {
  const first = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const isReady = code.trim() !== ''
  const { isPending, failure, submit } = useStep({
    enter: async () => enter(code),
    fallback: CODE_FAILED,
    onBack,
    onRefused: () => first.current?.select(),
    refusedText: isRecovery ? RECOVERY_REFUSED : '',
  })
  useEffect(() => first.current?.focus(), [])

  return (
    <form onSubmit={submit} noValidate>
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
      <Button
        type="submit"
        tone="primary"
        size={44}
        className={classes.submit}
        disabled={!isReady || isPending}
      >
        {isPending ? 'Signing in' : submitLabel}
      </Button>
      <SignInFailure sentence={failure} />
    </form>
  )
}
