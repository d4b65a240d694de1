import { expect, test } from 'vitest'
import { CONTENTS, stillInUse, type Content } from './group-content.rules.ts'

function counts(more: Partial<Record<Content, number>>) {
  const none = { member: 0, encoder: 0, server: 0, channel: 0, input: 0, destination: 0 }
  return { ...none, ...more }
}

test.each([
  [{ member: 1 }, 'North still has 1 member. Move or delete it first.'],
  [{ server: 2 }, 'North still has 2 servers. Move or delete them first.'],
  [{ member: 11 }, 'North still has 11 members. Move or delete them first.'],
  [
    { server: 1, member: 3, encoder: 2 },
    'North still has 3 members, 2 encoders and 1 server. Move or delete them first.',
  ],
  [{ channel: 1, input: 1 }, 'North still has 1 channel and 1 input. Move or delete them first.'],
])('Q110 what is in a group is said with its number: %o', (more, sentence) => {
  expect(stillInUse('North', counts(more))).toBe(sentence)
})

test('Q110 an empty group can be deleted, any other cannot', () => {
  expect(stillInUse('North', counts({}))).toBeNull()
  for (const name of CONTENTS) {
    expect(stillInUse('North', counts({ [name]: 1 }))).toContain(`1 ${name}.`)
  }
})
