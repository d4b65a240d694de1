/** A JSON Schema as the list of its fields, for a table: pure. */
import type { JsonSchema } from '@trunkline/contract/open-api/open-api.schema'

export interface SchemaField {
  /** Dotted, with [] for each item of a list: 'config.paths[].host'; '' for the value as a whole. */
  name: string
  /** 'text', 'whole number', 'list of objects', '"start" or "stop"'. */
  type: string
  isRequired: boolean
  /** '1 to 120 characters, default ""'; '' for none. */
  limits: string
}

/** A schema that contains itself, or has very many fields, is cut off there. */
const DEEPEST = 8

/** In the order of the schema. `isRequired`: of the value as a whole. */
export function fieldsOf(schema: JsonSchema, name = '', isRequired = true): SchemaField[] {
  const type = typeOf(schema)
  const own: SchemaField = { name, type, isRequired, limits: limitsOf(schema) }
  const inner = name.split('.').length > DEEPEST ? [] : innerFields(schema, name)
  // The outermost object is the body itself: its fields say all.
  return name === '' && inner.length > 0 ? inner : [own, ...inner]
}

function innerFields(schema: JsonSchema, name: string): SchemaField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const prefix = name === '' ? '' : `${name}.`
  const properties = Object.entries(asSchema(schema['properties'])).flatMap(([key, value]) =>
    fieldsOf(asSchema(value), `${prefix}${key}`, required.includes(key)),
  )
  const others = asSchema(schema['additionalProperties'])
  const any = Object.keys(others).length === 0 ? [] : fieldsOf(others, `${prefix}<name>`, false)
  const items = 'items' in schema ? innerFields(asSchema(schema['items']), `${name}[]`) : []
  return [
    ...properties,
    ...any,
    ...items,
    ...alternatives(schema).flatMap((each) => innerFields(each, name)),
  ]
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  const lists = ['anyOf', 'oneOf', 'allOf'].map((key) => schema[key])
  return lists.flatMap((list) => (Array.isArray(list) ? list.map(asSchema) : []))
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
}

function typeOf(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((value) => JSON.stringify(value)).join(' or ')
  if (schema['type'] === 'array') return `list of ${typeOf(asSchema(schema['items']))}`
  if (typeof schema['type'] === 'string') return TYPE_WORDS[schema['type']] ?? schema['type']
  const words = [...new Set(alternatives(schema).map(typeOf))]
  return words.length === 0 ? 'any' : words.join(' or ')
}

function limitsOf(schema: JsonSchema): string {
  const parts = [
    range(schema['minLength'], schema['maxLength'], ' characters'),
    range(schema['minimum'], schema['maximum'], ''),
    range(schema['minItems'], schema['maxItems'], ' items'),
    'default' in schema ? `default ${JSON.stringify(schema['default'])}` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function range(min: unknown, max: unknown, unit: string): string {
  if (typeof max === 'number') {
    // JSON Schema writes the largest whole number for none.
    if (max >= Number.MAX_SAFE_INTEGER) return range(min, undefined, unit)
    return typeof min === 'number' ? `${min} to ${max}${unit}` : `at most ${max}${unit}`
  }
  return typeof min === 'number' && min > -Number.MAX_SAFE_INTEGER ? `at least ${min}${unit}` : ''
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {}
}
