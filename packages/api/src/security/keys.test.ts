import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { keysFrom, SECRET_BYTES } from './keys.ts'

const keys = keysFrom(randomBytes(SECRET_BYTES))

test('T9 every text comes back as it went in, and never the same twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const sealed = keys.seal(text)
      expect(keys.open(sealed)).toBe(text)
      expect(keys.seal(text)).not.toBe(sealed)
    }),
  )
})

test('T9 sealed text does not hold the secret, but names its key', () => {
  const sealed = keys.seal('a very secret passphrase')
  expect(sealed).not.toContain('secret')
  expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain(
    'secret',
  )
  expect(sealed.startsWith(`v1.${keys.id}.`)).toBe(true)
})

test('T9 another installation’s key opens nothing', () => {
  const other = keysFrom(randomBytes(SECRET_BYTES))
  expect(() => other.open(keys.seal('x'))).toThrow(/another key/)
})

test('T9 a changed byte is noticed', () => {
  const [format, id, body = ''] = keys.seal('a passphrase').split('.')
  const bytes = Buffer.from(body, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8((changed.readUInt8(at) ^ 1) & 255, at)
    expect(() => keys.open(`${format}.${id}.${changed.toString('base64url')}`)).toThrow(/damaged/)
  }
  for (const wrong of ['', 'v1', `v1.${keys.id}.`, 'plain text', `v2.${keys.id}.${body}`]) {
    expect(() => keys.open(wrong)).toThrow(/damaged|another key/)
  }
})

test('tokens and secrets at rest have keys of their own', () => {
  const secret = randomBytes(SECRET_BYTES)
  expect(keysFrom(secret).tokenSecret.equals(secret)).toBe(false)
  expect(keysFrom(secret).id).toBe(keysFrom(secret).id)
})

test('W3 what was unsealed before stays right, however many others were unsealed since', () => {
  const texts = Array.from({ length: 6000 }, (_, at) => `text ${at}`)
  const sealed = texts.map((text) => keys.seal(text))
  expect(sealed.map((each) => keys.open(each))).toEqual(texts)
  expect(sealed.map((each) => keys.open(each))).toEqual(texts)
})
