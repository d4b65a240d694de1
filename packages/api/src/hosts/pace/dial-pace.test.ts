import { expect, test } from 'vitest'
import { DialPace } from './dial-pace.ts'

function linksOf(count: number) {
  const dialled: number[] = []
  const links = Array.from({ length: count }, (_, index) => ({
    dialNow: () => void dialled.push(index),
  }))
  return { links, dialled }
}

test('G8 however many hosts are away, so many dials are made in a second', () => {
  const pace = new DialPace()
  const { links } = linksOf(6000)
  const waits = links.map((link) => pace.failed(link, false))
  expect(waits[0]).toBeLessThan(20)
  expect(waits.at(-1)).toBe(100_000)
  expect(links.map((link) => pace.failed(link, false)).at(0)).toBe(100_000)
})

test('hosts that may only be starting again are dialled sooner', () => {
  const pace = new DialPace()
  const { links } = linksOf(5000)
  expect(links.map((link) => pace.failed(link, true)).at(-1)).toBe(10_000)
})

test('a host that is back makes others be tried, those first that have waited longest', () => {
  const pace = new DialPace()
  const { links, dialled } = linksOf(30)
  for (const link of links) pace.failed(link, false)
  const [first, second] = links
  if (!first || !second) throw new Error('There are thirty.')
  pace.returned(first)
  expect(dialled).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  // Known as back already.
  pace.returned(first)
  expect(dialled).toHaveLength(10)
  pace.returned(second)
  expect(dialled.slice(10)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
})

test('a host that is gone for good keeps nobody waiting', () => {
  const pace = new DialPace()
  const { links } = linksOf(61)
  for (const link of links) pace.failed(link, false)
  for (const link of links.slice(1)) pace.forget(link)
  const [last] = links
  expect(last && pace.failed(last, false)).toBeLessThan(20)
})
