/**
 * What a schema names of a value, and nothing else: as `schema.parse`, without the checks. For what
 * was checked when it was written, by the compiler or by this program: rows of the database, answers
 * of services. Absent fields that have a default get it.
 */
import { z } from 'zod'

type Cut = (value: unknown) => unknown

const known = new WeakMap<z.ZodType, Cut>()

/** Of one value of this schema, which is made ready once. */
export function knownFields<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  return cutterOf(schema)(value) as z.output<T>
}

function cutterOf(schema: z.ZodType): Cut {
  const made = known.get(schema)
  if (made !== undefined) return made
  const cut = makeCutter(schema)
  known.set(schema, cut)
  return cut
}

const same: Cut = (value) => value

function makeCutter(schema: z.ZodType): Cut {
  if (schema instanceof z.ZodObject) return objectCutter(schema)
  if (schema instanceof z.ZodArray) return arrayCutter(schema.element as z.ZodType)
  if (schema instanceof z.ZodTuple || schema instanceof z.ZodRecord) return checked(schema)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const inner = cutterOf(schema.unwrap() as z.ZodType)
    return inner === same
      ? same
      : (value) => (value === undefined || value === null ? value : inner(value))
  }
  if (schema instanceof z.ZodDefault) {
    const inner = cutterOf(schema.unwrap() as z.ZodType)
    return (value) => (value === undefined ? schema.parse(undefined) : inner(value))
  }
  if (schema instanceof z.ZodDiscriminatedUnion) return variantCutter(schema)
  if (schema instanceof z.ZodUnion) {
    return (schema.options as z.ZodType[]).every(isPlain) ? same : checked(schema)
  }
  // What `preprocess` and `pipe` put before the last shape is for what people type.
  if (schema instanceof z.ZodPipe && !(schema.out instanceof z.ZodTransform)) {
    return cutterOf(schema.out as z.ZodType)
  }
  if (schema instanceof z.ZodPipe && isPlain(schema.in as z.ZodType)) return same
  return PLAIN.some((plain) => schema instanceof plain) ? same : checked(schema)
}

/** Without fields of their own. What is unknown is whatever was put there. */
const PLAIN = [
  z.ZodString,
  z.ZodStringFormat,
  z.ZodNumber,
  z.ZodBoolean,
  z.ZodNull,
  z.ZodLiteral,
  z.ZodEnum,
  z.ZodUnknown,
] as const

function isPlain(schema: z.ZodType): boolean {
  return cutterOf(schema) === same
}

/** By the schema itself: for shapes that no long list has. */
function checked(schema: z.ZodType): Cut {
  return (value) => schema.parse(value)
}

function objectCutter(schema: z.ZodObject): Cut {
  const { catchall } = schema.def
  if (catchall !== undefined && !(catchall instanceof z.ZodNever)) return checked(schema)
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(
    ([name, field]) => [name, cutterOf(field)] as const,
  )
  return (value) => {
    const given = value as Record<string, unknown>
    const cut: Record<string, unknown> = {}
    for (const [name, cutField] of fields) {
      const field = cutField === same ? given[name] : cutField(given[name])
      if (field !== undefined) cut[name] = field
    }
    return cut
  }
}

function arrayCutter(element: z.ZodType): Cut {
  const cut = cutterOf(element)
  return cut === same ? same : (value) => (value as unknown[]).map(cut)
}

/** Such as an audio stream, whose fields follow from its format. */
function variantCutter(schema: z.ZodDiscriminatedUnion): Cut {
  const { discriminator } = schema.def
  const variants = new Map<unknown, Cut>()
  for (const option of schema.options as z.ZodObject[]) {
    const names: unknown = option.shape[discriminator]
    if (!(names instanceof z.ZodLiteral)) return checked(schema)
    for (const name of names.values) variants.set(name, cutterOf(option))
  }
  return (value) => {
    const cut = variants.get((value as Record<string, unknown>)[discriminator])
    return cut === undefined ? schema.parse(value) : cut(value)
  }
}
