/** Saving the streams that were ticked in the Sync dialog. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { saveChannels } from '@trunkline/contract/channels/channel.calls'
import type { ChannelDraft } from '@trunkline/contract/channels/channel.schema'
import { ApiError, sentenceFor } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toast.ts'
import * as text from '../channel.messages.ts'
import { faultsOf, partsOf } from './sync.rules.ts'

export interface SyncFailure {
  /** Of the whole list; '' when each fault has its place at a stream. */
  sentence: string
  /** By the name of the stream. */
  faults: ReadonlyMap<string, string>
  /** Streams saved by the calls before the failed call. */
  savedBefore: number
}

/** A list longer than one call ended on the way. */
class SyncStopped extends Error {
  readonly failure: SyncFailure

  constructor(failure: SyncFailure) {
    super(failure.sentence)
    this.failure = failure
  }
}

/** CHAN-38. `onSaved`: after the last call has worked. */
export function useSaveStreams(onSaved: () => void) {
  const client = useQueryClient()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: saveAll,
    onSuccess: (saved) => {
      showToast('success', text.STREAMS_SAVED, text.savedText(saved))
      onSaved()
    },
    // Push tells of it too, but a browser that gets none shall see its own work.
    onSettled: () => void invalidateKind(client, 'channel'),
  })
  return { save: mutate, isPending, failure: error === null ? null : failureOf(error), reset }
}

async function saveAll(drafts: readonly ChannelDraft[]): Promise<number> {
  let savedBefore = 0
  for (const part of partsOf(drafts)) {
    try {
      await call(saveChannels, { body: part })
    } catch (error) {
      throw new SyncStopped({ ...refusalOf(error, part), savedBefore })
    }
    savedBefore += part.length
  }
  return savedBefore
}

function refusalOf(error: unknown, part: readonly ChannelDraft[]) {
  const sentence = sentenceFor(error, text.SAVE_FAILED)
  if (!(error instanceof ApiError)) return { sentence, faults: new Map<string, string>() }
  const { field, issues } = error
  const fieldIssues =
    issues.length > 0 ? issues : field === null ? [] : [{ field, message: error.sentence }]
  const faults = faultsOf(fieldIssues, part)
  return { sentence: faults.size > 0 ? '' : sentence, faults }
}

function failureOf(error: Error): SyncFailure {
  if (error instanceof SyncStopped) return error.failure
  return { sentence: text.SAVE_FAILED, faults: new Map(), savedBefore: 0 }
}
