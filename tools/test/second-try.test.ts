import { expect, test } from 'vitest'
import { kinds } from './kinds.mjs'
import { afterSecondTry, filesToTryAgain, MOST_FILES, secondTryLines } from './second-try.mjs'

function counts(file: string, failed: number) {
  const failures = Array.from({ length: failed }, (_, at) => `${file} > ${at}\n      late`)
  return { file, durationMs: 1, passed: 2, failed, failures }
}

test('files with a failure are tried again, of that folder alone', () => {
  const first = [
    counts('packages/testbed/src/a.test.ts', 1),
    counts('packages/testbed/src/b.test.ts', 0),
    counts('packages/contract/src/c.test.ts', 1),
    counts('', 1),
  ]
  expect(filesToTryAgain(first, 'packages/testbed/')).toEqual(['packages/testbed/src/a.test.ts'])
})

test('when many files fail nothing is tried again', () => {
  const first = Array.from({ length: MOST_FILES + 1 }, (_, at) => counts(`e2e/${at}.e2e.ts`, 1))
  expect(filesToTryAgain(first.slice(1), 'e2e/')).toHaveLength(MOST_FILES)
  expect(filesToTryAgain(first, 'e2e/')).toEqual([])
})

test('a second try that passes counts as passed, and its first failure is reported', () => {
  const first = [counts('e2e/a.e2e.ts', 1), counts('e2e/b.e2e.ts', 0)]
  const second = { passed: 3, failed: 0, failures: [] }
  expect(afterSecondTry(first, second, ['e2e/a.e2e.ts'])).toEqual({
    counts: { passed: 5, failed: 0, failures: [] },
    firstFailures: ['e2e/a.e2e.ts > 0\n      late'],
  })
})

test('a second try that fails is a failure, and so is one of a file without a second try', () => {
  const first = [counts('e2e/a.e2e.ts', 1), counts('e2e/b.e2e.ts', 1)]
  const second = { passed: 2, failed: 1, failures: ['e2e/a.e2e.ts > 0\n      again'] }
  expect(afterSecondTry(first, second, ['e2e/a.e2e.ts']).counts).toEqual({
    passed: 4,
    failed: 2,
    failures: ['e2e/b.e2e.ts > 0\n      late', 'e2e/a.e2e.ts > 0\n      again'],
  })
})

test('what is a rule alone gets no second try, everything else does', () => {
  const withSecondTry = kinds.flatMap(({ name, jobs }) =>
    jobs('report.json').flatMap(({ secondTry }) => (secondTry ? [[name, secondTry.folder]] : [])),
  )
  expect(withSecondTry).toEqual([
    ['rules', 'tools/'],
    ['agent', 'packages/agent/'],
    ['testbed', 'packages/testbed/'],
    ['api', 'packages/api/'],
    ['console', 'packages/console/'],
    ['package', 'tools/'],
    ['browser', 'e2e/'],
  ])
})

test('the end of a run names what needed a second try, and nothing when nothing did', () => {
  expect(secondTryLines(['agent  a.test.ts > plays\n      late'])).toEqual([
    '\nNeeded a second try, with what failed at first:',
    '  agent  a.test.ts > plays\n      late',
  ])
  expect(secondTryLines([])).toEqual([])
})
