import { Passphrase } from '@trunkline/contract/text.schema'
import { expect, test } from 'vitest'
import { newPassphrase } from './passphrase.ts'

test('decisions 13: what is generated is always taken, and never twice the same', () => {
  const made = Array.from({ length: 200 }, newPassphrase)
  expect(made.filter((item) => !Passphrase.safeParse(item).success)).toEqual([])
  expect(made.filter((item) => item.length !== 32)).toEqual([])
  expect(new Set(made).size).toBe(made.length)
})
