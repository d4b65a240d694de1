/** One encoder as its row of the manager shows it. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  needsAttention,
  type Family,
  type StateView,
} from '@trunkline/contract/fleet/state-view.rules'
import { hostKey } from '@trunkline/contract/fleet/watch-key.rules'
import type { ProgramState } from '@trunkline/contract/program-state'
import { useFreshness, useHost } from '../../lib/live/live-hooks.ts'
import { asRunSays, chipOf, explanationOf, runStateOf } from './encoder-chip.rules.ts'
import { useEncoderView } from '../encoder-view.hook.ts'
import { evidenceOf, isAskedForStatus } from '../encoder.rules.ts'
import { useStatusCheck } from '../status-check.hook.ts'

export interface EncoderRowView {
  chip: StateView
  /** Null where the host does not answer, or is not asked. */
  run: StateView | null
  /** The worse of the two. */
  family: Family
  explanation: string
  status: ProgramStatus | null
  state: ProgramState | null
  wanted: 'running' | 'stopped' | null
  /** When the check that stands in for the push was answered; null where the push speaks. */
  askedAtMs: number | null
  askNow: () => Promise<unknown>
}

export function useEncoderRow(encoder: Encoder): EncoderRowView {
  const pushed = useHost('encoder', encoder._id)
  const freshness = useFreshness([hostKey('encoder', encoder._id)])
  const { view, status } = useEncoderView(encoder)
  const { isAsked, reply, readAtMs, askNow } = useStatusCheck(encoder, freshness)
  // After enabling, the check may know more than the push so far.
  const isByCheck = reply !== null && (isAsked || pushed === null)
  const ofHost = chipOf({
    isEnabled: encoder.isEnabled,
    isConfigured: encoder.config !== null,
    host: pushed,
    answered: isByCheck ? reply.status : null,
    freshness,
  })
  const chip = asRunSays(ofHost, view)
  const run = runStateOf(chip, view)
  return {
    chip,
    run,
    family: run !== null && needsAttention(run.family) ? run.family : chip.family,
    explanation: explanationOf(chip, run, pushed, evidenceOf(view, status)),
    status,
    state: status?.state ?? null,
    wanted: status?.wanted ?? null,
    askedAtMs: isByCheck && isAskedForStatus(encoder) ? readAtMs : null,
    askNow,
  }
}
