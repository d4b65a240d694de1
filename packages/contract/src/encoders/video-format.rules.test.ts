import { expect, test } from 'vitest'
import { keyintOf, presetOf, rasterOf, VIDEO_FORMATS, widthChoices } from './video-format.rules.ts'

test('CONST-09 the sixteen formats in their order', () => {
  expect(VIDEO_FORMATS).toEqual([
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
  ])
})

test.each([
  ['pal', 576, 'interlaced', 25, 24],
  ['ntsc', 480, 'interlaced', 30000 / 1001, 24],
  ['720p50', 720, 'progressive', 50, 50],
  ['720p59.94', 720, 'progressive', 60000 / 1001, 50],
  ['720p60', 720, 'progressive', 60, 50],
  ['1080i50', 1080, 'interlaced', 25, 50],
  ['1080i59.94', 1080, 'interlaced', 30000 / 1001, 50],
  ['1080i60', 1080, 'interlaced', 30, 50],
  ['1080p23.98', 1080, 'progressive', 24000 / 1001, 24],
  ['1080p24', 1080, 'progressive', 24, 24],
  ['1080p25', 1080, 'progressive', 25, 24],
  ['1080p29.97', 1080, 'progressive', 30000 / 1001, 30],
  ['1080p30', 1080, 'progressive', 30, 30],
  ['1080p50', 1080, 'progressive', 50, 50],
  ['1080p59.94', 1080, 'progressive', 60000 / 1001, 50],
  ['1080p60', 1080, 'progressive', 60, 50],
] as const)(
  'CFG-21 %s: %i lines, %s, %f frames a second, keyint %i',
  (format, height, scan, rate, keyint) => {
    const raster = rasterOf(format)
    expect(raster.heightLines).toBe(height)
    expect(raster.scan).toBe(scan)
    expect(raster.frameRate.numerator / raster.frameRate.denominator).toBeCloseTo(rate, 9)
    expect(keyintOf(format)).toBe(keyint)
  },
)

test('CFG-18 to CFG-20 presets by family', () => {
  expect(presetOf('ntsc')).toMatchObject({ widthPixels: 720, level: '3.2', muxRateBps: 1_850_000 })
  expect(presetOf('720p60')).toMatchObject({
    widthPixels: 1280,
    level: '4.1',
    audioBitrateKbps: 192,
  })
  expect(presetOf('1080i50')).toMatchObject({
    widthPixels: 1920,
    level: '4.2',
    vbvBufsizeKbit: 4000,
  })
})

test('CFG-27 width choices', () => {
  expect(widthChoices('pal')).toEqual([720, 1024])
  expect(widthChoices('720p50')).toEqual([960, 1280])
  expect(widthChoices('1080p25')).toEqual([1280, 1920])
})
