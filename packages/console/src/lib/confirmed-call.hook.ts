/** What is done to an object after a question: asked, called, said how it went, read again. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { sentenceFor } from './api-error.ts'
import { askBefore, type Intended } from './ask-before.ts'
import { askFirst, type Question } from './confirm.ts'
import { showToast } from './toast.ts'

interface ConfirmedCall extends Question {
  /** The call, where it interrupts a stream; null where nothing on air can be lost by it. */
  interrupts: Intended | null
  send: () => Promise<unknown>
  /** Heading of the toast afterwards; of a failure that the API has no sentence for. */
  done: string
  failed: string
  /** The object, below the heading. */
  title: string
}

/**
 * `mutationKey`: `useIsMutating` counts the call under it. `readAgain`: what is stale afterwards,
 * whichever way it went.
 * @returns asks, then calls; never throws, the toast says how it went
 */
export function useConfirmedCall(
  mutationKey: readonly string[],
  readAgain: (client: QueryClient) => void,
) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey,
    mutationFn: async (send: ConfirmedCall['send']) => send(),
  })
  return async ({
    interrupts,
    send,
    done,
    failed,
    title,
    ...question
  }: ConfirmedCall): Promise<void> => {
    const isConfirmed =
      interrupts === null ? await askFirst(question) : await askBefore(interrupts, question)
    if (!isConfirmed) return
    try {
      await mutateAsync(send)
      showToast('success', done, title)
    } catch (error) {
      showToast('failure', sentenceFor(error, failed), title)
    }
    readAgain(client)
  }
}
