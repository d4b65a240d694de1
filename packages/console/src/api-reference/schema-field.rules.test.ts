import { expect, test } from 'vitest'
import { fieldsOf } from './schema-field.rules.ts'

test('the fields of an object are listed with type, limits and whether they are required', () => {
  const fields = fieldsOf({
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 120 },
      config: {
        type: 'object',
        properties: { port: { type: 'integer', minimum: 1024, maximum: 65535 } },
        required: ['port'],
      },
      mode: { default: 'Listen', type: 'string', enum: ['Listen', 'Push'] },
    },
    required: ['title'],
  })
  expect(
    fields.map(({ name, type, isRequired, limits }) => [name, type, isRequired, limits]),
  ).toEqual([
    ['title', 'text', true, '1 to 120 characters'],
    ['config', 'object', false, ''],
    ['config.port', 'whole number', true, '1024 to 65535'],
    ['mode', '"Listen" or "Push"', false, 'default "Listen"'],
  ])
})

test('lists, alternatives and records name what is in them', () => {
  const fields = fieldsOf({
    type: 'object',
    properties: {
      rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
      host: {
        anyOf: [
          { type: 'string', const: '' },
          { type: 'string', maxLength: 253 },
        ],
      },
      families: { type: 'object', additionalProperties: { type: 'number' } },
      at: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      more: {},
    },
  })
  expect(fields.map(({ name, type }) => `${name}: ${type}`)).toEqual([
    'rows: list of object',
    'rows[].id: text',
    'host: "" or text',
    'families: object',
    'families.<name>: number',
    'at: number or null',
    'more: any',
  ])
})

test('a value that is no object is listed without a name', () => {
  expect(fieldsOf({ type: 'integer', minimum: 0, maximum: 9007199254740991 })).toEqual([
    { name: '', type: 'whole number', isRequired: true, limits: 'at least 0' },
  ])
})
