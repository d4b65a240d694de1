/** What an operator does to a destination: ask first where it must, call, say how it went. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addDestination,
  removeDestination,
  removeDestinations,
  updateDestination,
} from '@trunkline/contract/contributions/destination.calls'
import {
  type Destination,
  DestinationDraft,
  DestinationEdit,
} from '@trunkline/contract/contributions/destination.schema'
import { changeOutputDestination } from '@trunkline/contract/contributions/output.calls'
import { sentenceFor } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { askBrowser, askFirst } from '../../lib/confirm.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toast.ts'
import { type BulkOutcome, inParts, type OnProgress } from '../bulk/bulk.rules.ts'
import * as text from '../contribution.messages.ts'
import { bodyOf, type DestinationValues } from './destination-form.rules.ts'
import { type Named, outputsOfDestination, outputsToLink } from './destination.queries.ts'
import { actionKey } from '../../programs/command/busy.hook.ts'

/** @returns adds, or changes `destination`; rejects with an ApiError for the form to show */
export function useSaveDestination(destination: Destination | null, picksGroup: boolean) {
  const client = useQueryClient()
  return async (values: DestinationValues, version: number | null): Promise<void> => {
    const body = bodyOf(values, picksGroup)
    if (destination === null) {
      await call(addDestination, { body: DestinationDraft.parse(body) })
      showToast('success', text.DESTINATION_ADDED, values.title.trim())
    } else {
      const edit = DestinationEdit.parse({ ...body, ...(version === null ? {} : { version }) })
      const params = { id: destination.id }
      const { msg } = await call(updateDestination, { params, body: edit })
      showToast('success', msg, values.title.trim())
    }
    // Push tells of it too, but a browser that gets none shall see its own work.
    void invalidateKind(client, 'destination')
    void invalidateKind(client, 'output')
  }
}

/** CON-DEST-10. @returns says which outputs go there, asks, deletes; never throws */
export function useRemoveDestination({ id, title }: Destination) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: actionKey('destination', id),
    mutationFn: async () => call(removeDestination, { params: { id } }),
  })
  return async (): Promise<void> => {
    try {
      const { outputs, total } = await outputsOfDestination(id)
      const titles = outputs.map((output) => output.title)
      const isConfirmed = await askFirst({
        sentences: text.destinationSentences(title, titles, total),
        doLabel: 'Delete destination',
        keepLabel: 'Keep destination',
      })
      if (!isConfirmed) return
      const { msg } = await mutateAsync()
      showToast('success', msg, title)
    } catch (error) {
      showToast('failure', sentenceFor(error, text.DELETE_FAILED), title)
    }
    void invalidateKind(client, 'destination')
    void invalidateKind(client, 'output')
  }
}

/** CON-DEST-11. @returns asks in the browser's own words; null when it was not meant */
export function useRemoveDestinations() {
  const client = useQueryClient()
  return async (
    destinations: readonly Named[],
    onProgress: OnProgress,
  ): Promise<BulkOutcome | null> => {
    if (!askBrowser(text.DELETE_SEVERAL)) return null
    const ids = destinations.map(({ id }) => id)
    const outcome = await inParts(
      ids,
      async (destinationIds) => {
        const { deleted, failed } = await call(removeDestinations, { body: { destinationIds } })
        return { done: deleted, failed }
      },
      onProgress,
    )
    void invalidateKind(client, 'destination')
    void invalidateKind(client, 'output')
    return outcome
  }
}

/** @returns says which outputs have its address, asks, links them to it; never throws */
export function useLinkOutputs({ id, title, encryption }: Destination) {
  const change = useChangeDestination()
  return async (): Promise<void> => {
    try {
      const outputs = await outputsToLink(id)
      const titles = outputs.map((output) => output.title)
      const isConfirmed = await askFirst({
        sentences: text.linkSentences(title, titles, encryption.selection === 'yes'),
        doLabel: 'Link outputs',
        keepLabel: 'Leave as they are',
      })
      if (!isConfirmed || outputs.length === 0) return
      const { outcome } = await change(outputs, id, () => {})
      const [first] = outcome.failed
      if (first === undefined) showToast('success', text.linked(outcome.done.length), title)
      else showToast('failure', first.error, title)
    } catch (error) {
      showToast('failure', sentenceFor(error, text.LINK_FAILED), title)
    }
  }
}

/** CON-OUT-18. @returns points those outputs at that destination; rejects when none could be */
export function useChangeDestination() {
  const client = useQueryClient()
  return async (
    outputs: readonly { id: string }[],
    destinationId: string,
    onProgress: OnProgress,
  ) => {
    const replies: string[] = []
    const ids = outputs.map(({ id }) => id)
    const outcome = await inParts(
      ids,
      async (outputIds) => {
        const { msg, failed } = await call(changeOutputDestination, {
          body: { destinationId, outputIds },
        })
        replies.push(msg)
        const isFailed = new Set(failed.map(({ name }) => name))
        return { done: outputIds.filter((id) => !isFailed.has(id)), failed }
      },
      onProgress,
    )
    void invalidateKind(client, 'output')
    void invalidateKind(client, 'destination')
    return { outcome, msg: replies[0] ?? '' }
  }
}
