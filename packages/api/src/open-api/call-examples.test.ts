import { readOpenApi } from '@trunkline/contract/open-api/open-api.calls'
import { noBody } from '@trunkline/contract/route'
import { expect, test } from 'vitest'
import { allCalls } from '../testing/all-calls.ts'
import { PLANTED_SECRETS } from '../testing/inject.ts'
import { CALL_EXAMPLES } from './call-examples.ts'

/** The reference itself, and a call that needs an open live stream. */
const WITHOUT = [readOpenApi.name, 'fleet.watch']

test('every call has an example, and no example is of a call that is gone', async () => {
  const names = (await allCalls()).map(({ name }) => name).filter((name) => !WITHOUT.includes(name))
  expect(Object.keys(CALL_EXAMPLES).toSorted()).toEqual(names.toSorted())
})

test('what an example sends and is answered fits the contract of its call', async () => {
  const faults = (await allCalls()).flatMap(({ name, params, query, body, reply }) => {
    const example = CALL_EXAMPLES[name]
    if (example === undefined) return []
    const parts = [
      ['params', params.safeParse(example.params ?? {})],
      ['query', query.safeParse(example.query ?? {})],
      ...((body as unknown) === noBody ? [] : [['body', body.safeParse(example.body)] as const]),
      ['answer', reply.safeParse(example.answer)],
    ] as const
    return parts.flatMap(([part, { error }]) =>
      error ? [`${name} ${part}: ${error.message}`] : [],
    )
  })
  expect(faults).toEqual([])
})

test('no example holds a secret, or where the tests ran', () => {
  const text = JSON.stringify(CALL_EXAMPLES)
  expect(PLANTED_SECRETS.filter((secret) => text.includes(secret))).toEqual([])
  // A signed token, and the beginning of an API token that is not only its first characters.
  expect(/eyJ[\w-]{8,}|trk_\w{8,}|-----BEGIN/.exec(text)).toBeNull()
  expect(/\/(?:tmp|root|home|work)\//.exec(text)).toBeNull()
})
