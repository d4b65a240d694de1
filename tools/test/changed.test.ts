import { expect, test } from 'vitest'
import { changedPackages, quickKinds } from './changed.mjs'
import { kinds } from './kinds.mjs'

test('packages with a changed file are tested by a quick run, others are not', () => {
  const files = ['packages/api/src/app.ts', 'packages/contract/src/route.ts', 'README.md']
  expect(changedPackages(files)).toEqual(['api'])
  expect(changedPackages(['packages/apis/a.ts', 'docs/packages/api/a.md'])).toEqual([])
})

test('a quick run has format, lint, types, rules and unit tests first', () => {
  const names = quickKinds(kinds).map(({ name }) => name)
  expect(names.slice(0, 5)).toEqual(['format', 'lint', 'types', 'rules', 'unit'])
})
