/** What the configuration page asks for beside the encoder itself. */
import { queryOptions } from '@tanstack/react-query'
import { readEncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import { call } from '../../lib/call.ts'

const HOST_EVERY_MS = 15_000

/** The cards and tools of the encoder's host, and whose the cards are. A card may be plugged in meanwhile. */
export function encoderHostQuery(id: string) {
  return queryOptions({
    queryKey: ['encoder', 'host', id],
    queryFn: async ({ signal }) => (await call(readEncoderHost, { params: { id }, signal })).data,
    refetchInterval: HOST_EVERY_MS,
  })
}
