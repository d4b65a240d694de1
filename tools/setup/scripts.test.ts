import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('npm runs no script of a package: one would fetch headers from elsewhere and ask for a compiler', () => {
  const settings = readFileSync(join(import.meta.dirname, '../../.npmrc'), 'utf8')
  expect(settings).toMatch(/^ignore-scripts=true$/m)
})
