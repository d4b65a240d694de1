import { expect, test } from 'vitest'
import {
  drawnRange,
  freeBusPorts,
  freeGroups,
  isOwnGroup,
  namedRange,
  rangeFrom,
  rangeText,
} from './bus.rules.ts'

test.each([
  [0, '239.128.0.1'],
  [0.5, '239.168.127.1'],
  [0.999_999_999, '239.207.254.0'],
])(
  'Q159 a draw of %d makes the range that begins with %s, and its text is read back',
  (of, text) => {
    const range = drawnRange(() => of)
    expect(rangeText(range)).toBe(text)
    expect(rangeFrom(text)).toEqual(range)
  },
)

test('Q159 a named network is given from its beginning', () => {
  expect(rangeText(namedRange('239.141'))).toBe('239.141.0.1')
})

test('Q159 groups are given upwards from the first of the range, then from the beginning, each once', () => {
  const range = rangeFrom('239.141.254.0')
  const [last, first, third] = freeGroups(range, new Set(['239.141.0.2']))
  expect([last, first, third]).toEqual(['239.141.254.0', '239.141.0.1', '239.141.0.3'])
  const all = [...freeGroups(range, new Set())]
  expect(new Set(all).size).toBe(65_024)
  expect(all).toHaveLength(65_024)
})

test('Q159 two networks do not begin with the same bus port, and none comes to those of channel servers', () => {
  const networks = Array.from({ length: 256 }, (_, second) => namedRange(`239.${second}`))
  const firsts = networks.map((range) => [...freeBusPorts(range, new Set())][0])
  expect(new Set(firsts).size).toBe(256)
  const ports = [...freeBusPorts(namedRange('239.141'), new Set([20_000]))]
  expect([Math.min(...ports), Math.max(...ports), ports.length]).toEqual([20_001, 27_999, 7999])
})

test('groups of the own network and of the former one are kept for inputs', () => {
  const range = namedRange('239.141')
  const ips = ['239.141.9.9', '239.255.9.9', '239.14.1.1', '239.1.41.1']
  expect(ips.map((ip) => isOwnGroup(range, ip))).toEqual([true, true, false, false])
})
