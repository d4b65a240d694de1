import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldFaults, inOrder, wellParts } from './field-faults.rules.ts'

const Shape = z.strictObject({
  host: z.string().min(3, 'must be longer.').regex(/^a/, 'must begin with a.'),
  title: z.string().min(1, 'Title is required'),
  pairs: z.array(z.object({ ip: z.number() })),
})
const labels = { host: 'Host', title: 'Title', pairs: 'Adapters' }

test('each field shows its first error, with its label where the sentence continues it', () => {
  expect(fieldFaults(Shape, { host: 'b', title: '', pairs: [{ ip: 'x' }] }, labels)).toEqual({
    host: 'Host must be longer.',
    title: 'Title is required',
    pairs: 'Adapters must be a number, not text.',
  })
})

test('a valid field has no error, and an error outside the form is not shown at a field', () => {
  expect(fieldFaults(Shape, { host: 'abc', title: 't', pairs: [] }, labels)).toEqual({})
  expect(fieldFaults(Shape, { host: 'abc', title: 't', pairs: [], more: 1 }, labels)).toEqual({})
})

test('valid values are parsed by the schema, with defaults for missing fields', () => {
  const Config = z.object({
    port: z.coerce.number().int(),
    latency: z.number().default(300),
    host: z.string().min(3),
    ttl: z.number().optional(),
  })
  expect(wellParts(Config, { port: '6000', host: 'a' })).toEqual({ port: 6000, latency: 300 })
  expect(wellParts(Config, {})).toEqual({ latency: 300 })
})

test('errors are in the order of the form, those of a part at its field', () => {
  const faults = { 'rows.1.ip': 'c', other: 'd', title: 'a', 'host.second': 'b' }
  expect(Object.keys(inOrder(['title', 'host', 'host.second', 'rows'], faults))).toEqual([
    'title',
    'host.second',
    'rows.1.ip',
    'other',
  ])
})
