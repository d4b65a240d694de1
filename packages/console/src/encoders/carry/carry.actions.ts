/** Carrying an encoder: one call, and every list that it changes is read again. */
import { useQueryClient } from '@tanstack/react-query'
import { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { AnswerOf } from '@trunkline/contract/route'
import { call, type CallInput } from '../../lib/call.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toast.ts'
import { encoderQuery } from '../encoder.queries.ts'
import { carried } from './carry.messages.ts'

export type Carried = AnswerOf<typeof carryEncoder>

/** @returns carries the encoder; throws ApiError when nothing was created */
export function useCarry({ _id: id, title }: Encoder) {
  const client = useQueryClient()
  return async (body: CallInput<typeof carryEncoder>['body']): Promise<Carried> => {
    try {
      const made = await call(carryEncoder, { params: { id }, body })
      showToast('success', carried(title, made.input.serverInfo.title), made.input.title)
      client.setQueryData(encoderQuery(id).queryKey, made.encoder)
      for (const kind of ['encoder', 'input', 'output'] as const) void invalidateKind(client, kind)
      return made
    } catch (error) {
      // Somebody else may have saved the encoder: the next try is made with what it is now.
      void invalidateKind(client, 'encoder')
      throw error
    }
  }
}
