/** Opens the log of an encoder: from its card and from the command palette. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { showToast } from '../lib/toast.ts'
import { NOT_YET_CONFIGURED } from './encoder.messages.ts'

/** An encoder without a configuration has no log, which is said in its place. */
export function openEncoderLog({ config, title }: Encoder, onLog: () => void): void {
  if (config === null) showToast('warning', NOT_YET_CONFIGURED, title)
  else onLog()
}
