import { presetConfig } from '@trunkline/contract/encoders/preset-config'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { z } from 'zod'

/** pal as its preset has it, with a target that may be named. */
export function palConfig(
  cardIdx: number,
  target: string = `udp://127.0.0.1:${5000 + cardIdx}?ttl=12`,
): z.input<typeof EncoderConfig> {
  return {
    ...presetConfig('pal'),
    'card-idx': cardIdx,
    output: [{ type: 'udp', target }],
    feeder: [],
  }
}
