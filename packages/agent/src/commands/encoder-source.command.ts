/** The picture and sound that enter an encoder: the test pattern, a file in a loop, or a capture. */
import type { SourceConfig } from '@trunkline/contract/agent/agent-config.schema'
import {
  rasterOf,
  type Raster,
  type VideoFormat,
} from '@trunkline/contract/encoders/video-format.rules'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { HostFacts } from './host-facts.ts'
import { options } from './option.command.ts'
import { CommandRefused } from './refused.ts'

/** What stands between the source's own picture and the encoder. */
interface Picture {
  format: VideoFormat
  raster: Raster
  widthPixels: number
  /** Sample aspect ratio as `64/45`. */
  sampleAspect: string
}

/** Refuses a card index that the host's configuration does not know (decisions.md 8). */
export function sourceOf(config: EncoderConfig, facts: HostFacts): SourceConfig {
  const cardIdx = config['card-idx']
  const source = facts.sources.find((candidate) => candidate.cardIdx === cardIdx)
  if (!source) throw new CommandRefused(unknownCard(cardIdx, facts.sources))
  return source
}

/** What is read, brought to size, rate and fields of the video format. */
export function sourceArgs(source: SourceConfig, config: EncoderConfig, fontFile: string) {
  const picture = pictureOf(config)
  switch (source.kind) {
    case 'test-pattern':
      return source.practiceCover === undefined
        ? testPattern(source.cardIdx, picture, fontFile, [])
        : testPattern(source.cardIdx, small(picture), fontFile, [
            coveredBy(source.practiceCover, fontFile),
          ])
    case 'file':
      return fileLoop(source.device, picture)
    case 'v4l2':
      return videoDevice(source.device, picture)
    case 'decklink':
      return captureCard(source.device, picture)
    default:
      return source.kind satisfies never
  }
}

function unknownCard(cardIdx: number, sources: readonly SourceConfig[]): string {
  const known = sources.map((candidate) => candidate.cardIdx).join(', ')
  return `This host has no source with card index ${cardIdx}. ${known === '' ? 'It has none: add one to the configuration of its agent.' : `It has ${known}.`}`
}

function pictureOf(config: EncoderConfig): Picture {
  const format = config['video-format']
  const { width, 'aspect-ratio': aspect } = config['video-stream']
  const raster = rasterOf(format)
  const sampleAspect = sampleAspectOf(aspect, width, raster.heightLines)
  return { format, raster, widthPixels: width, sampleAspect }
}

