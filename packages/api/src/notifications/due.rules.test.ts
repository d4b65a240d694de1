import { expect, test } from 'vitest'
import { nextTryAtMs } from './back-off.rules.ts'
import {
  dueOf,
  MESSAGES_PER_HOUR,
  WAITING_AT_MOST,
  type OpenAlarm,
  type Pace,
  type SentAlarm,
} from './due.rules.ts'

const PACE: Pace = {
  severity: 'warning',
  delaySeconds: 10,
  groupingSeconds: 30,
  repeatMinutes: 60,
  sendsCleared: true,
}
const NOW_MS = Date.parse('2026-11-27T03:00:00.000Z')
const NONE = { atMs: [], waiting: 0 }

function alarm(ageS: number, more: Partial<OpenAlarm> = {}): OpenAlarm {
  return {
    alarmId: 'a',
    severity: 'major',
    raisedAtMs: NOW_MS - ageS * 1000,
    isQuiet: false,
    ...more,
  }
}

function sent(ageS: number, more: Partial<SentAlarm> = {}): SentAlarm {
  return {
    alarmId: 'a',
    severity: 'major',
    sentAtMs: NOW_MS - ageS * 1000,
    isCleared: false,
    ...more,
  }
}

test('an alarm is sent once it is as old as the delay', () => {
  const early = dueOf(PACE, [alarm(4)], [], NONE, NOW_MS)
  expect(early).toEqual({ due: null, againAtMs: NOW_MS + 6000 })
  const { due } = dueOf(PACE, [alarm(10)], [], NONE, NOW_MS)
  expect(due).toEqual({ raised: ['a'], reminders: [], cleared: [] })
})

test.each([
  ['acknowledged or muted', alarm(60, { isQuiet: true }), PACE],
  ['below the severity of the rule', alarm(60), { ...PACE, severity: 'critical' as const }],
])('an alarm that is %s is not sent', (_, open, pace) => {
  expect(dueOf(pace, [open], [], NONE, NOW_MS)).toEqual({ due: null, againAtMs: null })
})

test('an open alarm is repeated after the interval, and never when that is 0', () => {
  const open = [alarm(7200)]
  expect(dueOf(PACE, open, [sent(3599)], NONE, NOW_MS)).toEqual({
    due: null,
    againAtMs: NOW_MS + 1000,
  })
  expect(dueOf(PACE, open, [sent(3600)], NONE, NOW_MS).due?.reminders).toEqual(['a'])
  const never = { ...PACE, repeatMinutes: 0 }
  expect(dueOf(never, open, [sent(999_999)], NONE, NOW_MS)).toEqual({ due: null, againAtMs: null })
})

test('an alarm that has become worse is sent again without waiting for the interval', () => {
  const worse = alarm(20, { severity: 'critical' })
  expect(dueOf(PACE, [worse], [sent(5)], NONE, NOW_MS).due?.raised).toEqual(['a'])
})

test('a cleared alarm is sent when it was sent before, unless the rule leaves that out', () => {
  const cleared = [sent(60, { isCleared: true })]
  expect(dueOf(PACE, [], cleared, NONE, NOW_MS).due?.cleared).toEqual(['a'])
  const silent = { ...PACE, sendsCleared: false }
  expect(dueOf(silent, [], cleared, NONE, NOW_MS).due).toBeNull()
})

test('what comes within the grouping interval waits, and goes together', () => {
  const open = [alarm(10), alarm(12, { alarmId: 'b' })]
  const messages = { atMs: [NOW_MS - 20_000], waiting: 0 }
  expect(dueOf(PACE, open, [], messages, NOW_MS)).toEqual({ due: null, againAtMs: NOW_MS + 10_000 })
  const later = dueOf(PACE, open, [], messages, NOW_MS + 10_000)
  expect(later.due?.raised).toEqual(['a', 'b'])
})

test('a rule sends a limited number of messages in an hour', () => {
  const atMs = Array.from({ length: MESSAGES_PER_HOUR }, (_, at) => NOW_MS - (at + 1) * 60_000)
  const { due, againAtMs } = dueOf(PACE, [alarm(60)], [], { atMs, waiting: 0 }, NOW_MS)
  expect(due).toBeNull()
  expect(againAtMs).toBe((atMs.at(-1) ?? 0) + 3_600_000)
  const fewer = { atMs: atMs.slice(1), waiting: 0 }
  expect(dueOf(PACE, [alarm(60)], [], fewer, NOW_MS).due).not.toBeNull()
})

test('while messages wait to be taken, no more than a few are made', () => {
  const messages = { atMs: [], waiting: WAITING_AT_MOST }
  expect(dueOf(PACE, [alarm(60)], [], messages, NOW_MS).due).toBeNull()
})

test('tries are made at growing intervals, and given up after eight hours', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => (nextTryAtMs(tries, 0, 0) ?? 0) / 1000)
  expect(waits).toEqual([10, 30, 120, 600, 1800, 3600, 3600])
  expect(nextTryAtMs(8, 0, 7 * 3_600_000)).toBe(8 * 3_600_000)
  expect(nextTryAtMs(9, 0, 8 * 3_600_000)).toBeNull()
})
