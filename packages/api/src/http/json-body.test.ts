import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBody } from './json-body.ts'

test('every JSON within the depth limit is read as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
      fc.pre(!JSON.stringify(value).includes('__proto__'))
      expect(parseBody(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a field that would be a prototype is refused, however it is written', () => {
  for (const name of ['__proto__', String.raw`\u005f_proto__`, String.raw`__\u0070roto__`]) {
    expect(() => parseBody(`{"a":[{"${name}":{}}]}`), name).toThrow("no field '__proto__' here")
  }
})

test('brackets inside text do not count as depth', () => {
  const text = `${'['.repeat(100)}"\\`
  expect(parseBody(JSON.stringify({ text }))).toEqual({ text })
})

test('an error never quotes the body: it may hold a password', () => {
  expect(() => parseBody('{"password":"secret"')).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('secret') as string }) as Error,
  )
})

test('a NUL is refused by the whole path of its field', () => {
  const body = { config: { output: [{ target: 'a\0' }] } }
  expect(() => parseBody(JSON.stringify(body))).toThrow(
    'config.output.0.target must not hold the character NUL. Remove it.',
  )
})
