import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const API = join(import.meta.dirname, '../../../dist/main.js')

test('the built API is in ASCII, so that V8 holds its source with a byte for each letter', () => {
  expect(readFileSync(API).findIndex((byte) => byte > 0x7f)).toBe(-1)
})
