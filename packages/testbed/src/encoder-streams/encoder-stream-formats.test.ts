/** Six formats on the wire, as the saved configuration promises them (CFG-41, decisions.md 30). */
import { configOf, HOST } from '@trunkline/agent/commands/encoder-config.fixture'
import { effectiveOnHost } from '@trunkline/contract/encoders/effective-config.rules'
import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { VideoFormat } from '@trunkline/contract/encoders/video-format.rules'
import { expect, test } from 'vitest'
import { openReceiver } from './stream-capture.ts'
import { factsFound, promisedFacts } from './stream-facts.ts'
import { startEncoder } from './encoder-stream.fixture.ts'
import { brokenLimits } from './stream-limits.ts'

/** Two groups of pictures at the longest key distance, 50 frames at 25 a second, and some. */
const CAPTURE_SECONDS = 4.5
interface Case {
  format: VideoFormat
  title?: string
  video: Partial<EncoderConfig['video-stream']>
  audio: object
  muxer: Partial<EncoderConfig['muxer']>
}

const mp2 = (mode: string, type: string, lang: string) => ({
  format: 'mp2',
  lang,
  'mp2-mode': mode,
  'audio-type': type,
})
const aac = (encap: string, profile: string) => ({
  format: 'aac',
  'aac-profile': profile,
  'aac-encap': encap,
})

/** Between them every choice is met at least once, and the ends of the PID and id ranges. */
const CASES: Case[] = [
  {
    format: 'pal',
    video: { 'aspect-ratio': '4:3' },
    audio: mp2('stereo', 'hearing-impaired', 'fra'),
    muxer: { 'ts-type': 'dvb' },
  },
  {
    format: 'ntsc',
    video: { width: 1024, pid: 8186 },
    audio: { ...mp2('joint-stereo', 'visual-impaired', 'spa'), pid: 32 },
    muxer: { 'ts-type': 'generic', 'pmt-pid': 33, 'ts-id': 65_535, 'program-num': 65_535 },
  },
  {
    format: '720p50',
    video: { width: 960, profile: 'main', level: '4.0' },
    audio: { ...aac('adts', 'aac-lc'), bitrate: 96 },
    muxer: { 'ts-type': 'dvb', cbr: 0 },
  },
  {
    format: '1080i50',
    title: `Küche "Nord's" 100 % – 中央`,
    video: {},
    audio: { ...aac('latm', 'aac-lc'), lang: 'deu' },
    muxer: { 'pcr-period': 40, 'ts-muxrate': 6_000_000 },
  },
  {
    format: '1080i59.94',
    video: { 'intra-refresh': 1, 'max-refs': 4 },
    audio: mp2('dual-channel', 'clean-effects', 'por'),
    muxer: { 'ts-id': 1, 'program-num': 1, 'pmt-pid': 8186 },
  },
  {
    format: '1080p25',
    video: { width: 1280, 'aspect-ratio': '4:9', keyint: 40 },
    audio: { ...aac('adts', 'he-aac-v2'), bitrate: 64 },
    muxer: { 'ts-type': 'cablelabs', 'pcr-pid': 600 },
  },
]

const TWO_OUTPUTS: Case = {
  format: 'pal',
  video: {},
  audio: mp2('stereo', 'undefined', 'ita'),
  muxer: {},
}

function configured(item: Case, targets: readonly string[]): EncoderConfig {
  const base = configOf(item.format, targets)
  const { bitrate, lang, pid } = base['audio-stream']
  const video = { ...base['video-stream'], ...item.video }
  return EncoderConfig.parse({
    ...base,
    title: item.title ?? base.title,
    'video-stream': video,
    'audio-stream': { bitrate, lang, pid, ...item.audio },
    muxer: { ...base.muxer, 'pcr-pid': video.pid, ...item.muxer },
  })
}

test.each(CASES)(
  'rule 10, CFG-41 $format on the wire is what its configuration says',
  async (item) => {
    await using receiver = await openReceiver('udp')
    const config = configured(item, [`udp://127.0.0.1:${receiver.port}?ttl=1`])
    const captured = receiver.capture(CAPTURE_SECONDS)
    await using encoder = startEncoder(config)
    const effective = effectiveOnHost(config, HOST.encoders).config
    const bytes = await encoder.until(captured)
    expect(factsFound(bytes)).toEqual(promisedFacts(effective))
    expect(brokenLimits(bytes, effective)).toEqual([])
  },
)

test('CFG-36 CFG-37 CFG-41 UDP and RTP at once carry the same, except the language, as the warning says', async () => {
  await using udp = await openReceiver('udp')
  await using rtp = await openReceiver('rtp')
  const targets = [`udp://127.0.0.1:${udp.port}?ttl=1`, `rtp://127.0.0.1:${rtp.port}?ttl=1`]
  const config = configured(TWO_OUTPUTS, targets)
  const captured = Promise.all([udp.capture(CAPTURE_SECONDS), rtp.capture(CAPTURE_SECONDS)])
  await using encoder = startEncoder(config)
  const [overUdp, overRtp] = await encoder.until(captured)
  const effective = effectiveOnHost(config, HOST.encoders).config
  const promised = promisedFacts(effective)
  expect(factsFound(overUdp)).toEqual(promised)
  expect(factsFound(overRtp)).toEqual({ ...promised, language: '', audioType: 'undefined' })
  expect([overUdp, overRtp].flatMap((bytes) => brokenLimits(bytes, effective))).toEqual([])
})
