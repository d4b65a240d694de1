import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldFaults } from './field-faults.rules.ts'

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
