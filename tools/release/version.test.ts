import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../setup.mjs'
import { assertLater, withProductVersion, withRelease, withVersion } from './version.mjs'

test.each(['0.1.1', '0.2.0', '1.0.0', '0.10.0'])('0.1.0 may become %s', (next) => {
  expect(() => assertLater('0.1.0', next)).not.toThrow()
})

test.each([
  ['0.1.0', /not later than 0\.1\.0/],
  ['0.0.9', /not later/],
  ['v1.0.0', /is no version/],
  ['', /is no version/],
  ['1.0.0-rc1', /is no version/],
])('0.1.0 does not become %j', (next, words) => {
  expect(() => assertLater('0.1.0', next)).toThrow(words)
})

test('every version of our own in the project is raised, and no other', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  for (const file of ['package.json', 'packages/api/package.json', 'package-lock.json']) {
    const text = readFileSync(join(root, file), 'utf8')
    const raised = withVersion(text, version, '99.0.0')
    const own =
      /"@trunkline\/[a-z]+": "\d|"name": "(?:trunkline|@trunkline\/[a-z]+)",\s+"version": /g
    expect(raised.split('"99.0.0"').length - 1, file).toBe(text.match(own)?.length)
    expect(withVersion(raised, '99.0.0', version)).toBe(text)
  }
  const product = readFileSync(join(root, 'packages/contract/src/product.ts'), 'utf8')
  expect(withProductVersion(product, version, '99.0.0')).toContain("PRODUCT_VERSION = '99.0.0'")
})

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 - 2026-01-01\n'

test('the unreleased entries get the version and the date, and a new empty section follows', () => {
  expect(withRelease(CHANGELOG, '0.2.0', '2026-05-03')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-05-03\n\n### Added\n\n- A thing.\n\n## 0.1.0 - 2026-01-01\n',
  )
})

test('a release without changes is refused', () => {
  const empty = '# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-01-01\n\n- A thing.\n'
  expect(() => withRelease(empty, '0.2.0', '2026-05-03')).toThrow('nothing under "## Unreleased"')
})
