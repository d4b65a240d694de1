/** CFG-40: whatever a client sends as a configuration, only what the schema names gets through. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { presetConfig } from './preset-config.ts'
import { effectiveConfig } from './effective-config.rules.ts'
import { EncoderConfig } from './encoder-config.schema.ts'

type Raw = Record<string, unknown>

function valid(): Raw & { 'video-stream': Raw; 'audio-stream': Raw; muxer: Raw } {
  return presetConfig('pal') as unknown as ReturnType<typeof valid>
}

/** The valid configuration with another value at a dotted place. */
function withValue(place: string, value: unknown): Raw {
  const config = valid()
  const names = place.split('.')
  const last = names.pop() ?? ''
  let at: Raw = config
  for (const name of names) at = at[name] as Raw
  Object.defineProperty(at, last, { value, enumerable: true, configurable: true, writable: true })
  return config
}

function faultOf(config: Raw): [string, string] | null {
  const [issue] = EncoderConfig.safeParse(config).error?.issues ?? []
  return issue === undefined ? null : [issue.path.join('.'), issue.message]
}

const WHOLE_NUMBERS = [
  'card-idx',
  'video-stream.bitrate',
  'video-stream.keyint',
  'video-stream.vbv-bufsize',
  'video-stream.vbv-maxrate',
  'video-stream.width',
  'video-stream.threads',
  'video-stream.pid',
  'video-stream.max-refs',
  'audio-stream.bitrate',
  'audio-stream.pid',
  'muxer.ts-id',
  'muxer.pmt-pid',
  'muxer.pcr-pid',
  'muxer.pcr-period',
  'muxer.program-num',
  'muxer.ts-muxrate',
] as const

const NO_NUMBERS: [string, unknown][] = [
  ['1e400', JSON.parse('1e400')],
  ['NaN', Number.NaN],
  ['the text NaN', 'NaN'],
  ['a text with letters', '12x'],
  ['Arabic digits', '\u0661\u0662'],
  ['full-width digits', '\uff11\uff12'],
  ['a hexadecimal text', '0x20'],
  ['an exponent', '1e3'],
  ['a fraction', 100.5],
  ['less than nothing', -1],
  ['more than any limit', 1e12],
  ['thirteen digits', '1000000000000'],
  ['a sign', '+512'],
  ['an empty text', ''],
  ['true', true],
  ['nothing', null],
  ['a list', [512]],
  ['an object', { valueOf: 512 }],
]

test.each(WHOLE_NUMBERS)('CFG-38 CFG-40 %s takes whole numbers within its limits only', (place) => {
  for (const [what, value] of NO_NUMBERS) {
    const fault = faultOf(withValue(place, value))
    expect(fault?.[0], what).toBe(place)
    expect(fault?.[1], what).toMatch(/^must be /)
  }
})

test('numbers as digits are numbers, and there is one zero', () => {
  const parsed = EncoderConfig.parse({
    ...withValue('video-stream.bitrate', ' 1500 '),
    'card-idx': JSON.parse('-0') as unknown,
  })
  expect(parsed['video-stream'].bitrate).toBe(1500)
  expect(Object.is(parsed['card-idx'], 0)).toBe(true)
})

test.each([
  ['video-stream.format', 'hevc'],
  ['video-stream.profile', 'high\n'],
  ['video-stream.level', 4.1],
  ['video-stream.aspect-ratio', '16:10'],
  ['video-stream.intra-refresh', 'yes'],
  ['video-format', 'PAL'],
  ['audio-stream.format', 'opus'],
  ['audio-stream.lang', 'ENG'],
  ['audio-stream.lang', 'eng\n'],
  ['audio-stream.lang', 'en'],
  ['audio-stream.lang', '\u00e9ng'],
  ['audio-stream.mp2-mode', 'stereo; rm'],
  ['audio-stream.audio-type', undefined],
  ['muxer.ts-type', 'isdb'],
  ['muxer.cbr', 2],
  ['title', ''],
  ['title', 'x'.repeat(10_000)],
  ['title', 'two\nlines'],
  ['title', 7],
  ['output', []],
  ['output.0.type', 'rtp'],
  ['output.0.target', `udp://127.0.0.1:5000?${'x'.repeat(10_000)}`],
  ['feeder', 'none'],
] as const)('CFG-40 %s does not take %j', (place, value) => {
  const [field, sentence] = faultOf(withValue(place, value)) ?? ['', '']
  // A protocol that differs from the target is reported at the target.
  expect(field).toBe(place === 'output.0.type' ? 'output.0.target' : place)
  expect(sentence).not.toBe('')
})

test('CFG-37 CFG-40 sixteen outputs are taken, seventeen are not', () => {
  const outputs = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      type: 'udp',
      target: `udp://127.0.0.1:${5000 + index}?ttl=12`,
    }))
  expect(faultOf(withValue('output', outputs(16)))).toBeNull()
  expect(faultOf(withValue('output', outputs(17)))?.[0]).toBe('output')
})

test.each(['', 'video-stream', 'audio-stream', 'muxer', 'output.0'])(
  'CFG-40 decisions 18 no unknown key in %j, with any name',
  (part) => {
    for (const key of ['x', '__proto__', 'constructor', 'toString', 'aac-profile', '']) {
      const place = [part, key].filter((each, index) => index === 1 || each !== '').join('.')
      expect(EncoderConfig.safeParse(withValue(place, 'aac-lc')).success, key).toBe(false)
    }
  },
)

test('quotes, shell characters and other scripts are ordinary text in a title', () => {
  for (const title of [`'"\`$(reboot)`, '100 % ; # \\', 'Bühne Nürnberg ⛰ 舞台', '-y']) {
    expect(EncoderConfig.parse(withValue('title', title)).title).toBe(title)
  }
})

/** Any JSON at any place, and sometimes what is nearly right. */
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.integer({ min: -10, max: 70_000 }),
  fc.constantFrom('%(x)s', '\r\n[program:x]', '; rm', '#', '%n', '|', '$(x)', '\u2028', '"'),
)
const anyPlace = fc.constantFrom(
  ...WHOLE_NUMBERS,
  'name',
  'title',
  'video-format',
  'video-stream',
  'video-stream.level',
  'video-stream.intra-refresh',
  'audio-stream.lang',
  'audio-stream.format',
  'muxer.cbr',
  'muxer.extra',
  'output',
  'output.0.target',
  'output.0.type',
  'feeder',
)
/** What a title may not hold, and no other text can. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

test('F16 every accepted value is in range and on one line', () => {
  fc.assert(
    fc.property(anyPlace, anyValue, (place, value) => {
      const parsed = EncoderConfig.safeParse(withValue(place, value))
      // What is refused is looked at as well: as the configuration that stays.
      const kept = parsed.data ?? EncoderConfig.parse(valid())
      const { name: _, title, ...rest } = kept
      expect(title).not.toMatch(CONTROL)
      // Choices, numbers and addresses: nothing that a shell, a template or a file could trip over.
      expect(JSON.stringify(rest)).toMatch(/^[\w\s"{}[\],:./?=-]*$/)
      expect(rest.feeder).toEqual([])
      expect(EncoderConfig.safeParse(effectiveConfig(kept).config).success).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
