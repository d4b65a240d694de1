import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** What Node 20 does not have, as far as somebody might write it in a tool. */
const NEWER_THAN_20 =
  /\b(Map|Object)\.groupBy\b|\bwithResolvers\b|\bArray\.fromAsync\b|\.(union|intersection|difference|isSubsetOf)\(|\b(await )?using \w+ =|\bRegExp\.escape\b|\bglobSync\b|\bPromise\.try\b|\bimport\.meta\.(dirname|filename)\b/

test('decisions 23 the tools that run before Node 24 is installed run on Node 20', () => {
  const files = globSync(['tools/**/*.mjs', 'packages/*/bin/*.mjs'], { cwd: root })
  expect(files).toContain('tools/test/counts.mjs')
  const newer = files.filter((file) => NEWER_THAN_20.test(readFileSync(join(root, file), 'utf8')))
  expect(newer).toEqual([])
})
