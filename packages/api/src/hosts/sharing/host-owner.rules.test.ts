import { expect, test } from 'vitest'
import { ownerOf } from './host-owner.rules.ts'

const HOSTS = Array.from({ length: 5000 }, (_, at) => `10.0.${at >> 8}.${at & 255}:7001`)
const THREE = ['6f0c', 'a1b2', 'c3d4']

test('without a process nobody links a host', () => {
  expect(ownerOf('10.0.0.1:7001', [])).toBeUndefined()
})

test('the order in which processes are known does not matter', () => {
  for (const at of HOSTS) expect(ownerOf(at, THREE)).toBe(ownerOf(at, THREE.toReversed()))
})

test('each process gets its share of the hosts', () => {
  const counts = Map.groupBy(HOSTS, (at) => ownerOf(at, THREE))
  for (const id of THREE) {
    const share = (counts.get(id)?.length ?? 0) / HOSTS.length
    expect(share).toBeGreaterThan(0.3)
    expect(share).toBeLessThan(0.37)
  }
})

test('when an API process ends, only its hosts move to other processes', () => {
  const [gone = '', ...others] = THREE
  const kept = HOSTS.filter((at) => ownerOf(at, THREE) !== gone)
  const after = kept.map((at) => ownerOf(at, others))
  expect(after).toEqual(kept.map((at) => ownerOf(at, THREE)))
})
