import { expect, test } from 'vitest'
import { receiversHint, secondPathHint } from './link.rules.ts'

test('a listening output says how many receivers it serves, a calling output does not', () => {
  expect(receiversHint('SRT', 'Listen')).toBe(
    'One receiver at a time: a second receiver waits until the first leaves. Add one output per receiver.',
  )
  expect(receiversHint('RIST', 'Listen')).toContain('Several receivers')
  expect(receiversHint('SRT', 'Push')).toBe('')
  expect(receiversHint('RIST', 'Push')).toBe('')
})

test('RIST Simple needs one port at the far end for both paths, Main does not', () => {
  expect(secondPathHint(1)).toContain('same port')
  expect(secondPathHint(2)).toContain('or on one port for each')
})
