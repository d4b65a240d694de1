import { expect, test } from 'vitest'
import { presetConfig } from './preset-config.ts'
import { EncoderConfig } from './encoder-config.schema.ts'
import {
  configFaultList,
  configFaults,
  effectiveConfig,
  effectiveOnHost,
  MUX_BITS_PER_STREAM_KBIT,
  sourceWarning,
} from './effective-config.rules.ts'
import { VIDEO_FORMATS, type VideoFormat } from './video-format.rules.ts'

type Video = EncoderConfig['video-stream']

function preset(format: VideoFormat): EncoderConfig {
  return EncoderConfig.parse(presetConfig(format))
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
  const config = withMuxer(preset('1080p25'), { cbr: 0, 'pcr-period': 40 })
  expect(effectiveConfig(config)).toEqual({ config, warnings: [] })
})

test.each([
  ['pal', 30, 'every 40 ms, not every 30 ms'],
  ['720p50', 30, 'every 40 ms, not every 30 ms'],
  ['720p59.94', 20, 'every 33 ms, not every 20 ms'],
] as const)(
  'CFG-40 without a constant mux rate %s keeps no PCR period of %i ms',
  (format, asked, kept) => {
    const config = withMuxer(preset(format), { cbr: 0, 'pcr-period': asked })
    expect(effectiveConfig(config)).toEqual({
      config,
      warnings: [`Without a constant mux rate the PCR is sent with the pictures: ${kept}.`],
    })
    const constant = withMuxer(config, { cbr: 1 })
    expect(effectiveConfig(constant).warnings).toEqual([])
  },
)

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

test('Q84 foreign widths and a mux rate without room are faults, not warnings', () => {
  expect(configFaults(preset('pal'))).toEqual([])
  expect(configFaults(withVideo(preset('pal'), { width: 1920 }))[0]).toContain('720 or 1024')
  expect(configFaults(withMuxer(preset('pal'), { 'ts-muxrate': 200_000 }))[0]).toContain(
    '246240 bit/s',
  )
})

test('Q84 equal PIDs are named with their owner, at the later field', () => {
  const faults = (video: number, audio: number, pmt: number) => {
    const config = withMuxer(withVideo(preset('pal'), { pid: video }), { 'pmt-pid': pmt })
    return configFaultList({
      ...config,
      'audio-stream': { ...config['audio-stream'], pid: audio },
    })
  }
  expect(faults(512, 4112, 256)).toEqual([])
  expect(faults(512, 512, 256)).toEqual([
    {
      field: 'audio-stream.pid',
      sentence: 'PID 512 is the video PID already. Choose another audio PID.',
    },
  ])
  expect(faults(512, 4112, 4112)).toEqual([
    {
      field: 'muxer.pmt-pid',
      sentence: 'PID 4112 is the audio PID already. Choose another PMT PID.',
    },
  ])
  expect(faults(100, 100, 100).map(({ field }) => field)).toEqual([
    'audio-stream.pid',
    'muxer.pmt-pid',
  ])
})

test('a mux rate must have room for the audio as MP2 sends it', () => {
  const config = withMuxer(preset('pal'), { 'ts-muxrate': 510_000 })
  const audio = { ...config['audio-stream'], bitrate: 370 }
  expect(configFaults({ ...config, 'audio-stream': audio })[0]).toContain('384 kbit/s of audio')
})

test('a card without a source, or with an unusable one, is named', () => {
  const source = { cardIdx: 5, kind: 'decklink', label: 'SDI', unusable: '' } as const
  const unusable = 'This host has no DeckLink driver.'
  expect(sourceWarning(5, [source])).toBe('')
  expect(sourceWarning(5, [{ ...source, unusable }])).toBe(
    'Card 5: This host has no DeckLink driver. The encoder will not start.',
  )
  expect(sourceWarning(4, [source])).toBe(
    'Card 4: this host has no such source. The encoder will not start.',
  )
})

test('a target has a single output, and an address that can be sent to', () => {
  const sentTo = (...targets: string[]) =>
    configFaultList({
      ...preset('pal'),
      output: targets.map((target) => ({ type: 'udp' as const, target })),
    })
  expect(
    sentTo('udp://127.0.0.1:5000?ttl=1', 'udp://239.1.1.1:5000', 'udp://10.0.0.1:5001'),
  ).toEqual([])
  expect(sentTo('udp://127.0.0.1:5000?ttl=1', 'udp://127.0.0.1:5000?ttl=9')).toEqual([
    {
      field: 'output.1.target',
      sentence: 'Output 1 sends to 127.0.0.1:5000 already. Choose another target.',
    },
  ])
  for (const ip of ['0.0.0.0', '240.0.0.1', '255.255.255.255']) {
    expect(sentTo(`udp://${ip}:5000`)[0]?.sentence).toContain(`${ip} is not an address`)
  }
})
