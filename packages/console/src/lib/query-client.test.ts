import { expect, test } from 'vitest'
import { invalidateKind, makeQueryClient } from './query-client.ts'

test.each([
  ['input', ['input', 'output']],
  ['output', ['destination', 'input', 'output']],
  ['destination', ['destination', 'output']],
  ['user', ['user']],
] as const)('news of an %s reach every list that tells of it', async (kind, expected) => {
  const client = makeQueryClient()
  for (const one of ['input', 'output', 'destination', 'user']) {
    client.setQueryData([one, 'list'], [])
  }
  await invalidateKind(client, kind)
  const stale = client.getQueryCache().findAll({ predicate: (query) => query.state.isInvalidated })
  expect(stale.map(({ queryKey }) => queryKey[0]).toSorted()).toEqual(expected)
})
