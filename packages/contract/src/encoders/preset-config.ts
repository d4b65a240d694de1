/** A configuration as its format's preset has it, as a client would send it. For tests and the demo. */
import type { z } from 'zod'
import type { EncoderConfig } from './encoder-config.schema.ts'
import { presetOf, type VideoFormat } from './video-format.rules.ts'

export function presetConfig(format: VideoFormat): z.input<typeof EncoderConfig> {
  const values = presetOf(format)
  return {
    title: 'Camera',
    'card-idx': 0,
    'video-format': format,
    'video-stream': {
      format: 'avc',
      bitrate: values.videoBitrateKbps,
      keyint: 24,
      'vbv-bufsize': values.vbvBufsizeKbit,
      'vbv-maxrate': values.vbvMaxrateKbps,
      profile: values.profile,
      level: values.level,
      'aspect-ratio': '16:9',
      width: values.widthPixels,
      threads: 2,
      pid: 512,
      'max-refs': 1,
      'intra-refresh': 0,
    },
    'audio-stream': {
      format: 'mp2',
      bitrate: values.audioBitrateKbps,
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
      'pcr-period': 20,
      'program-num': 1,
      'ts-muxrate': values.muxRateBps,
      cbr: 1,
    },
    output: [{ type: 'udp', target: 'udp://127.0.0.1:5000?ttl=12' }],
  }
}
