/** One rule for the numeric fields of every call: digits are taken, empty text means not set. */
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { allCalls } from '../testing/all-calls.ts'

interface NumericField {
  /** Call and dotted path. */
  name: string
  schema: z.ZodType
}

/** The fields of a body or query whose value is a number and nothing else, with what wraps them. */
function numericFields(schema: z.core.$ZodType, name: string): NumericField[] {
  if (isNumeric(schema)) return [{ name, schema: schema as z.ZodType }]
  const { def } = schema as z.ZodType & { def: Record<string, unknown> }
  return children(def).flatMap(([key, inner]) => numericFields(inner, `${name}${key}`))
}

function children(def: Record<string, unknown>): [string, z.core.$ZodType][] {
  if (def['shape'] !== undefined) {
    const fields = Object.entries(def['shape'] as Record<string, z.core.$ZodType>)
    return fields.map(([key, inner]) => [`.${key}`, inner])
  }
  if (Array.isArray(def['options'])) {
    // Beside text, as in an id or a place in a list, a number is no numeric field.
    const options = (def['options'] as z.core.$ZodType[]).filter((inner) => !isNumeric(inner))
    return options.map((inner) => ['', inner])
  }
  const inner = ['element', 'innerType', 'in', 'out'].map((part) => def[part])
  return inner.filter((item) => item !== undefined).map((item) => ['', item as z.core.$ZodType])
}

/** Alike for a bare number, a choice of numbers, and either with a default or before a change. */
function isNumeric(schema: z.core.$ZodType): boolean {
  const { def } = schema as z.ZodType & { def: Record<string, unknown> }
  const parts = (PARTS_THAT_ARE_THE_VALUE[String(def['type'])] ?? []).flatMap((part) => def[part])
  switch (def['type'] as string) {
    case 'number':
      return true
    case 'literal':
      return (def['values'] as unknown[]).every((value) => typeof value === 'number')
    case 'union':
      return numericOptions(def['options'] as z.core.$ZodType[])
    default:
      return parts.some((part) => isNumeric(part as z.core.$ZodType))
  }
}

/** What wraps a value, and not an object or a list around it. */
const PARTS_THAT_ARE_THE_VALUE: Readonly<Record<string, readonly string[]>> = {
  optional: ['innerType'],
  default: ['innerType'],
  nullable: ['innerType'],
  pipe: ['in', 'out'],
}

/** Switches are 0 and 1, or false and true; what may be any text is no number. */
function numericOptions(options: readonly z.core.$ZodType[]): boolean {
  const numeric = options.filter(isNumeric)
  const others = options.filter((option) => !isNumeric(option))
  return numeric.length > 0 && others.every((other) => (other as z.ZodType).def.type === 'boolean')
}

const SAMPLES = [0, 1, 2, 12, 20, 32, 128, 500, 720, 1024, 200_000, 1_700_000_000_000]

const fields = (await allCalls()).flatMap(({ name, body, query }) => [
  ...numericFields(body, `${name} body`),
  ...numericFields(query, `${name} query`),
])

test('IN-FORM-24 the numeric fields of every call are found', () => {
  const names = new Set(fields.map(({ name }) => name))
  for (const name of [
    'servers.add body.port',
    'inputs.add body.config.profile',
    'outputs.update body.encryption.type',
    'encoders.update body.config.video-stream.bitrate',
    'feeders.save body.feederPost.output.pbkeylen',
    'contributions.action body.type',
    'inputs.list query.rowsPerPage',
    'users.update body.version',
  ]) {
    expect(names).toContain(name)
  }
})

test.each(fields)('IN-FORM-24 decisions 39 $name takes digits as text', ({ schema }) => {
  const taken = SAMPLES.filter((sample) => schema.safeParse(sample).success)
  expect(taken).not.toEqual([])
  for (const sample of taken) {
    expect(schema.parse(String(sample))).toEqual(schema.parse(sample))
    expect(schema.parse(` ${sample} `)).toEqual(schema.parse(sample))
  }
  expect(schema.safeParse('12x').success).toBe(false)
})

test.each(fields)('IN-FORM-24 decisions 39 $name: empty text means not set', ({ schema }) => {
  const unset = schema.safeParse(undefined)
  for (const empty of ['', ' ']) {
    const sent = schema.safeParse(empty)
    expect([sent.success, sent.data]).toEqual([unset.success, unset.data])
  }
})
