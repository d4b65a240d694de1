import { expect, test } from 'vitest'
import { HeardLinks } from './heard-links.ts'

interface TestLink {
  heardAtMs: number
  isOnline: boolean
}

function open(count: number) {
  const links = new HeardLinks<TestLink>()
  const looked: TestLink[] = []
  const all = Array.from({ length: count }, (_, at) => ({ heardAtMs: at, isOnline: true }))
  const hear = (link: TestLink, heardAtMs: number) => {
    link.heardAtMs = heardAtMs
    links.noteHeard(link)
  }
  for (const link of all) hear(link, link.heardAtMs)
  const oldest = () =>
    links.heardAtLeastMs((link) => {
      looked.push(link)
      return link.isOnline
    })
  return { links, all, hear, oldest, looked }
}

test('without a link nothing has been silent', () => {
  expect(open(0).oldest()).toBe(Infinity)
})

test('the link that was heard longest ago is found by a look at that link alone', () => {
  const { all, hear, oldest, looked } = open(5000)
  const [first, second] = all
  if (first === undefined || second === undefined) throw new Error('no links')
  expect(oldest()).toBe(0)
  hear(first, 6000)
  expect(oldest()).toBe(1)
  expect(looked).toEqual([first, second])
})

test('a link that is offline, or another process has, does not count and is looked at once', () => {
  const { all, oldest, looked } = open(100)
  for (const link of all.slice(0, 10)) link.isOnline = false
  expect([oldest(), looked.length]).toEqual([10, 11])
  expect([oldest(), looked.length]).toEqual([10, 12])
})

test('a link that was taken over counts with its age until it is heard here', () => {
  const { links, hear, oldest } = open(2)
  const takenOver = { heardAtMs: -500, isOnline: true }
  links.noteTakenOver(takenOver)
  expect(oldest()).toBe(-500)
  hear(takenOver, 700)
  expect(oldest()).toBe(0)
  links.noteTakenOver({ heardAtMs: -900, isOnline: false })
  expect(oldest()).toBe(0)
})
