import { expect, test } from 'vitest'
import {
  canTakeChanges,
  disturbancesOf,
  keptHealth,
  problemOf as problemBy,
} from './host-problem.rules.ts'

const problemOf = (health: Parameters<typeof problemBy>[0]) => problemBy(health, 5)

const disk = (state: 'ok' | 'low' | 'full', freeBytes: number) => ({
  disk: { path: '/srv/data', freeBytes, totalBytes: 20_000_000_000, state },
})

test('a disk with free space is no problem', () => {
  expect(problemOf(disk('ok', 5_000_000_000))).toBeUndefined()
})

test('a nearly full disk is reported with its path and free space', () => {
  expect(problemOf(disk('low', 840_000_000))).toEqual({
    kind: 'disk-low',
    sentence:
      'The disk of this host is nearly full: /srv/data has 840 MB free of 20 GB. Free some space before it is full.',
  })
})

test('the threshold decides what is nearly full, and a full disk is a problem by any', () => {
  const tenth = disk('ok', 2_000_000_000)
  expect(problemBy(tenth, 10)).toBeUndefined()
  expect(problemBy(tenth, 15)?.kind).toBe('disk-low')
  expect(problemBy(disk('low', 840_000_000), 3)).toBeUndefined()
  expect(problemBy(disk('full', 4096), 1)?.kind).toBe('disk-full')
})

test('a full disk is reported with what still works', () => {
  const { kind, sentence } = problemOf(disk('full', 4096)) ?? {}
  expect(kind).toBe('disk-full')
  expect(sentence).toContain('/srv/data has 4.1 kB free of 20 GB')
  expect(sentence).toContain('can be started and stopped')
})

test('names the data folder of a disk that cannot be read, and what to check', () => {
  const health = disk('full', 840_000_000)
  const problem = problemOf({ disk: { ...health.disk, unreadable: true } })
  expect(problem?.kind).toBe('disk-unreadable')
  expect(problem?.sentence).toContain('cannot be read: /srv/data. ')
  expect(problem?.sentence).not.toContain('MB')
})

test.each([
  ['full', {}, false],
  ['full', { unreadable: true }, false],
  ['low', {}, true],
  ['ok', {}, true],
] as const)('disk %s %o: changes can be sent again: %s', (state, more, can) => {
  const health = disk(state, 5_000_000_000)
  expect(canTakeChanges({ disk: { ...health.disk, ...more } })).toBe(can)
  expect(canTakeChanges({ ...health, supervisorSilent: true })).toBe(false)
  expect(canTakeChanges({ ...health, supervisorLost: true })).toBe(false)
})

test('a host whose command lines others can read gets a notice that says what to do', () => {
  const notice = problemOf({ ...disk('ok', 5_000_000_000), commandLinesReadable: true })
  expect(notice?.kind).toBe('command-lines-readable')
  expect(notice?.sentence).toContain('hidepid=2')
  expect(problemOf({ ...disk('ok', 5_000_000_000), commandLinesReadable: false })).toBeUndefined()
})

test('problems that affect programs come before a notice', () => {
  const health = { ...disk('low', 840_000_000), commandLinesReadable: true }
  expect(problemOf(health)?.kind).toBe('disk-low')
  expect(problemOf({ ...health, supervisorSilent: true })?.kind).toBe('supervisor-silent')
  const lost = { ...health, supervisorLost: true }
  expect(problemOf(lost)?.kind).toBe('supervisor-lost')
  expect(disturbancesOf(lost, 5).map(({ kind }) => kind)).toEqual(['supervisor-lost', 'disk-low'])
})

test('T12 a very long path is cut', () => {
  const health = disk('low', 1)
  const kept = keptHealth({ disk: { ...health.disk, path: 'x'.repeat(100_000) } })
  expect(kept.disk.path.length).toBeLessThan(1000)
})
