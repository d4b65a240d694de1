import { expect, test } from 'vitest'
import { EncoderConfig } from './encoder-config.schema.ts'
import {
  configFaults,
  effectiveConfig,
  effectiveOnHost,
  MUX_BITS_PER_STREAM_KBIT,
} from './effective-config.rules.ts'
import { presetOf, VIDEO_FORMATS, type VideoFormat } from './video-format.rules.ts'

type Video = EncoderConfig['video-stream']

function preset(format: VideoFormat): EncoderConfig {
  const values = presetOf(format)
  return EncoderConfig.parse({
    title: 'a',
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
  })
}

function withVideo(config: EncoderConfig, change: Partial<Video>): EncoderConfig {
  return { ...config, 'video-stream': { ...config['video-stream'], ...change } }
}

function withMuxer(config: EncoderConfig, change: Partial<EncoderConfig['muxer']>): EncoderConfig {
  return { ...config, muxer: { ...config.muxer, ...change } }
}

function withAac(config: EncoderConfig, profile: 'aac-lc' | 'he-aac-v1'): EncoderConfig {
  return {
    ...config,
    'audio-stream': {
      format: 'aac',
      bitrate: 100,
      lang: 'eng',
      pid: 4112,
      'aac-profile': profile,
      'aac-encap': 'adts',
    },
  }
}

test.each(['pal', 'ntsc', '720p50'] as const)('CFG-18 CFG-19 the preset of %s fits', (format) => {
  expect(effectiveConfig(preset(format))).toEqual({ config: preset(format), warnings: [] })
})

test('CFG-20 the 1080 preset does not fit its own mux rate: 3910 kbit/s, said once', () => {
  const { config, warnings } = effectiveConfig(preset('1080p25'))
  expect(config['video-stream']).toMatchObject({ bitrate: 3910, 'vbv-maxrate': 3910 })
  expect(warnings).toEqual([
    'The mux rate of 4500000 bit/s has room for 3910 kbit/s of video beside the audio; video is encoded with that instead of 4000 kbit/s.',
  ])
})

test('without a constant mux rate nothing is clamped', () => {
  const config = withMuxer(preset('1080p25'), { cbr: 0 })
  expect(effectiveConfig(config)).toEqual({ config, warnings: [] })
})

test('a burst above the mux rate is held down, and so is a bitrate above its maxrate', () => {
  const high = effectiveConfig(withVideo(preset('pal'), { 'vbv-maxrate': 5000 }))
  expect(high.config['video-stream']).toMatchObject({ bitrate: 1500, 'vbv-maxrate': 1584 })
  expect(high.warnings).toHaveLength(1)
  const low = effectiveConfig(withVideo(preset('pal'), { 'vbv-maxrate': 1000 }))
  expect(low.config['video-stream']).toMatchObject({ bitrate: 1000, 'vbv-maxrate': 1000 })
  expect(low.warnings[0]).toContain('vbv-maxrate 1000 kbit/s')
})

test('every preset fits afterwards, and a second pass changes nothing', () => {
  for (const format of VIDEO_FORMATS) {
    const { config } = effectiveConfig(preset(format))
    const { 'video-stream': video, 'audio-stream': audio, muxer } = config
    const needed = (video['vbv-maxrate'] + audio.bitrate) * MUX_BITS_PER_STREAM_KBIT
    expect(needed, format).toBeLessThanOrEqual(muxer['ts-muxrate'])
    expect(effectiveConfig(config), format).toEqual({ config, warnings: [] })
  }
})

test('level 4.2 and above become 4.1 when interlaced, and stay when progressive', () => {
  const level = (format: VideoFormat) =>
    effectiveConfig(preset(format)).config['video-stream'].level
  expect(level('1080i50')).toBe('4.1')
  expect(level('1080p50')).toBe('4.2')
  expect(level('pal')).toBe('3.2')
})

test('intra refresh takes one reference', () => {
  const asked = withVideo(preset('pal'), { 'intra-refresh': 1, 'max-refs': 4 })
  const { config, warnings } = effectiveConfig(asked)
  expect(config['video-stream']['max-refs']).toBe(1)
  expect(warnings).toHaveLength(1)
})

test('PCR on the video PID, no PSIP, MP2 rates of the standard', () => {
  const asked = withMuxer(preset('pal'), { 'pcr-pid': 600, 'ts-type': 'atsc' })
  const { config, warnings } = effectiveConfig({
    ...asked,
    'audio-stream': { ...asked['audio-stream'], bitrate: 100 },
  })
  expect(config.muxer).toMatchObject({ 'pcr-pid': 512, 'ts-type': 'generic' })
  expect(config['audio-stream'].bitrate).toBe(112)
  expect(warnings).toHaveLength(3)
})

test('HE-AAC depends on the host; AAC takes any rate', () => {
  const asked = withAac(preset('pal'), 'he-aac-v1')
  expect(effectiveOnHost(asked, ['aac', 'libfdk_aac'])).toEqual({ config: asked, warnings: [] })
  const without = effectiveOnHost(asked, ['aac'])
  expect(without.config).toEqual(withAac(preset('pal'), 'aac-lc'))
  expect(without.warnings[0]).toContain('libfdk_aac')
})

test('Q84 equal PIDs, foreign widths and a mux rate without room are faults, not warnings', () => {
  expect(configFaults(preset('pal'))).toEqual([])
  expect(configFaults(withMuxer(preset('pal'), { 'pmt-pid': 512 }))[0]).toContain('PIDs')
  expect(configFaults(withVideo(preset('pal'), { width: 1920 }))[0]).toContain('720 or 1024')
  expect(configFaults(withMuxer(preset('pal'), { 'ts-muxrate': 200_000 }))[0]).toContain(
    '246240 bit/s',
  )
})
