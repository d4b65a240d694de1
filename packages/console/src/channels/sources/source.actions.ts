/** Making another source of a channel the current one: done at once, and can be undone. */
import { selectInput } from '@trunkline/contract/channels/channel.calls'
import { CANNOT_SELECT_INPUT, sourcesOf } from '@trunkline/contract/channels/channel.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { StreamDetail, StreamInput } from '@trunkline/contract/channels/stream.schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sentenceFor } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { askBeforeIfWanted, intend } from '../../lib/ask-before.ts'
import { apiNowMs } from '../../lib/live/live-store.ts'
import { dropUndo, showToast, showUndo } from '../../lib/toast.ts'
import { readListsAgain, useMayChange } from '../channel.actions.ts'
import * as text from '../channel.messages.ts'
import { channelKeys } from '../channel.queries.ts'
import { readinessOf } from './sources.rules.ts'

export interface SourceSwitch {
  mayChange: boolean
  /** Why no source can be chosen now; '' while one is being chosen; null when one can. */
  disabledReason: string | null
  /** Never throws; a notice says how it went. */
  switchTo: (input: StreamInput) => void
}

interface Choice {
  url: string
  index: number
  /** The source before, which Undo takes again; null for none, and for an Undo itself. */
  earlier: string | null
}

export function useSourceSwitch(channel: Channel, stream: StreamDetail | null): SourceSwitch {
  const client = useQueryClient()
  const named = { serverId: channel.serverId, streamName: channel.name }
  const { mayChange, guard } = useMayChange(selectInput)
  const choose = useMutation({
    mutationFn: async ({ url, index }: Choice) =>
      call(selectInput, { body: { ...named, index, url } }),
    onSuccess: ({ data }, { url, earlier }) => {
      client.setQueryData(channelKeys.stream(channel), data.stream)
      const isCurrent = sourcesOf(data.stream).current?.url === url
      const title = isCurrent ? text.SOURCE_SWITCHED : text.SOURCE_CHOSEN
      const object = `source of ${channel.id}`
      const back = earlier === null ? null : choiceOf(data.stream, earlier, null)
      if (back !== null) {
        showUndo({ title, detail: url, object, undo: () => choose.mutate(back) })
        return
      }
      dropUndo(object)
      showToast('success', title, url)
    },
    onError: (error) => showToast('failure', sentenceFor(error, text.SOURCE_FAILED), channel.title),
    onSettled: () => readListsAgain(client),
  })
  const switchTo = async (input: StreamInput) => {
    if (stream === null) return
    const from = sourcesOf(stream).current?.url ?? null
    const isReady = readinessOf(input, apiNowMs()).kind !== 'not ready'
    const sentences = text.sourceSentences({ title: channel.title, from, to: input.url, isReady })
    const { SOURCE_DO: doLabel, SOURCE_KEEP: keepLabel } = text
    const chosen = { index: stream.inputs.indexOf(input), url: input.url }
    const intended = intend(selectInput, { body: { ...named, ...chosen } })
    if (!(await askBeforeIfWanted(intended, { sentences, doLabel, keepLabel }))) return
    choose.mutate({ ...chosen, earlier: from })
  }
  return {
    mayChange,
    disabledReason: reasonOf(stream, choose.isPending, sentenceFor(choose.error, '')),
    switchTo: (input) => guard(() => void switchTo(input)),
  }
}

/** Null when the stream has no such source any more. */
function choiceOf(stream: StreamDetail, url: string, earlier: string | null): Choice | null {
  const index = stream.inputs.findIndex((input) => input.url === url)
  return index === -1 ? null : { url, index, earlier }
}

function reasonOf(stream: StreamDetail | null, isPending: boolean, refusal: string): string | null {
  if (isPending) return ''
  if (stream?.disabled === true) return text.SWITCHED_OFF
  return refusal.includes(CANNOT_SELECT_INPUT) ? CANNOT_SELECT_INPUT : null
}
