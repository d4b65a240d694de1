import { Passphrase } from '@trunkline/contract/text.schema'
import { expect, test } from 'vitest'
import { newPassphrase } from './GenerateKey.tsx'

test('decisions 13: a generated passphrase is always valid, and never the same twice', () => {
  const made = Array.from({ length: 200 }, newPassphrase)
  expect(made.filter((item) => !Passphrase.safeParse(item).success)).toEqual([])
  expect(made.filter((item) => item.length !== 32)).toEqual([])
  expect(new Set(made).size).toBe(made.length)
})
