/** Holds the whole source to the rules of ARCHITECTURE.md; each rule is tried in tools/arch. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { checkFiles } from './arch/file-rules.ts'
import { checkImports } from './arch/import-rules.ts'
import { checkRoutes } from './arch/route-rules.ts'
import type { SourceFile } from './arch/source.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['contract', 'console', 'api', 'agent', 'testbed']
const files = [...packages.map((name) => `packages/${name}/src`), 'tools', 'e2e', 'bench'].flatMap(
  sourcesIn,
)

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

test('every import keeps to the rooms', () => {
  expect(checkImports(files)).toEqual([])
})

test('every outside thing has its one door, every file a telling name and a bearable size', () => {
  expect(checkFiles(files)).toEqual([])
})

test('every call of the contract is mounted exactly once', () => {
  expect(checkRoutes(files)).toEqual([])
})
