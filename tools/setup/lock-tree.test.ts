import { expect, test } from 'vitest'
import { isSameTree } from './lock-tree.mjs'

const lock = {
  packages: {
    '': { version: '0.1.0' },
    'packages/api': { version: '0.1.0' },
    'node_modules/@trunkline/api': { link: true },
    'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' },
    'packages/api/node_modules/ws': { version: '8.0.0', integrity: 'sha512-b' },
    'node_modules/for-windows': { version: '1.0.0', integrity: 'sha512-c', optional: true },
  },
}
const installed = {
  packages: {
    'node_modules/@trunkline/api': { link: true },
    'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' },
    'packages/api/node_modules/ws': { version: '8.0.0', integrity: 'sha512-b' },
  },
}

function withPackage(path: string, entry: object | undefined) {
  return { packages: { ...installed.packages, [path]: entry } } as typeof installed
}

test('installed packages are used when every version agrees', () => {
  expect(isSameTree(lock, installed)).toBe(true)
})

test('a missing, an older and a swapped package are seen', () => {
  expect(isSameTree(lock, withPackage('node_modules/zod', undefined))).toBe(false)
  expect(isSameTree(lock, withPackage('node_modules/zod', { version: '4.6.6' }))).toBe(false)
  const swapped = { version: '4.6.7', integrity: 'sha512-x' }
  expect(isSameTree(lock, withPackage('node_modules/zod', swapped))).toBe(false)
  expect(isSameTree(lock, withPackage('packages/api/node_modules/ws', undefined))).toBe(false)
})

test('an optional package may be absent, but not of another version', () => {
  const other = { version: '2.0.0', integrity: 'sha512-c' }
  expect(isSameTree(lock, withPackage('node_modules/for-windows', other))).toBe(false)
})

test('a command that a workspace offers and npm has not linked yet is seen', () => {
  const offering = { version: '0.1.0', bin: { trunkline: 'bin/trunkline.mjs' } }
  const offered = { packages: { ...lock.packages, 'packages/api': offering } }
  expect(isSameTree(offered, withPackage('packages/api', { version: '0.1.0' }))).toBe(false)
  expect(isSameTree(offered, withPackage('packages/api', offering))).toBe(true)
})

test('no record of npm, or a broken one, means that nothing is known', () => {
  expect(isSameTree(lock, undefined)).toBe(false)
  expect(isSameTree({}, installed)).toBe(false)
})
