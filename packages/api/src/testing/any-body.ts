/** Bodies near a good one, and bodies like nothing at all, for tests that no input makes the API fail. */
import fc from 'fast-check'
import { HOSTILE } from './fuzz/schema-values.ts'

/** Each field kept, dropped, or made into something else; deep fields too. */
export function anyBody(example: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: near(example) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  )
}

function near(example: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const fields = Object.entries(example).map(([name, value]) => [name, nearValue(value)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] })
}

function nearValue(value: unknown): fc.Arbitrary<unknown> {
  const same = { weight: 6, arbitrary: fc.constant(value) }
  const hostile = {
    weight: 1,
    arbitrary: fc.constantFrom(...HOSTILE),
  }
  const any = { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return fc.oneof(same, hostile, any)
  }
  const deep = { weight: 4, arbitrary: near(value as Record<string, unknown>) }
  return fc.oneof(same, deep, hostile, any)
}
