/** Configurations as the form would save them for a format, and a host to build for. */
import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import {
  keyintOf,
  presetOf,
  type VideoFormat,
} from '@trunkline/contract/encoders/video-format.rules'
import type { HostFacts } from './host-facts.ts'

export const HOST: HostFacts = {
  sources: [{ cardIdx: 0, kind: 'test-pattern', device: '' }],
  adapters: [
    { name: 'lo', ip: '127.0.0.1' },
    { name: 'eth0', ip: '192.0.2.10' },
  ],
  localBusWorks: true,
  encoders: ['libx264', 'libtwolame', 'aac'],
  fontFile: '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf',
  pictureFile: '',
  caFile: '',
}

export function configOf(format: VideoFormat, outputs: readonly string[]): EncoderConfig {
  const preset = presetOf(format)
  return EncoderConfig.parse({
    title: 'Camera 1',
    'card-idx': 0,
    'video-format': format,
    'video-stream': {
      format: 'avc',
      bitrate: preset.videoBitrateKbps,
      keyint: keyintOf(format),
      'vbv-bufsize': preset.vbvBufsizeKbit,
      'vbv-maxrate': preset.vbvMaxrateKbps,
      profile: preset.profile,
      level: preset.level,
      'aspect-ratio': '16:9',
      width: preset.widthPixels,
      threads: 2,
      pid: 512,
      'max-refs': 1,
      'intra-refresh': 0,
    },
    'audio-stream': {
      format: 'mp2',
      bitrate: preset.audioBitrateKbps,
      lang: 'eng',
      pid: 4112,
      'mp2-mode': 'stereo',
      'audio-type': 'undefined',
    },
    muxer: {
      'ts-type': 'dvb',
      'ts-id': 7,
      'pmt-pid': 256,
      'pcr-pid': 512,
      'pcr-period': 20,
      'program-num': 3,
      'ts-muxrate': preset.muxRateBps,
      cbr: 1,
    },
    output: outputs.map((target) => ({ type: target.slice(0, 3), target })),
  })
}
