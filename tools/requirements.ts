/**
 * Prints every requirement of docs/requirements.md with the tests that carry its ID in their names:
 * `npm run requirements`. Ends with 1 when a requirement has no test, or a test names an ID that does
 * not exist. What counts as a name is defined in requirements/test-names.ts.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  coverageOf,
  requirementsIn,
  type Coverage,
  type NamedTest,
  type Requirement,
} from './requirements/coverage.ts'
import { testNamesIn } from './requirements/test-names.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = ['packages', 'tools', 'bench', 'e2e']
const TEST_FILE = /\.(test|e2e)\.tsx?$/

export function listedRequirements(): Requirement[] {
  return requirementsIn(readFileSync(join(root, 'docs/requirements.md'), 'utf8'))
}

/** The tests of the repository, by file and name. */
export function listedTests(): NamedTest[] {
  return FOLDERS.flatMap(testFilesIn).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return testNamesIn({ path, text }).map((name) => ({ path, name }))
  })
}

function testFilesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? testFilesIn(path) : TEST_FILE.test(path) ? [path] : []
    })
    .toSorted()
}

/** The table, and below it what is wrong. */
export function printed({ rows, unproved, unknown }: Coverage): string {
  const lines = rows.flatMap(({ requirement, tests }, at) => [
    ...(rows[at - 1]?.requirement.area === requirement.area ? [] : ['', requirement.area]),
    `${requirement.id}  ${requirement.phrase}`,
    ...tests.map(({ path, name }) => `    ${path} > ${name}`),
  ])
  const faults = [
    ...unproved.map(({ id, phrase }) => `${id} stands in no test name: ${phrase}`),
    ...unknown.map(({ id, test }) => `${id} does not exist: ${test.path} > ${test.name}`),
  ]
  const end = `${rows.length} requirements, ${unproved.length} without a test`
  return [...lines, '', ...faults, end].join('\n').trimStart()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const coverage = coverageOf(listedRequirements(), listedTests())
  console.log(printed(coverage))
  if (coverage.unproved.length + coverage.unknown.length > 0) process.exitCode = 1
}
