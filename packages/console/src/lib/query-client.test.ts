import { expect, test } from 'vitest'
import { invalidateKind, makeQueryClient } from './query-client.ts'

const KINDS = ['input', 'output', 'destination', 'channel', 'user'] as const

test.each([
  ['input', ['input', 'output']],
  ['output', ['input', 'output', 'destination']],
  ['destination', ['output', 'destination']],
  ['server', ['input', 'channel']],
  ['user', ['user']],
] as const)('a change of an %s refreshes every list that shows it', async (kind, expected) => {
  const client = makeQueryClient()
  for (const kind of KINDS) client.setQueryData([kind, 'list'], [])
  await invalidateKind(client, kind)
  const stale = KINDS.filter((kind) => client.getQueryState([kind, 'list'])?.isInvalidated)
  expect(stale).toEqual(expected)
})
