/** The walk of one click in ARCHITECTURE.md is the one that the code takes, and short. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checkWalk, filesOfWalk } from './arch/walk-rules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}))
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

test('each step of the walk is reached from the step that it names, in at most 22 files', () => {
  expect(checkWalk(architecture, files)).toEqual([])
})

test('the walk leads from the console to supervisord, and back to the live stream', () => {
  const walked = filesOfWalk(architecture)
  expect(walked[0]).toMatch(/^packages\/console\//)
  expect(walked).toContain('packages/agent/src/supervisor/supervisor.client.ts')
  expect(walked.at(-1)).toBe('packages/api/src/fleet/live/live-connection.ts')
})

describe('a planted fault is found', () => {
  const sources = [
    { path: 'packages/a/src/one.ts', text: "import { go } from './two.ts'\ngo()" },
    { path: 'packages/a/src/two.ts', text: "import './joint.ts'\nexport function go() {}" },
    { path: 'packages/a/src/joint.ts', text: '' },
    { path: 'packages/a/src/three.ts', text: "import './joint.ts'\n// go" },
  ]
  const walk = (...steps: string[]) =>
    `## The walk of one click: x\n\n${steps.join('\n')}\n\n## Y\n`
  const first = '1. `a/src/one.ts`: begins.'
  const second = '2. `a/src/two.ts` (1, `go`): goes.'
  const third = '3. `a/src/three.ts` (2, by `a/src/joint.ts`): ends.'

  test('none in a true walk', () => {
    expect(checkWalk(walk(first, second, third), sources)).toEqual([])
  })

  test.each([
    ['no section', '# A', '0 of 0 steps of the walk cannot be read'],
    ['a step that cannot be read', walk(first, '2. two.ts'), '1 of 2 steps'],
    ['a file that is not there', walk(first, '2. `a/src/no.ts` (1, `go`): x'), 'there is no'],
    ['a joint that is not there', walk(first, second, third.replace('joint', 'no')), 'there is no'],
    ['a number that is left out', walk(first, third), 'is not numbered in order'],
    [
      'a step that is left out',
      walk(first, '2. `a/src/three.ts` (1, `go`): x'),
      'is not reached from packages/a/src/one.ts',
    ],
    ['a name in a comment', walk(first, second, third.replace('by', '`go`, by')), 'both name go'],
    ['a step without a name', walk(first, '2. `a/src/two.ts` (1): x'), 'does not name what leads'],
    ['a step from nowhere', walk(first, '2. `a/src/two.ts` (2, `go`): x'), 'a step before it'],
  ])('%s', (_, document, fault) => {
    expect(checkWalk(document, sources).join('\n')).toContain(fault)
  })

  test('a walk through 23 files', () => {
    const chain = Array.from({ length: 23 }, (_unused, index) => ({
      path: `packages/a/src/f${index + 1}.ts`,
      text: `import './f${index}.ts'\ngo()`,
    }))
    const steps = chain.map(({ path }, index) => {
      const lead = index === 0 ? '' : ` (${index}, \`go\`)`
      return `${index + 1}. \`${path.slice('packages/'.length)}\`${lead}: goes.`
    })
    expect(checkWalk(walk(...steps), chain)).toEqual(['the walk has 23 files, more than 22'])
    expect(checkWalk(walk(...steps.slice(0, 22)), chain)).toEqual([])
  })
})
