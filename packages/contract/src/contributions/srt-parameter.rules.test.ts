import { expect, test } from 'vitest'
import { AdvancedParameter, AdvancedParameters } from './link.schema.ts'
import {
  SRT_ADVANCED_KEYS,
  srtParameterFault,
  srtParameterRange,
  srtParameterRule,
  type SrtParameterRule,
} from './srt-parameter.rules.ts'

/** dataplane.md 3.3: what may be set; what names a place, a direction or a secret may not. */
const RESERVED = ['mode', 'adapter', 'port', 'passphrase', 'pbkeylen']

test('Q104 34 keys, none of which says where the link goes or how it is encrypted', () => {
  expect(SRT_ADVANCED_KEYS).toHaveLength(34)
  expect(SRT_ADVANCED_KEYS.filter((key) => RESERVED.includes(key))).toEqual([])
})

test.each(SRT_ADVANCED_KEYS)(
  '%s: its limits are accepted, values beyond them are refused',
  (key) => {
    const rule = srtParameterRule(key)
    expect(rule.meaning).toMatch(/^[A-Z].*\.$/)
    const { well, bad } = edgesOf(rule)
    expect(well.filter((value) => srtParameterFault(key, value) !== null)).toEqual([])
    const faults = bad.map((value) => srtParameterFault(key, value))
    expect(faults).toEqual(bad.map(() => `must be ${srtParameterRange(key)}.`))
  },
)

function edgesOf(rule: SrtParameterRule): { well: readonly string[]; bad: readonly string[] } {
  switch (rule.kind) {
    case 'number':
      return {
        well: [`${rule.least}`, `${rule.greatest}`],
        bad: [`${rule.least - 1}`, `${rule.greatest + 1}`, 'ten', '1e3', '', '1 ', '0x10'],
      }
    case 'choice':
      return { well: rule.choices, bad: ['perhaps', ''] }
    case 'text':
      return { well: [], bad: [''] }
  }
}

test('the ranges are said with their units', () => {
  expect(srtParameterRange('latency')).toBe('0 to 65535 ms')
  expect(srtParameterRange('iptos')).toBe('0 to 255')
  expect(srtParameterRange('transtype')).toBe('live or file')
})

test.each([
  ['packetfilter', 'fec,cols:10,rows:5', true],
  ['packetfilter', 'cols:10', false],
  ['minversion', '0x010300', true],
  ['minversion', '1.3.0', false],
  ['bindtodevice', 'eth0', true],
  ['bindtodevice', 'a-name-longer-than-15', false],
  ['streamid', '#!::r=live,m=publish', true],
  ['latency', '0', true],
  ['latency', '0100', false],
  ['latency', '-0', false],
  ['maxbw', '-1', true],
  ['maxbw', '-01', false],
] as const)('%s %s: %s', (key, value, isWell) => {
  expect(AdvancedParameter.safeParse({ key, value }).success).toBe(isWell)
})

test('the schema accepts keys in any case, each once, and no character that could end a URI', () => {
  expect(AdvancedParameter.parse({ key: ' OHeadBW ', value: ' 25 ' })).toEqual({
    key: 'oheadbw',
    value: '25',
  })
  const twice = [
    { key: 'mss', value: '1400' },
    { key: 'MSS', value: '1300' },
  ]
  expect(AdvancedParameters.safeParse(twice).success).toBe(false)
  for (const value of ['a&mode=listener', 'a?b', 'a b', 'a%20b', "a'b", 'a"b', 'a\nb', '']) {
    expect(AdvancedParameter.safeParse({ key: 'streamid', value }).success, value).toBe(false)
  }
  for (const key of RESERVED) {
    expect(AdvancedParameter.safeParse({ key, value: '1' }).success, key).toBe(false)
  }
})
