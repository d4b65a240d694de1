/** What every form of the second step does: it asks once at a time, and says what was refused. */
import { useState, type SubmitEvent } from 'react'
import { ApiError, sentenceFor } from '../lib/api-error.ts'

interface Step {
  /** Rejects with an ApiError: 401 when the password is asked for again. */
  enter: () => Promise<void>
  /** The sentence for what is no answer of the API. */
  fallback: string
  /** To e-mail and password again; `sentence`: why. */
  onBack: (sentence: string) => void
  onRefused?: () => void
  /** In place of the API's sentence about what was entered; '' for that sentence. */
  refusedText?: string
}

export function useStep({ enter, fallback, onBack, onRefused, refusedText = '' }: Step) {
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState('')

  async function take(): Promise<void> {
    setPending(true)
    setFailure('')
    try {
      await enter()
    } catch (error) {
      const sentence = sentenceFor(error, fallback)
      if (error instanceof ApiError && error.status === 401) {
        onBack(sentence)
        return
      }
      const isRefused = error instanceof ApiError && error.status === 422
      setFailure((isRefused && refusedText) || sentence)
      setPending(false)
      onRefused?.()
    }
  }

  return {
    isPending,
    failure,
    /** Of the form. */
    submit: (event: SubmitEvent) => {
      event.preventDefault()
      if (!isPending) void take()
    },
  }
}
