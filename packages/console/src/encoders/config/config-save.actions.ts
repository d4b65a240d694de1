/** Saving a configuration, and applying it at once by a restart. */
import { useQueryClient } from '@tanstack/react-query'
import { updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { call } from '../../lib/call.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toast.ts'
import { showOutcome } from '../../programs/command/command.actions.ts'
import { sendCommand } from '../encoder.actions.ts'
import { encoderQuery } from '../encoder.queries.ts'
import * as text from './config.messages.ts'

/** @returns saves and says so, each warning too; throws ApiError when nothing was saved */
export function useSaveConfig() {
  const client = useQueryClient()
  return async (body: SavedConfig): Promise<Encoder> => {
    const { data, warnings } = await call(updateEncoder, { body })
    showToast('success', text.UPDATED, data.title)
    for (const warning of warnings) showToast('warning', warning, data.title)
    client.setQueryData(encoderQuery(data._id).queryKey, data)
    void invalidateKind(client, 'encoder')
    return data
  }
}

type SavedConfig = ReturnType<typeof savedConfig>

/** What is sent to save it. */
export function savedConfig({ _id }: Encoder, version: number, config: EncoderConfig) {
  return { _id, version, config: withoutPeriod(config) }
}

/** CFG-23. */
function withoutPeriod({ muxer, ...config }: EncoderConfig) {
  const { 'pmt-period': _, ...kept } = muxer
  return { ...config, muxer: kept }
}

/** Never throws; the toast says how it went. */
export async function restartEncoder(encoder: Encoder): Promise<void> {
  showOutcome(encoder.title, await sendCommand(encoder, 'restart'))
}
