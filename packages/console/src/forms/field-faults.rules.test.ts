import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldFaults, inOrder, wellParts } from './field-faults.rules.ts'

const Shape = z.strictObject({
  host: z.string().min(3, 'must be longer.').regex(/^a/, 'must begin with a.'),
  title: z.string().min(1, 'Title is required'),
  pairs: z.array(z.object({ ip: z.number() })),
})
const labels = { host: 'Host', title: 'Title', pairs: 'Adapters' }

test('each field says its first fault, with its label where the sentence goes on from it', () => {
  expect(fieldFaults(Shape, { host: 'b', title: '', pairs: [{ ip: 'x' }] }, labels)).toEqual({
    host: 'Host must be longer.',
    title: 'Title is required',
    pairs: 'Adapters must be a number, not text.',
  })
})

test('what is well is silent, and a fault of no field of the form is not made up for one', () => {
  expect(fieldFaults(Shape, { host: 'abc', title: 't', pairs: [] }, labels)).toEqual({})
  expect(fieldFaults(Shape, { host: 'abc', title: 't', pairs: [], more: 1 }, labels)).toEqual({})
})

test('what is well by itself is read as the schema reads it, with the defaults of what is left out', () => {
  const Config = z.object({
    port: z.coerce.number().int(),
    latency: z.number().default(300),
    host: z.string().min(3),
    ttl: z.number().optional(),
  })
  expect(wellParts(Config, { port: '6000', host: 'a' })).toEqual({ port: 6000, latency: 300 })
  expect(wellParts(Config, {})).toEqual({ latency: 300 })
})

test('faults stand in the order of the form, those of a part where its field does', () => {
  const faults = { 'rows.1.ip': 'c', other: 'd', title: 'a', 'host.second': 'b' }
  expect(Object.keys(inOrder(['title', 'host', 'host.second', 'rows'], faults))).toEqual([
    'title',
    'host.second',
    'rows.1.ip',
    'other',
  ])
})
