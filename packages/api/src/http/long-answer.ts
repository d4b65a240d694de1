/** An answer with a long list: checked and written in slices, so that other calls have their turn. */
import { Readable } from 'node:stream'
import { z } from 'zod'
import { giveWay, type InParts, mapInSlices } from '../in-slices.ts'
import { knownFields } from '../known-fields.ts'

/** How an answer is brought to what its call names. Throws for what the call does not have. */
export type Shape = (schema: z.ZodType, answer: unknown) => unknown

/** Looked over field by field. */
export const CHECKED: Shape = (schema, answer) => schema.parse(answer)

/** What the call does not name is cut off; the rest is as the compiler and the database have it. */
export const CUT: Shape = knownFields

/** For tests: both, which are the same. */
export const COMPARED: Shape = (schema, answer) => {
  const [cut, checked] = [knownFields(schema, answer), schema.parse(answer)]
  if (JSON.stringify(cut) === JSON.stringify(checked)) return cut
  throw new Error(`Cut to ${JSON.stringify(cut)}, checked it is ${JSON.stringify(checked)}.`)
}

/** Shorter lists are done in a few milliseconds. */
const LONG_ROWS = 60
/** Fifty encoders with all their settings are written in a millisecond or two. */
const ROWS_AT_ONCE = 50

/** As `shape` alone. */
export async function shapeInSlices(
  schema: z.ZodType,
  answer: unknown,
  shape: Shape,
): Promise<unknown> {
  const lists = schema instanceof z.ZodObject ? longListsOf(schema, answer) : []
  if (lists.length === 0) return shape(schema, answer)
  const empty = Object.fromEntries(lists.map(({ name }) => [name, []]))
  const shaped = shape(schema, { ...(answer as object), ...empty }) as Record<string, unknown>
  for (const [at, { name, rows, element }] of lists.entries()) {
    // Often the same list under two names.
    const same = lists.slice(0, at).find((list) => list.rows === rows && list.element === element)
    shaped[name] = same ? shaped[same.name] : await mapInSlices(rows, (row) => shape(element, row))
  }
  return shaped
}

/**
 * The answer as JSON, where one of its lists comes in parts; null where none does. Each part is
 * shaped and written as it is read. Throws for what is wrong beside these lists; what is wrong in a
 * part ends the answer before its end.
 */
export function answerInParts(schema: z.ZodType, answer: unknown, shape: Shape): Readable | null {
  if (!holdsParts(answer)) return null
  const shaped = shape(schema, withoutParts(answer))
  return Readable.from(written(schema, shaped, answer, shape), { objectMode: false })
}

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isInParts(value: unknown): value is InParts<unknown> {
  return isFields(value) && Symbol.asyncIterator in value
}

function holdsParts(value: unknown): boolean {
  return isInParts(value) || (isFields(value) && Object.values(value).some(holdsParts))
}

/** With an empty list in place of each that comes in parts. */
function withoutParts(value: unknown): unknown {
  if (isInParts(value)) return []
  if (!isFields(value) || !holdsParts(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutParts(each)]))
}

async function* written(
  schema: z.ZodType,
  shaped: unknown,
  given: unknown,
  shape: Shape,
): AsyncGenerator<string> {
  if (isInParts(given) && schema instanceof z.ZodArray) {
    yield* writtenRows(given, schema.element as z.ZodType, shape)
  } else if (holdsParts(given) && schema instanceof z.ZodObject) {
    const [checked, all] = [shaped as Fields, given as Fields]
    const names = Object.keys(checked).filter((name) => checked[name] !== undefined)
    for (const [at, name] of names.entries()) {
      yield `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`
      yield* written(schema.shape[name] as z.ZodType, checked[name], all[name], shape)
    }
    yield '}'
  } else yield JSON.stringify(shaped)
}

async function* writtenRows(
  parts: InParts<unknown>,
  element: z.ZodType,
  shape: Shape,
): AsyncGenerator<string> {
  let begin = '['
  for await (const rows of parts) {
    const written = await mapInSlices(rows, (row) => JSON.stringify(shape(element, row)))
    if (written.length > 0) yield begin + written.join(',')
    if (written.length > 0) begin = ','
    await giveWay()
  }
  yield begin === '[' ? '[]' : ']'
}

interface LongList {
  name: string
  rows: readonly unknown[]
  element: z.ZodType
}

function longListsOf(schema: z.ZodObject, answer: unknown): LongList[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).flatMap(([name, rows]): LongList[] => {
    const list: unknown = schema.shape[name]
    if (!Array.isArray(rows) || rows.length < LONG_ROWS || !(list instanceof z.ZodArray)) return []
    return [{ name, rows, element: list.element as z.ZodType }]
  })
}

/** As JSON, in parts; null for an answer that is short enough to be written at once. */
export function jsonInSlices(answer: unknown): Readable | null {
  if (typeof answer !== 'object' || answer === null) return null
  const entries = Object.entries(answer).filter(([, value]) => value !== undefined)
  const isLong = entries.some(([, value]) => Array.isArray(value) && value.length >= LONG_ROWS)
  return isLong ? Readable.from(partsOf(entries), { objectMode: false }) : null
}

async function* partsOf(entries: readonly [string, unknown][]): AsyncGenerator<string> {
  for (const [at, [name, value]] of entries.entries()) {
    yield `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`
    if (Array.isArray(value)) yield* listParts(value)
    else yield JSON.stringify(value)
  }
  yield '}'
}

async function* listParts(rows: readonly unknown[]): AsyncGenerator<string> {
  if (rows.length === 0) yield '[]'
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const part = JSON.stringify(rows.slice(from, from + ROWS_AT_ONCE)).slice(1, -1)
    const isLast = from + ROWS_AT_ONCE >= rows.length
    yield `${from === 0 ? '[' : ','}${part}${isLast ? ']' : ''}`
    await giveWay()
  }
}
