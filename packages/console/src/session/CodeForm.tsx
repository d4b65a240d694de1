/** The field for a code of the app, or a recovery code, and its button. */
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { ApiError, sentenceFor } from '../lib/api-error.ts'
import { Button } from '../ui/button/Button.tsx'
import { Field } from '../ui/field/Field.tsx'
import { SignInFailure } from './SignInFailure.tsx'
import { CODE_FAILED } from './session.messages.ts'
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
      await enter(code)
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
        {isPending ? 'Signing in' : submitLabel}
      </Button>
      <SignInFailure sentence={failure} />
    </form>
  )
}
