import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  answerInParts,
  CHECKED,
  COMPARED,
  CUT,
  jsonInSlices,
  shapeInSlices,
} from './long-answer.ts'

const Row = z.object({ id: z.number(), title: z.string() })
const Rows = z.array(Row)
const Reply = z.object({ status: z.literal(true), data: Rows, rows: Rows, total: z.number() })

const rows = Array.from({ length: 1001 }, (_, id) => ({ id, title: `ä "${id}"`, secret: 'x' }))
const answer = { status: true, data: rows, rows, total: 1001, more: 1 }

test('T16 a long answer is filtered like a short one: fields that may not be seen are removed', async () => {
  expect(await shapeInSlices(Reply, answer, CHECKED)).toEqual(Reply.parse(answer))
  const broken = { ...answer, data: [...rows, { id: 'x', title: '' }] }
  await expect(shapeInSlices(Reply, broken, CHECKED)).rejects.toThrow(z.ZodError)
  await expect(shapeInSlices(Reply, { ...answer, total: '' }, CHECKED)).rejects.toThrow(z.ZodError)
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

async function* partsOf(list: readonly unknown[], rowsAtOnce: number) {
  for (let at = 0; at < list.length; at += rowsAtOnce) yield list.slice(at, at + rowsAtOnce)
}

test.each([0, 1, 100, 1001])(
  'T16 a list of %i rows that comes in parts is checked and written as a whole one is',
  async (count) => {
    const list = rows.slice(0, count)
    const written = answerInParts(Reply, { ...answer, data: partsOf(list, 100), rows: [] }, CHECKED)
    const whole = Reply.parse({ ...answer, data: list, rows: [] })
    expect(written && JSON.parse(await text(written))).toEqual(whole)
  },
)

test('T16 a value outside the contract ends an answer in parts, and is never sent', async () => {
  const broken = [...rows, { id: 'x', title: 'no number' }]
  const written = answerInParts(Reply, { ...answer, data: partsOf(broken, 100) }, CHECKED)
  const read: string[] = []
  await expect(async () => {
    for await (const part of written ?? []) read.push(String(part))
  }).rejects.toThrow(z.ZodError)
  expect(read.join('')).not.toContain('no number')
  expect(() =>
    answerInParts(Reply, { ...answer, data: partsOf(rows, 100), total: '' }, CHECKED),
  ).toThrow(z.ZodError)
  expect(answerInParts(Reply, answer, CHECKED)).toBeNull()
})

test('T16 lists that come in parts may stand within a field', async () => {
  const Deep = z.object({ status: z.literal(true), data: Reply })
  const deep = { status: true, data: { ...answer, rows: [], data: partsOf(rows, 100) } }
  const written = answerInParts(Deep, deep, CHECKED)
  const whole = Deep.parse({ status: true, data: { ...answer, rows: [] } })
  expect(written && JSON.parse(await text(written))).toEqual(whole)
})

test.each([[0], [60]])(
  'T16 the rows of a list leave without what the call does not name, after %i others',
  async (others) => {
    const secrets = [...rows.slice(0, others), { id: 1, title: 'a', secret: 'planted' }]
    const given = { status: true, data: secrets, rows: [], total: 1, secret: 'planted' }
    const [cut, checked] = await Promise.all(
      [CUT, CHECKED].map(async (shape) => shapeInSlices(Reply, given, shape)),
    )
    expect(cut).toEqual(checked)
    expect(JSON.stringify(cut)).not.toContain('planted')
    const parts = answerInParts(Reply, { ...given, data: partsOf(secrets, 100) }, CUT)
    expect(parts && (await text(parts))).not.toContain('planted')
  },
)

test('tests are told when a list answers what its contract does not have', async () => {
  expect(await shapeInSlices(Reply, answer, COMPARED)).toEqual(Reply.parse(answer))
  const broken = { ...answer, total: '1001' }
  await expect(shapeInSlices(Reply, broken, COMPARED)).rejects.toThrow(z.ZodError)
})
