import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '../setup.mjs'
import { kinds } from './kinds.mjs'

const Configuration = z.object({
  extends: z.string(),
  compilerOptions: z.record(z.string(), z.unknown()).default({}),
  include: z.array(z.string()),
})
const PACKAGES = join(root, 'packages')
const SHARED = 'packages/tsconfig.node.json'

/** With the files that it names from the root. */
function read(file: string) {
  const parsed = Configuration.parse(JSON.parse(readFileSync(join(root, file), 'utf8')))
  const fromRoot = (path: string) => relative(root, join(root, file, '..', path))
  return {
    options: parsed.compilerOptions,
    base: fromRoot(parsed.extends),
    files: parsed.include.map(fromRoot),
  }
}

const programs =
  kinds
    .find(({ name }) => name === 'types')
    ?.jobs('')
    .map(({ argv }) => argv[argv.indexOf('-p') + 1] ?? '') ?? []
const packages = readdirSync(PACKAGES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `packages/${name}`)

test('each package is checked, by itself or with the others that run on Node, with its own options', () => {
  const shared = read(SHARED)
  const differing = packages
    .filter((folder) => !programs.includes(folder))
    .filter((folder) => {
      const own = read(`${folder}/tsconfig.json`)
      const isSame =
        JSON.stringify([own.base, own.options]) === JSON.stringify([shared.base, shared.options])
      return !isSame || own.files.some((file) => !shared.files.includes(file))
    })
  expect(programs).toContain(SHARED)
  expect(differing).toEqual([])
})
