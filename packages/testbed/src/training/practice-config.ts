/** What an encoder of the training site is set to. Its agent makes the picture small: `practiceCover`. */
import type { z } from 'zod'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { presetConfig } from '@trunkline/contract/encoders/preset-config'
import type { FleetCamera } from './fleet.ts'

const VIDEO_KBPS = 120
const AUDIO_KBPS = 64
const MUX_RATE_BPS = 250_000

/** `localPort`: where its feeder reads it. */
export function practiceConfig(
  { title, cardIdx }: Pick<FleetCamera, 'title' | 'cardIdx'>,
  localPort: number,
): z.input<typeof EncoderConfig> {
  const preset = presetConfig('720p50')
  return {
    ...preset,
    title,
    'card-idx': cardIdx,
    'video-stream': {
      ...preset['video-stream'],
      bitrate: VIDEO_KBPS,
      keyint: 50,
      'vbv-bufsize': VIDEO_KBPS,
      'vbv-maxrate': VIDEO_KBPS,
      profile: 'main',
      level: '3.2',
      threads: 1,
    },
    'audio-stream': { ...preset['audio-stream'], bitrate: AUDIO_KBPS },
    muxer: { ...preset.muxer, 'pcr-period': 40, 'ts-muxrate': MUX_RATE_BPS },
    output: [{ type: 'udp', target: `udp://127.0.0.1:${localPort}?ttl=1` }],
    feeder: [],
  }
}
