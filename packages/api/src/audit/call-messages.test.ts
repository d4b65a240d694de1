import { wordsOfCall } from '@trunkline/contract/audit/call.messages'
import { ROLES } from '@trunkline/contract/roles'
import type { Route } from '@trunkline/contract/route'
import { expect, test } from 'vitest'
import { allCalls } from '../testing/all-calls.ts'

/** Asked by POST, because the question is long, or renews a token; none changes a record. */
const READING = ['channels.list', 'encoders.all', 'fleet.watch', 'session.check']

/** A refused call leaves a line, also of reading. */
function mayBeForbidden({ may }: Route): boolean {
  return may !== 'anyone' && may.length < ROLES.length
}

test('T20 each call that leaves a line in the record of activity has words of its own', async () => {
  const audited = (await allCalls())
    .filter((call) => mayBeForbidden(call) || call.method !== 'GET')
    .map(({ name }) => name)
    .filter((name) => !READING.includes(name))
  expect(audited).toContain('users.update')
  expect(audited).toContain('audit.list')
  expect(audited.filter((name) => wordsOfCall(name) === null)).toEqual([])
  const words = audited.map((name) => wordsOfCall(name)?.[0])
  expect(new Set(words).size).toBe(words.length)
})
