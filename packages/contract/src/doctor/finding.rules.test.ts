import { expect, test } from 'vitest'
import { clockFinding, note, ok, reportOf, wrong } from './finding.rules.ts'

test('faults come last, each with its fix, and the exit code says that there are some', () => {
  const found = [wrong('ristsender is missing.', 'apt-get install rist-tools'), ok('ffmpeg 5.1')]
  expect(reportOf([...found, note('No console is linked.')])).toEqual({
    text: `ok     ffmpeg 5.1
note   No console is linked.
WRONG  ristsender is missing.
       Fix: apt-get install rist-tools

1 fault.
`,
    exitCode: 1,
  })
})

test('notes alone are no fault', () => {
  expect(reportOf([note('No console is linked.', 'Add this host.')])).toEqual({
    text: 'note   No console is linked.\n       Fix: Add this host.\n\nAll is well.\n',
    exitCode: 0,
  })
})

test.each([
  [5000, 'ok', 'agree'],
  [-5000, 'ok', 'agree'],
  [61_000, 'wrong', 'is 61 s ahead of'],
  [-5001, 'wrong', 'is 5 s behind'],
])('a clock that is ahead by %i ms is %s', (aheadMs, level, words) => {
  const found = clockFinding('The clock of the console', aheadMs, 'timedatectl set-ntp true')
  expect(found.level).toBe(level)
  expect(found.sentence).toContain(words)
})
