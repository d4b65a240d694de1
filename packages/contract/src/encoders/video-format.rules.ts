/** The 16 video formats and what follows from each: size, rate, scan, presets, key interval. */

/** CONST-09, in this order. */
export const VIDEO_FORMATS = [
  'pal',
  'ntsc',
  '720p50',
  '720p59.94',
  '720p60',
  '1080i50',
  '1080i59.94',
  '1080i60',
  '1080p23.98',
  '1080p24',
  '1080p25',
  '1080p29.97',
  '1080p30',
  '1080p50',
  '1080p59.94',
  '1080p60',
] as const
export type VideoFormat = (typeof VIDEO_FORMATS)[number]

export interface Raster {
  heightLines: number
  scan: 'interlaced' | 'progressive'
  /** Which field comes first; meaningless for progressive. */
  topFieldFirst: boolean
  /** Full frames a second as a fraction, so that 29.97 is exact. */
  frameRate: { numerator: number; denominator: number }
}

/** `1080i50` names fields a second, `1080p50` frames a second. */
export function rasterOf(format: VideoFormat): Raster {
  if (format === 'pal') return interlaced(576, { numerator: 25, denominator: 1 }, true)
  if (format === 'ntsc') return interlaced(480, { numerator: 30000, denominator: 1001 }, false)
  const [, height, scan, rate] = /^(\d+)([ip])(.+)$/.exec(format) ?? []
  const frames = exactRate(Number(rate))
  if (scan === 'i') {
    const half = { numerator: frames.numerator, denominator: frames.denominator * 2 }
    return interlaced(Number(height), half, true)
  }
  return {
    heightLines: Number(height),
    scan: 'progressive',
    topFieldFirst: true,
    frameRate: frames,
  }
}

function interlaced(
  heightLines: number,
  frameRate: Raster['frameRate'],
  topFieldFirst: boolean,
): Raster {
  return { heightLines, scan: 'interlaced', topFieldFirst, frameRate }
}

function exactRate(rate: number): Raster['frameRate'] {
  if (Number.isInteger(rate)) return { numerator: rate, denominator: 1 }
  return { numerator: Math.ceil(rate) * 1000, denominator: 1001 }
}

/** CFG-27. */
export function widthChoices(format: VideoFormat): readonly number[] {
  if (format === 'pal' || format === 'ntsc') return [720, 1024]
  if (format.startsWith('720p')) return [960, 1280]
  return [1280, 1920]
}

/** CFG-21: the number at the end of the name decides; pal and ntsc have none. */
export function keyintOf(format: VideoFormat): number {
  const rate = Number(/[ip]([\d.]+)$/.exec(format)?.[1] ?? Number.NaN)
  if (Number.isNaN(rate) || rate < 29) return 24
  return rate <= 30 ? 30 : 50
}

export interface FormatPreset {
  widthPixels: number
  profile: 'main' | 'high'
  level: '3.2' | '4.1' | '4.2'
  videoBitrateKbps: number
  vbvBufsizeKbit: number
  vbvMaxrateKbps: number
  audioBitrateKbps: number
  muxRateBps: number
}

/** CFG-18 to CFG-20; vbv-bufsize of the HD formats equals vbv-maxrate (Q79). */
export function presetOf(format: VideoFormat): FormatPreset {
  if (format === 'pal' || format === 'ntsc') return SD_PRESET
  return format.startsWith('720p') ? HD720_PRESET : HD1080_PRESET
}

const SD_PRESET: FormatPreset = {
  widthPixels: 720,
  profile: 'main',
  level: '3.2',
  videoBitrateKbps: 1500,
  vbvBufsizeKbit: 1000,
  vbvMaxrateKbps: 1500,
  audioBitrateKbps: 128,
  muxRateBps: 1_850_000,
}
const HD720_PRESET: FormatPreset = {
  widthPixels: 1280,
  profile: 'high',
  level: '4.1',
  videoBitrateKbps: 3500,
  vbvBufsizeKbit: 3500,
  vbvMaxrateKbps: 3500,
  audioBitrateKbps: 192,
  muxRateBps: 4_500_000,
}
const HD1080_PRESET: FormatPreset = {
  widthPixels: 1920,
  profile: 'high',
  level: '4.2',
  videoBitrateKbps: 4000,
  vbvBufsizeKbit: 4000,
  vbvMaxrateKbps: 4000,
  audioBitrateKbps: 256,
  muxRateBps: 4_500_000,
}
