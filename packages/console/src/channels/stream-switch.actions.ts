/** A stream, or one of its push outputs, on or off: off is done at once, and can be undone. */
import { changeStreamStatus } from '@trunkline/contract/channels/channel.calls'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { askBeforeIfWanted, intend } from '../lib/ask-before.ts'
import { dropUndo, showToast, showUndo } from '../lib/toast.ts'
import { pushesOn, readListsAgain } from './channel.actions.ts'
import * as text from './channel.messages.ts'
import { channelKeys } from './channel.queries.ts'

/** What to switch, and what the notice and the question call it. */
interface Switching {
  isOn: boolean
  title: string
  sentences: readonly string[]
  /** For the notice with Undo: which channel, or which of its push outputs. */
  object: string
  /** The call's own fields, for on and for off. */
  bodyFor: (isOn: boolean) => StreamChange
}

type StreamChange =
  | { data: { disabled: boolean } }
  | { data: { pushes: { url: string; disabled: boolean }[] }; pushIndex: number }

export interface StreamSwitch {
  isPending: boolean
  /** What was asked for, until the answer comes; null when nothing is under way. */
  wantedOn: boolean | null
  /** Never throws; a notice says how it went. */
  switchStream: (isOn: boolean) => void
  /** `index`: of the push output in `stream`. */
  switchPush: (index: number, isOn: boolean) => void
}

export function useStreamSwitch(channel: Channel, stream: StreamDetail | null): StreamSwitch {
  const client = useQueryClient()
  const named = { serverId: channel.serverId, streamName: channel.name }
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ bodyFor, isOn }: Switching) => {
      return call(changeStreamStatus, { body: { ...named, ...bodyFor(isOn) } })
    },
    onSuccess: ({ data }, switching) => {
      client.setQueryData(channelKeys.stream(channel), data.stream)
      sayDone(switching, () => mutate({ ...switching, isOn: true }))
    },
    onError: (error) => showToast('failure', sentenceFor(error, text.STATUS_FAILED), channel.title),
    onSettled: () => readListsAgain(client),
  })
  const run = async (switching: Switching) => {
    const { isOn, sentences } = switching
    const { OFF_DO: doLabel, OFF_KEEP: keepLabel } = text
    const body = { ...named, ...switching.bodyFor(isOn) }
    const question = { sentences, doLabel, keepLabel }
    if (isOn || (await askBeforeIfWanted(intend(changeStreamStatus, { body }), question))) {
      mutate(switching)
    }
  }
  return {
    isPending,
    wantedOn: isPending ? variables.isOn : null,
    switchStream: (isOn) => void run(streamSwitching(channel, stream, isOn)),
    switchPush: (index, isOn) => {
      if (stream !== null) void run(pushSwitching(channel, stream, index, isOn))
    },
  }
}

function sayDone({ isOn, title, object }: Switching, undo: () => void): void {
  if (isOn) {
    dropUndo(object)
    showToast('success', text.STATUS_UPDATED, '')
    return
  }
  const detail = text.isOffText(title)
  showUndo({ title: text.STATUS_UPDATED, detail, object, undo })
}

function streamSwitching(
  { id, title }: Channel,
  stream: StreamDetail | null,
  isOn: boolean,
): Switching {
  return {
    isOn,
    title,
    sentences: text.offSentences(title, pushesOn(stream)),
    object: `channel ${id}`,
    bodyFor: (on) => ({ data: { disabled: !on } }),
  }
}

/** The whole list (Q122), and which of it is switched: the others stay as they are by then. */
function pushSwitching(
  { id, title }: Channel,
  stream: StreamDetail,
  index: number,
  isOn: boolean,
): Switching {
  const url = stream.pushes[index]?.url ?? ''
  const bodyFor = (on: boolean) => {
    const pushes = stream.pushes.map((push, at) => ({
      url: push.url,
      disabled: at === index ? !on : push.disabled === true,
    }))
    return { data: { pushes }, pushIndex: index }
  }
  const sentences = text.pushOffSentences(title, url)
  return { isOn, title: url, sentences, object: `channel ${id} push ${index}`, bodyFor }
}
