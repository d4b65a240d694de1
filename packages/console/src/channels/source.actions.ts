/** Making another source of a channel the current one: asked first, since it is on air. */
import { selectInput } from '@trunkline/contract/channels/channel.calls'
import { CANNOT_SELECT_INPUT, sourcesOf } from '@trunkline/contract/channels/channel.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { StreamDetail, StreamInput } from '@trunkline/contract/channels/stream.schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { askFirst } from '../lib/confirm.ts'
import { apiNowMs } from '../lib/live-store.ts'
import { showToast } from '../lib/toast.ts'
import { readListsAgain, useMayChange } from './channel.actions.ts'
import * as text from './channel.messages.ts'
import { channelKeys } from './channel.queries.ts'
import { readinessOf } from './sources.rules.ts'

export interface SourceSwitch {
  mayChange: boolean
  /** Why no source can be chosen now; '' while one is being chosen; null when one can. */
  inertReason: string | null
  /** Asks the operator, then the server; never throws, a notice says how it went. */
  ask: (input: StreamInput) => void
}

export function useSourceSwitch(channel: Channel, stream: StreamDetail | null): SourceSwitch {
  const client = useQueryClient()
  const { mayChange, guard } = useMayChange(selectInput)
  const choose = useMutation({
    mutationFn: async (body: { index: number; url: string }) =>
      call(selectInput, {
        body: { serverId: channel.serverId, streamName: channel.name, ...body },
      }),
    onSuccess: ({ data }, { url }) => {
      client.setQueryData(channelKeys.stream(channel), data.stream)
      const isCurrent = sourcesOf(data.stream).current?.url === url
      showToast('success', isCurrent ? text.SOURCE_SWITCHED : text.SOURCE_CHOSEN, url)
    },
    onError: (error) => showToast('failure', sentenceFor(error, text.SOURCE_FAILED), channel.title),
    onSettled: () => readListsAgain(client),
  })
  const askFor = async (input: StreamInput) => {
    if (stream === null) return
    const ready = readinessOf(input, apiNowMs())
    const sentences = text.sourceSentences({
      title: channel.title,
      from: sourcesOf(stream).current?.url ?? null,
      to: input.url,
      isReady: ready.kind !== 'not ready',
    })
    const { SOURCE_DO: doLabel, SOURCE_KEEP: keepLabel } = text
    if (!(await askFirst({ sentences, doLabel, keepLabel }))) return
    choose.mutate({ index: stream.inputs.indexOf(input), url: input.url })
  }
  return {
    mayChange,
    inertReason: reasonOf(stream, choose.isPending, sentenceFor(choose.error, '')),
    ask: (input) => guard(() => void askFor(input)),
  }
}

function reasonOf(stream: StreamDetail | null, isPending: boolean, refusal: string): string | null {
  if (isPending) return ''
  if (stream?.disabled === true) return text.SWITCHED_OFF
  return refusal.includes(CANNOT_SELECT_INPUT) ? CANNOT_SELECT_INPUT : null
}
