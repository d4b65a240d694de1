/** What each kind of object is called, whose state is observed. */
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'

export const KIND_WORDS: Readonly<Record<ObservedKind, string>> = {
  server: 'Server',
  encoder: 'Encoder',
  feeder: 'Feeder',
  input: 'Input',
  output: 'Output',
  channel: 'Channel',
  console: 'Console',
}
