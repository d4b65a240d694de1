import { expect, test } from 'vitest'
import { shortState } from './object-state.ts'

test('a cause of several sentences is cut short in a table', () => {
  expect(shortState({ word: 'Running', cause: '' })).toBe('Running')
  const text = shortState({
    word: 'Online',
    cause: 'Every user of this host can read it. '.repeat(9),
  })
  expect(text).toHaveLength(60)
  expect(text).toMatch(/^Online, Every user .*…$/)
})
