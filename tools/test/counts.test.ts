import { expect, test } from 'vitest'
import { countPlaywright, countVitest, none, sum, summaryLine, withExit } from './counts.mjs'

const file = (assertionResults: object[], more: object = {}) => ({
  name: '/home/me/trunkline/packages/api/src/app.test.ts',
  status: 'passed',
  startTime: 1000,
  endTime: 1250,
  assertionResults,
  ...more,
})

test('the summary line has the form that other programs read', () => {
  expect(summaryLine('unit', { passed: 512, failed: 0, failures: [] })).toBe(
    'unit: 512 passed, 0 failed',
  )
})

test('vitest: passed and failed tests are counted, and the cause is named without colours', () => {
  const counts = countVitest({
    testResults: [
      file([
        { status: 'passed', fullName: 'one' },
        {
          status: 'failed',
          fullName: 'two',
          failureMessages: ['\u001b[31mAssertionError: 1 is not 2\u001b[39m\n at x'],
        },
      ]),
    ],
  })
  expect(counts).toEqual([
    {
      file: 'packages/api/src/app.test.ts',
      durationMs: 250,
      passed: 1,
      failed: 1,
      failures: ['packages/api/src/app.test.ts > two\n      AssertionError: 1 is not 2'],
    },
  ])
})

test('vitest: a skipped test and a file that cannot be loaded are failures', () => {
  const skipped = file([{ status: 'skipped', fullName: 'later' }])
  const broken = file([], { status: 'failed', message: 'Cannot find module' })
  expect(sum(countVitest({ testResults: [skipped, broken] }))).toMatchObject({
    passed: 0,
    failed: 2,
  })
})

test('playwright: nested tests are counted, a flaky or skipped one is a failure', () => {
  const spec = (status: string, results: object[] = []) => ({
    title: 'plays',
    file: 'channel.e2e.ts',
    line: 7,
    tests: [{ status, results }],
  })
  const [counts, ...others] = countPlaywright({
    suites: [
      {
        specs: [spec('expected')],
        suites: [
          {
            specs: [
              spec('unexpected', [{ duration: 70, error: { message: 'no picture' } }]),
              spec('flaky', [{ duration: 10 }, { duration: 20 }]),
            ],
          },
          { specs: [spec('skipped')] },
        ],
      },
    ],
    errors: [],
  })
  expect(others).toEqual([])
  expect(counts).toMatchObject({
    file: 'e2e/channel.e2e.ts',
    durationMs: 100,
    passed: 1,
    failed: 3,
  })
  expect(counts?.failures[0]).toBe('e2e/channel.e2e.ts:7 > plays\n      no picture')
})

test('playwright: a file that cannot be loaded is a failure', () => {
  const counts = countPlaywright({ suites: [], errors: [{ message: 'SyntaxError' }] })
  expect(counts).toMatchObject([{ file: '', passed: 0, failed: 1 }])
})

test('a program that ends badly without a failed test counts one', () => {
  const all = { passed: 3, failed: 0, failures: [] }
  expect(withExit(all, false, 'api')).toMatchObject({ passed: 3, failed: 1 })
  expect(withExit(all, true, 'api')).toEqual(all)
  expect(withExit({ ...all, failed: 2 }, false, 'api')).toMatchObject({ failed: 2 })
})

test('no report at all is no test', () => {
  expect(sum(countVitest(undefined))).toEqual(none)
  expect(sum(countPlaywright(undefined))).toEqual(none)
  expect(sum([])).toEqual(none)
})
