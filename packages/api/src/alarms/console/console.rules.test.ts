import { expect, test } from 'vitest'
import type { Condition } from '../finding.rules.ts'
import { conditionOfConsole, WRONG_SECRETS_AT_LEAST, type ConsoleFacts } from './console.rules.ts'

const NOW = 1_000_000
const WELL: ConsoleFacts = {
  backup: { fault: '', endedAtMs: 500_000 },
  notRun: null,
  wrongSecrets: { tries: WRONG_SECRETS_AT_LEAST - 1, address: '192.0.2.7' },
  disk: { path: '/srv/data', freeBytes: 5_000_000_001, totalBytes: 100_000_000_000 },
}
const look = (part: Parameters<typeof conditionOfConsole>[0], facts: Partial<ConsoleFacts>) =>
  conditionOfConsole(part, { ...WELL, ...facts }, NOW, 5)

function sentenceOf(seen: Condition): string {
  return seen.is === 'bad' ? seen.finding.sentence : ''
}

test('a part of the console that was not read yet is neither OK nor bad', () => {
  expect(conditionOfConsole('backups', null, NOW, 5)).toEqual({ is: 'unsettled', againAtMs: null })
})

test.each(['backups', 'schedules', 'sign-in', 'disk'] as const)('%s are well', (part) => {
  expect(look(part, {})).toEqual({ is: 'well' })
})

test('no backup, and a database that is elsewhere, are nothing to raise', () => {
  expect(look('backups', { backup: null })).toEqual({ is: 'well' })
  expect(look('disk', { disk: null })).toEqual({ is: 'well' })
})

test('a backup that failed says why, since it ended', () => {
  expect(look('backups', { backup: { fault: 'The disk is full', endedAtMs: 7 } })).toEqual({
    is: 'bad',
    sinceMs: 7,
    finding: {
      rule: 'backup-failed',
      sentence:
        'The last backup failed. The disk is full. Put that right, then make a backup on the Servers page.',
    },
  })
})

test.each([
  [1, 'A schedule of Camera 9 was not carried out. Its host is away. '],
  [3, '3 schedules were not carried out, the newest of Camera 9. Its host is away. '],
])('%i schedules that were not carried out', (schedules, begin) => {
  const notRun = { schedules, title: 'Camera 9', sentence: 'Its host is away.', atMs: 7 }
  const seen = look('schedules', { notRun })
  expect(seen).toMatchObject({ is: 'bad', sinceMs: 7, finding: { rule: 'schedule-not-run' } })
  expect(sentenceOf(seen)).toContain(begin)
})

test('wrong passwords name the address that most came from, and the sentence stays while more come', () => {
  const seen = (tries: number) => look('sign-in', { wrongSecrets: { tries, address: '192.0.2.7' } })
  expect(seen(WRONG_SECRETS_AT_LEAST)).toMatchObject({ finding: { rule: 'wrong-secrets' } })
  expect(sentenceOf(seen(WRONG_SECRETS_AT_LEAST))).toContain('most of them from 192.0.2.7')
  expect(seen(500)).toEqual(seen(WRONG_SECRETS_AT_LEAST))
})

test('a disk is full by the threshold of its rule', () => {
  const disk = { path: '/srv/data', freeBytes: 5_000_000_001, totalBytes: 100_000_000_000 }
  const at = (threshold: number) => conditionOfConsole('disk', { ...WELL, disk }, NOW, threshold).is
  expect([at(5), at(10)]).toEqual(['well', 'bad'])
})
