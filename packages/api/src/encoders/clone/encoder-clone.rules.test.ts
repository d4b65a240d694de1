import { expect, test } from 'vitest'
import { freedOutputs } from './encoder-clone.rules.ts'

const LOCAL = '127.0.0.1'
const GROUP = '239.1.1.1'

function outputs(...targets: string[]) {
  return targets.map((target) => {
    return { type: target.startsWith('rtp') ? ('rtp' as const) : ('udp' as const), target }
  })
}

function freed(targets: string[], taken: Record<string, number[]>): string[] | null {
  const ports = new Map(Object.entries(taken).map(([host, of]) => [host, new Set(of)]))
  return freedOutputs(outputs(...targets), ports)?.outputs.map(({ target }) => target) ?? null
}

test.each([
  ['a free target stays', [5000], [], [5000]],
  ['a taken one gets the next free port', [5000], [5000], [5002]],
  ['what others have is passed over', [5000], [5000, 5002, 5004], [5006]],
  ['an odd port stays odd', [5001], [5001], [5003]],
  ['a moved output does not take a port of another of its own', [5000, 5002], [5000], [5004, 5002]],
  ['two moved outputs do not meet', [5000, 5002], [5000, 5002], [5004, 5006]],
  ['after the last port the search begins below', [65_534], [65_534], [1024]],
  ['after the last odd port too', [65_535], [65_535, 1025], [1027]],
])('clone: %s', (_, own, taken, wanted) => {
  const target = (port: number) => `udp://${LOCAL}:${port}?ttl=12`
  expect(freed(own.map(target), { [LOCAL]: taken })).toEqual(wanted.map(target))
})

test('clone: each address has ports of its own, protocol and ttl stay', () => {
  const targets = [`rtp://${GROUP}:5000?ttl=3`, `udp://${LOCAL}:5000?ttl=12`]
  expect(freed(targets, { [GROUP]: [5000] })).toEqual([
    `rtp://${GROUP}:5002?ttl=3`,
    `udp://${LOCAL}:5000?ttl=12`,
  ])
})

test('clone: where no port is free there is none', () => {
  const even = Array.from({ length: 65_536 }, (_, port) => port)
  expect(freed([`udp://${LOCAL}:5000?ttl=12`], { [LOCAL]: even })).toBeNull()
})

test('clone: changed targets are reported with the new target', () => {
  const taken = new Map([[LOCAL, new Set([5000])]])
  const result = freedOutputs(outputs(`udp://${LOCAL}:4000`, `udp://${LOCAL}:5000?ttl=1`), taken)
  expect(result?.warnings).toEqual([
    'Output 2 of the copy sends to udp://127.0.0.1:5002?ttl=1: port 5000 of 127.0.0.1 is taken on this host.',
  ])
})
