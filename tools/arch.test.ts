/** Holds the whole source to the rules of ARCHITECTURE.md; each rule is tried in tools/arch. */
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { checkFiles, checkFolders } from './arch/file-rules.ts'
import { checkImports } from './arch/import-rules.ts'
import { checkRoutes } from './arch/route-rules.ts'
import type { SourceFile } from './arch/source.ts'
import { checkWording } from './arch/wording-rules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['contract', 'console', 'api', 'agent', 'testbed']
const folders = [...packages.map((name) => `packages/${name}/src`), 'tools', 'e2e', 'bench']
const files = folders.flatMap(sourcesIn)

function sourcesIn(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
    .map((name) => ({
      path: `${folder}/${name}`,
      text: readFileSync(join(root, folder, name), 'utf8'),
    }))
}

test('every package has sources to be held to the rules', () => {
  for (const name of packages) {
    const own = files.filter((file) => file.path.startsWith(`packages/${name}/`))
    expect(own.length, name).toBeGreaterThan(0)
  }
})

test('every import follows the rules of the folders', () => {
  expect(checkImports(files)).toEqual([])
})

test('every outside API has a single door, every file a proper name and size', () => {
  expect(checkFiles(files)).toEqual([])
})

test('no folder has more than 30 files, styles and tests counted', () => {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name))),
  )
  expect(checkFolders(paths)).toEqual([])
})

test('every call of the contract is mounted exactly once', () => {
  expect(checkRoutes(files)).toEqual([])
})

test('names and texts use no banned words', () => {
  expect(checkWording(files)).toEqual([])
})