/** '16:9' on 720 x 576 is 64/45. */
function sampleAspectOf(displayAspect: string, widthPixels: number, heightLines: number): string {
  const [across = 16, down = 9] = displayAspect.split(':').map(Number)
  const numerator = across * heightLines
  const denominator = down * widthPixels
  const divisor = greatestDivisor(numerator, denominator)
  return `${numerator / divisor}/${denominator / divisor}`
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

/**
 * Colour bars, the card's number, the time of day with milliseconds, and a mark that moves once per
 * field, so that a frozen picture and a lost field both show. Bars cost a third of what a pattern
 * does that moves all over (0.16 against 0.24 core for pal, encoding included).
 */
function testPattern(
  cardIdx: number,
  picture: Picture,
  fontFile: string,
  covers: readonly string[],
): string[] {
  const { format, raster, widthPixels } = picture
  const bars = raster.heightLines < 720 ? 'smptebars' : 'smptehdbars'
  const size = raster.heightLines
  const text = covers.length === 0 ? size : size * PRACTICE_TEXT
  const font = `drawtext=fontfile=${fontPath(fontFile)}:fontcolor=white`
  const box = `box=1:boxcolor=black@0.7:boxborderw=${Math.round(size / 72)}:x=(w-tw)/2`
  const video = [
    `${bars}=size=${widthPixels}x${size}:rate=${fieldRate(raster)}`,
    `${font}:fontsize=${Math.round(text / 16)}:${box}:y=h*0.28:text='CARD ${cardIdx}  ${format}'`,
    `${font}:fontsize=${Math.round(text / 9)}:${box}:y=h*0.4:text='${CLOCK}'`,
    `${font}:fontsize=${Math.round(size / 14)}:y=h*0.7:x=mod(n*4\\,w):text='|'`,
    ...covers,
    ...fieldsToFrames(raster),
    ...finish(picture),
  ]
  const graph = `${video.join(',')}[out0];${TONE}[out1]`
  return ['-re', ...options({ f: 'lavfi', i: graph }), ...maps('0:0', '0:1')]
}

/** Five pictures a second: measured, 0.02 core an encoder, its small picture included. */
export const PRACTICE_RATE = 5
/**
 * As usual its small picture takes 5.9 kB, and one of less than 6 is decoded to see whether it is black: 0.1 s of a
 * core every two seconds. With this much larger text it takes 6.8.
 */
const PRACTICE_TEXT = 1.35

function small({ format }: Picture): Picture {
  const raster = {
    heightLines: 180,
    scan: 'progressive',
    topFieldFirst: true,
    frameRate: { numerator: PRACTICE_RATE, denominator: 1 },
  } as const
  return { format, raster, widthPixels: 320, sampleAspect: '1/1' }
}

/**
 * drawtext alone reads a file anew with each picture: the box around any text covers all, around no
 * text it is not drawn.
 */
function coveredBy(coverFile: string, fontFile: string): string {
  const text = `textfile=${plainPath(coverFile, 'The cover of a test pattern')}:reload=1:fontcolor=black`
  return `drawtext=fontfile=${fontPath(fontFile)}:${text}:box=1:boxcolor=black:boxborderw=400`
}

/** drawtext has no milliseconds in `localtime`; `time(0)` is the same clock. */
const CLOCK = String.raw`%{localtime\:%H\\\:%M\\\:%S}.%{eif\:mod(time(0)*1000,1000)\:d\:3}`
/** Line-up tone: 1 kHz at -18 dBFS. */
const TONE = 'sine=frequency=1000:sample_rate=48000,aformat=channel_layouts=stereo'

/** Stands inside a filter description, where `:`, `,`, `'` and `\` have meanings. */
const PLAIN_PATH = /^[A-Za-z0-9/._-]+$/

function plainPath(path: string, whose: string): string {
  if (PLAIN_PATH.test(path)) return path
  throw new CommandRefused(
    `${whose} is the file ${path}, whose path may hold letters, digits and . _ - / only. Move it.`,
  )
}

function fontPath(fontFile: string): string {
  if (PLAIN_PATH.test(fontFile)) return fontFile
  throw new CommandRefused(
    'This host has no usable font for the clock in the test pattern. Install the package fonts-dejavu-core.',
  )
}

/** A file of any rate and size, over and over; its sound when it has some. */
function fileLoop(path: string, picture: Picture): string[] {
  return [
    '-re',
    // A playlist or a concat script must not reach anything but files.
    ...options({ stream_loop: -1, protocol_whitelist: 'file', i: `file:${path}` }),
    ...maps('0:v:0', '0:a:0?'),
    ...filters(
      'bwdif=mode=send_field:deint=interlaced',
      `fps=${fieldRate(picture.raster)}`,
      `scale=${picture.widthPixels}:${picture.raster.heightLines}`,
      ...fieldsToFrames(picture.raster),
      ...finish(picture),
    ),
  ]
}

/** A camera or grabber without sound of its own: silence keeps the audio PID alive. */
function videoDevice(device: string, picture: Picture): string[] {
  return [
    ...options({ thread_queue_size: 64, f: 'v4l2', i: device }),
    ...options({ f: 'lavfi', i: 'anullsrc=sample_rate=48000:channel_layout=stereo' }),
    ...maps('0:v:0', '1:a:0'),
    ...filters(
      `fps=${fieldRate(picture.raster)}`,
      `scale=${picture.widthPixels}:${picture.raster.heightLines}`,
      ...fieldsToFrames(picture.raster),
      ...finish(picture),
    ),
  ]
}

/** The card delivers whole frames, interlaced ones too, in the format that is asked for. */
function captureCard(device: string, picture: Picture): string[] {
  const { raster, widthPixels } = picture
  const scale = `scale=${widthPixels}:${raster.heightLines}:interl=${raster.scan === 'interlaced' ? 1 : 0}`
  return [
    ...options({ f: 'decklink', format_code: CARD_FORMATS[picture.format], i: device }),
    ...maps('0:v:0', '0:a:0'),
    ...filters(scale, ...finish(picture)),
  ]
}

function maps(video: string, audio: string): string[] {
  return [...options({ map: video }), ...options({ map: audio })]
}

function filters(...chain: string[]): string[] {
  return options({ vf: chain.join(',') })
}

/** Blackmagic's four-character display modes. */
const CARD_FORMATS: Record<VideoFormat, string> = {
  pal: 'pal ',
  ntsc: 'ntsc',
  '720p50': 'hp50',
  '720p59.94': 'hp59',
  '720p60': 'hp60',
  '1080i50': 'Hi50',
  '1080i59.94': 'Hi59',
  '1080i60': 'Hi60',
  '1080p23.98': '23ps',
  '1080p24': '24ps',
  '1080p25': 'Hp25',
  '1080p29.97': 'Hp29',
  '1080p30': 'Hp30',
  '1080p50': 'Hp50',
  '1080p59.94': 'Hp59',
  '1080p60': 'Hp60',
}

/** Pictures a second before interlacing: one per field. */
function fieldRate({ scan, frameRate }: Raster): string {
  const pictures = scan === 'interlaced' ? frameRate.numerator * 2 : frameRate.numerator
  const divisor = greatestDivisor(pictures, frameRate.denominator)
  const seconds = frameRate.denominator / divisor
  return seconds === 1 ? String(pictures / divisor) : `${pictures / divisor}/${seconds}`
}

function fieldsToFrames(raster: Raster): string[] {
  if (raster.scan === 'progressive') return []
  return [`tinterlace=mode=${raster.topFieldFirst ? 'interleave_top' : 'interleave_bottom'}`]
}

function finish({ raster, sampleAspect }: Picture): string[] {
  const field = raster.topFieldFirst ? 'tff' : 'bff'
  return [
    ...(raster.scan === 'interlaced' ? [`setfield=${field}`] : []),
    `setsar=${sampleAspect}`,
    'format=yuv420p',
  ]
}
