/** A feeder as its row shows it: pushed, or asked for while nothing is pushed. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { usePolledStatus } from '../../programs/status/polled-status.hook.ts'
import { type ProgramView, useProgramView } from '../../programs/status/program-view.hook.ts'
import { feederStatusQuery } from './feeder.queries.ts'
import { statusFromReply } from './feeder.rules.ts'

/** A disabled encoder has its feeders switched off too (Q65). */
export function useFeederView(
  { _id: encoderId, isEnabled }: Encoder,
  { name }: Feeder,
): ProgramView {
  const polled = usePolledStatus({
    mayAsk: isEnabled,
    queryFor: (isAsked) => feederStatusQuery(encoderId, name, isAsked),
    statusOf: (reply, readAtMs) => statusFromReply(name, reply, readAtMs),
    isDisabledBy: () => false,
  })
  const program = { kind: 'feeder', id: name, isEnabled, isConfigured: true } as const
  return useProgramView({ ...program, inputType: null }, polled)
}
