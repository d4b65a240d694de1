/** Configurations as the form would save them for a format, and a host to build for. */
import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { presetConfig } from '@trunkline/contract/encoders/preset-config'
import { keyintOf, type VideoFormat } from '@trunkline/contract/encoders/video-format.rules'
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
  const preset = presetConfig(format)
  return EncoderConfig.parse({
    ...preset,
    title: 'Camera 1',
    'video-stream': { ...preset['video-stream'], keyint: keyintOf(format) },
    muxer: { ...preset.muxer, 'ts-id': 7, 'program-num': 3 },
    output: outputs.map((target) => ({ type: target.slice(0, 3), target })),
  })
}
