import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonInSlices, parseInSlices } from './long-answer.ts'

const Row = z.object({ id: z.number(), title: z.string() })
const Rows = z.array(Row)
const Reply = z.object({ status: z.literal(true), data: Rows, rows: Rows, total: z.number() })

const rows = Array.from({ length: 1001 }, (_, id) => ({ id, title: `ä "${id}"`, secret: 'x' }))
const answer = { status: true, data: rows, rows, total: 1001, more: 1 }

test('T16 a long answer is looked over as a short one is: what may not be seen is cut off', async () => {
  expect(await parseInSlices(Reply, answer)).toEqual(Reply.parse(answer))
  const broken = { ...answer, data: [...rows, { id: 'x', title: '' }] }
  await expect(parseInSlices(Reply, broken)).rejects.toThrow(z.ZodError)
  await expect(parseInSlices(Reply, { ...answer, total: '' })).rejects.toThrow(z.ZodError)
})

test('T16 a long answer is written as JSON would be, in parts between which others have their turn', async () => {
  for (const shown of [answer, { none: [], rows, last: null, left: undefined }, { rows }]) {
    const written = jsonInSlices(shown)
    expect(written && (await text(written))).toBe(JSON.stringify(shown))
  }
  let turns = 0
  const written = jsonInSlices(answer)
  for await (const _ of written ?? []) setImmediate(() => (turns += 1))
  expect(turns).toBeGreaterThan(5)
})

test('T16 a short answer is written at once', () => {
  expect(jsonInSlices({ status: true, rows: rows.slice(0, 59) })).toBeNull()
  expect(jsonInSlices(null)).toBeNull()
})
