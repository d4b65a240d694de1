/**
 * Values by the schema of a call, for requests that get past its first check as often as not, and now
 * and then something that no schema expects.
 */
import fc from 'fast-check'
import { z } from 'zod'
import { knownTexts } from './known-texts.ts'

/** As far as the schemas of the contract use it. */
interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

export const HOSTILE: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\r\nX-Evil: 1',
  '"; drop table users;--',
  "' or 1=1 --",
  '$(reboot) `id`',
  '%s%n',
  '../../etc/passwd',
  '<img src=x onerror=alert(1)>',
  'x'.repeat(10_000),
  '__proto__',
  'constructor',
  '\ud800',
  '*" OR "',
  '1e400',
  'NaN',
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  null,
  true,
  [],
  {},
  { __proto__: null, toString: 1 },
  [[[[[[]]]]]],
]
/** Of a hundred leaves so many are hostile, and fields are dropped or added. */
const SPOILED_OF_100 = 3
const MOST_DEPTH = 12

/** With stand-ins for texts that mean something to a site, such as its ids. */
export function valuesOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return new Values(json.$defs ?? {}).of(json, 0)
}

const TYPED = ['127.0.0.1', '192.0.2.9', 'gw.example.org', 'a@b.cc', '6000', 'a good long text']
const TEXTS = fc.oneof(
  { weight: 6, arbitrary: knownTexts() },
  { weight: 3, arbitrary: fc.constantFrom(...TYPED) },
  { weight: 2, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
)

class Values {
  readonly #defs: Record<string, JsonSchema>

  constructor(defs: Record<string, JsonSchema>) {
    this.#defs = defs
  }

  of(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const usual = depth > MOST_DEPTH ? fc.constant(null) : this.#usual(schema, depth)
    return fc.oneof(
      { weight: 100 - SPOILED_OF_100, arbitrary: usual },
      { weight: SPOILED_OF_100, arbitrary: fc.constantFrom(...HOSTILE) },
    )
  }

  #usual(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined) return this.of(this.#defined(schema.$ref), depth + 1)
    if ('const' in schema) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return fc.oneof(...choices.map((each) => this.of(each, depth + 1)))
    if (schema.allOf !== undefined) return this.#all(schema.allOf, depth)
    switch (schema.type) {
      case 'object':
        return this.#object(schema, depth)
      case 'array':
        return this.#array(schema, depth)
      case 'string':
        return this.#text(schema)
      case 'integer':
      case 'number':
        return this.#number(schema)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case undefined:
      default:
        return fc.oneof(TEXTS, fc.integer({ min: 0, max: 70_000 }), fc.boolean())
    }
  }

  #defined(ref: string): JsonSchema {
    return this.#defs[ref.replace('#/$defs/', '')] ?? {}
  }

  /** Of objects that are put together. */
  #all(parts: readonly JsonSchema[], depth: number): fc.Arbitrary<unknown> {
    return fc
      .tuple(...parts.map((part) => this.of(part, depth + 1)))
      .map((values) => Object.assign({}, ...values.filter(isObject)) as unknown)
  }

  #object(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const { properties = {}, required = [], additionalProperties } = schema
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, this.of(each, depth + 1)]),
    )
    const whole = fc.record(fields)
    // By accident a field is missing, or there is one more.
    const partly = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
    const lacking = fc.record(fields, { requiredKeys: [] })
    const more = fc.tuple(whole, TEXTS, TEXTS).map(([value, name, text]) => ({
      ...value,
      [name]: text,
    }))
    const known = fc.oneof(
      { weight: 45, arbitrary: whole },
      { weight: 45, arbitrary: partly },
      { weight: 6, arbitrary: lacking },
      { weight: 2, arbitrary: more },
    )
    if (typeof additionalProperties !== 'object') return known
    const others = fc.dictionary(TEXTS, this.of(additionalProperties, depth + 1), {
      maxKeys: 4,
    })
    return fc.tuple(known, others).map(([value, added]) => ({ ...added, ...value }))
  }

  #array(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const { items = {}, prefixItems, minItems = 0, maxItems = 4 } = schema
    if (prefixItems !== undefined) {
      return fc.tuple(...prefixItems.map((each) => this.of(each, depth + 1)))
    }
    const usual = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) }
    return fc.array(this.of(items, depth + 1), usual)
  }

  #text({ minLength = 0, maxLength = 200 }: JsonSchema): fc.Arbitrary<unknown> {
    const fitting = fc.string({
      minLength,
      maxLength: Math.max(minLength, Math.min(maxLength, 60)),
    })
    const atLimits = fc.constantFrom(
      'y'.repeat(minLength),
      'y'.repeat(Math.min(maxLength, 5000)),
      'y'.repeat(Math.min(maxLength, 5000) + 1),
    )
    return fc.oneof(
      { weight: 8, arbitrary: TEXTS },
      { weight: 3, arbitrary: fitting },
      { weight: 1, arbitrary: atLimits },
    )
  }

  #number({ minimum, maximum, type }: JsonSchema): fc.Arbitrary<unknown> {
    const min = Math.max(minimum ?? -1, -1e9)
    const max = Math.max(min, Math.min(maximum ?? 70_000, 1e9))
    const inside =
      type === 'integer'
        ? fc.integer({ min: Math.ceil(min), max })
        : fc.double({ min, max, noNaN: true })
    return fc.oneof(
      { weight: 8, arbitrary: inside },
      { weight: 1, arbitrary: fc.constantFrom(min, max, min - 1, max + 1) },
      // Numeric text is taken for every number (decisions.md 39).
      { weight: 1, arbitrary: inside.map(String) },
    )
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
