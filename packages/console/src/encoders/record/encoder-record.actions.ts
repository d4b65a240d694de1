/** What an operator does to the record of an encoder: ask first where it must, call, say how it went. */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addEncoder,
  cloneEncoder,
  enableEncoder,
  type listEncoders,
  removeEncoder,
  removeEncoderConfig,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { AnswerOf } from '@trunkline/contract/route'
import { sentenceFor } from '../../lib/api-error.ts'
import { call, type CallInput } from '../../lib/call.ts'
import { askBefore, intend } from '../../lib/ask-before.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toast.ts'
import * as text from './encoder-record.messages.ts'
import { NOT_YET_CONFIGURED } from '../encoder.messages.ts'
import { type EncoderValues, hostOfValues, neighbourOf } from './encoder-form.rules.ts'
import { encodersAtQuery } from './encoder-record.queries.ts'
import type { EnrolledObject } from '../../shared/enrolment/enrolment.actions.ts'
import { offersStop } from '../../programs/command/command.rules.ts'
import type { EncoderRowView } from '../manager/encoder-row.hook.ts'

/** Q55: what others see of a save settles first; the document stays, so that the notice does too. */
export const RELOAD_AFTER_MS = 300

/** Reads every list of encoders again, a moment after a save (ENC-20). */
function useReload() {
  const client = useQueryClient()
  return () => {
    setTimeout(() => void invalidateKind(client, 'encoder'), RELOAD_AFTER_MS)
  }
}

/** @returns adds an encoder, says so and answers it; throws ApiError when it was not added */
export function useAddEncoder() {
  const reload = useReload()
  return async (draft: CallInput<typeof addEncoder>['body']): Promise<Encoder> => {
    const { data } = await call(addEncoder, { body: draft })
    showToast('success', text.ADDED, data.title)
    reload()
    return data
  }
}

/** @returns changes an encoder and says so; throws ApiError when nothing was changed */
export function useUpdateEncoder() {
  const reload = useReload()
  return async (change: CallInput<typeof updateEncoder>['body']): Promise<Encoder> => {
    const { data, warnings } = await call(updateEncoder, { body: change })
    showToast('success', text.UPDATED, data.title)
    for (const warning of warnings) showToast('warning', warning, data.title)
    reload()
    return data
  }
}

/** @returns clones an encoder and says so; throws ApiError when nothing was added */
export function useCloneEncoder({ _id: id }: Encoder) {
  const reload = useReload()
  return async (
    body: CallInput<typeof cloneEncoder>['body'],
  ): Promise<{ copy: Encoder; warnings: readonly string[] }> => {
    const { data, warnings } = await call(cloneEncoder, { params: { id }, body })
    showToast('success', text.ADDED, data.title)
    reload()
    return { copy: data, warnings }
  }
}

/** @returns whether no encoder is at that address yet, asked before a save puts one there; never throws */
export function useIsNewHost() {
  const client = useQueryClient()
  return async (values: Pick<EncoderValues, 'ip' | 'port'>): Promise<boolean> => {
    try {
      const query = encodersAtQuery(hostOfValues(values))
      return neighbourOf(values, await client.fetchQuery({ ...query, staleTime: 0 })) === null
    } catch {
      return false
    }
  }
}

/** Whose host is enrolled. */
export function enrolledEncoder({ _id: id, title }: Encoder): EnrolledObject {
  return { kind: 'encoder', id, title }
}

function keyOf(encoder: Encoder) {
  return ['encoder', 'record', encoder._id]
}

/** True while something is done to this record, so that a second click does it no second time. */
export function useIsChanged(encoder: Encoder): boolean {
  return useIsMutating({ mutationKey: keyOf(encoder) }) > 0
}

/** What its row knows of it. */
export type KnownOfEncoder = Pick<EncoderRowView, 'state' | 'wanted' | 'askNow'>

/** Each asks where it must, acts, and says how it went; none throws. */
export function useEncoderRecord(encoder: Encoder, known: KnownOfEncoder) {
  const client = useQueryClient()
  const { _id: id, title } = encoder
  const params = { id }
  const { mutateAsync } = useMutation({
    mutationKey: keyOf(encoder),
    mutationFn: async (act: () => Promise<void>) => act(),
  })
  const attempt = async (act: () => Promise<void>) => {
    try {
      await mutateAsync(act)
    } catch (error) {
      showToast('failure', sentenceFor(error, text.TRY_AGAIN), title)
    }
    void invalidateKind(client, 'encoder')
  }
  const put = (changed: Encoder) =>
    client.setQueriesData<AnswerOf<typeof listEncoders>>(
      { queryKey: ['encoder', 'managed'] },
      (known) =>
        known && {
          ...known,
          encoders: known.encoders.map((encoder) => (encoder._id === id ? changed : encoder)),
        },
    )
  const isRunning = offersStop(known.state)

  return {
    /** ENC-11, ENC-12, Q65. */
    setEnabled: async (isEnabled: boolean) => {
      if (!isEnabled && !(await confirmStop(encoder, known))) return
      await attempt(async () => {
        const { data } = await call(enableEncoder, { params, body: { isEnabled } })
        put(data)
        showToast('success', text.UPDATED, `${title} ${isEnabled ? 'enabled' : 'disabled'}`)
        if (isEnabled && data.config !== null) void known.askNow()
      })
    },
    /** ENC-16 to ENC-18. */
    remove: async () => {
      if (isHeldByFeeders(encoder)) return
      const isConfirmed = await askBefore(intend(removeEncoder, { params }), {
        sentences: text.removeSentences(title, isRunning),
        doLabel: 'Remove encoder',
        keepLabel: 'Keep encoder',
      })
      if (!isConfirmed) return
      await attempt(async () => {
        await call(removeEncoder, { params })
        showToast('success', text.DELETED, title)
      })
    },
    /** ENC-19, Q67. */
    removeConfig: async () => {
      if (encoder.config === null) {
        showToast('warning', NOT_YET_CONFIGURED, title)
        return
      }
      if (isHeldByFeeders(encoder)) return
      const isConfirmed = await askBefore(intend(removeEncoderConfig, { params }), {
        sentences: text.deleteConfigSentences(title, isRunning),
        doLabel: 'Delete config',
        keepLabel: 'Keep config',
      })
      if (!isConfirmed) return
      await attempt(async () => {
        put((await call(removeEncoderConfig, { params })).data)
        showToast('success', text.DELETED, `Configuration of ${title}`)
      })
    },
  }
}

/**
 * Asks about what runs, and about what may run: its host does not answer, or its state was not read
 * yet. An encoder without a configuration never runs.
 */
async function confirmStop(
  { _id: id, title, config }: Encoder,
  { state, wanted }: KnownOfEncoder,
): Promise<boolean> {
  const isSeen = state !== null && state !== 'unreachable' && state !== 'unknown'
  const mayRun = isSeen ? offersStop(state) : config !== null && wanted !== 'stopped'
  if (!mayRun) return true
  const intended = intend(enableEncoder, { params: { id }, body: { isEnabled: false } })
  return askBefore(intended, {
    sentences: text.disableSentences(title, config?.feeder.length ?? 0, isSeen),
    doLabel: 'Disable encoder',
    keepLabel: 'Keep it enabled',
  })
}

/** ENC-17: nothing is asked and nothing sent, the reason is said. */
function isHeldByFeeders({ title, config }: Encoder): boolean {
  const feeders = config?.feeder.length ?? 0
  if (feeders === 0) return false
  showToast('warning', text.REMOVE_FEEDER_FIRST, text.feedersLeft(title, feeders))
  return true
}
