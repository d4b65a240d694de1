/** What an encoder of the training site is set to. Its agent makes the picture small: `practiceCover`. */
import type { z } from 'zod'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { FleetCamera } from './fleet.ts'

const VIDEO_KBPS = 120
const AUDIO_KBPS = 64
const MUX_RATE_BPS = 250_000

/** `localPort`: where its feeder reads it. */
export function practiceConfig(
  { title, cardIdx }: Pick<FleetCamera, 'title' | 'cardIdx'>,
  localPort: number,
): z.input<typeof EncoderConfig> {
  return {
    title,
    'card-idx': cardIdx,
    'video-format': '720p50',
    'video-stream': {
      format: 'avc',
      bitrate: VIDEO_KBPS,
      keyint: 50,
      'vbv-bufsize': VIDEO_KBPS,
      'vbv-maxrate': VIDEO_KBPS,
      profile: 'main',
      level: '3.2',
      'aspect-ratio': '16:9',
      width: 1280,
      threads: 1,
      pid: 512,
      'max-refs': 1,
      'intra-refresh': 0,
    },
    'audio-stream': {
      format: 'mp2',
      bitrate: AUDIO_KBPS,
      lang: 'eng',
      pid: 4112,
      'mp2-mode': 'stereo',
      'audio-type': 'undefined',
    },
    muxer: {
      'ts-type': 'dvb',
      'ts-id': 1,
      'pmt-pid': 256,
      'pcr-pid': 512,
      'pcr-period': 40,
      'program-num': 1,
      'ts-muxrate': MUX_RATE_BPS,
      cbr: 1,
    },
    output: [{ type: 'udp', target: `udp://127.0.0.1:${localPort}?ttl=1` }],
    feeder: [],
  }
}
