import { RULES } from '@trunkline/contract/alarms/alarm.rules'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { expect, test } from 'vitest'
import {
  defaultSettings,
  type AppliedSettings,
} from '@trunkline/contract/alarms/overrides/override.rules'
import { AlarmBook, type Decision, type OpenFinding } from './alarm-book.ts'
import type { Condition, Finding } from './finding.rules.ts'

const KEY = 'input a'
const WELL: Condition = { is: 'well' }

function bad(rule: AlarmRule, sinceMs: number, sentence = ''): Condition {
  return { is: 'bad', finding: { rule, sentence }, sinceMs }
}

function openOf(finding: Finding): OpenFinding {
  return { ...finding, severity: RULES[finding.rule].severity }
}

/** A book with a clock of its own, whose decisions are written at once. */
function openBook(isFirst: boolean | ((nowMs: number) => boolean) = true) {
  const book = new AlarmBook((_, rule) => defaultSettings(rule))
  const written: string[] = []
  let dueAtMs: number | null = null
  const take = (decision: Decision, nowMs: number): void => {
    if (decision.act === null) {
      dueAtMs = decision.againAtMs
      return
    }
    const open = decision.act === 'clear' ? null : openOf(decision.finding)
    written.push(`${nowMs} ${decision.act} ${open?.rule ?? ''}`.trim())
    const isFirstCause = typeof isFirst === 'boolean' ? isFirst : isFirst(nowMs)
    take(book.written(KEY, { open, isFirstCause }, nowMs), nowMs)
  }
  const runUntil = (nowMs: number) => {
    while (dueAtMs !== null && dueAtMs <= nowMs) take(book.decide(KEY, dueAtMs), dueAtMs)
  }
  const see = (nowMs: number, condition: Condition) => {
    runUntil(nowMs)
    take(book.see(KEY, condition, nowMs), nowMs)
  }
  return { book, written, runUntil, see }
}

/** A peer that is lost every 20 s, for 10 s. */
function losePeerUntil(endMs: number, see: (nowMs: number, condition: Condition) => void): void {
  for (let at = 0; at < endMs; at += 20_000) {
    see(at, bad('no-peer', at))
    see(at + 10_000, WELL)
  }
}

test('is raised when it has held, and cleared when all was well for long enough', () => {
  const { book, written, see, runUntil } = openBook()
  see(1000, bad('program-down', 1000))
  runUntil(2999)
  expect(written).toEqual([])
  runUntil(5000)
  see(10_000, WELL)
  runUntil(15_999)
  expect(written).toEqual(['3000 raise program-down'])
  runUntil(16_000)
  expect(written.at(-1)).toBe('16000 clear')
  expect(book.size).toBe(0)
})

test('what the host saw begin earlier is raised at once', () => {
  const { written, see } = openBook()
  see(10_000, bad('no-media', 4000))
  expect(written).toEqual(['10000 raise no-media'])
})

test('what passes before its delay raises nothing and is forgotten', () => {
  const { book, written, see, runUntil } = openBook()
  see(1000, bad('program-down', 1000))
  see(2000, WELL)
  runUntil(60_000)
  expect(written).toEqual([])
  expect(book.size).toBe(0)
})

test('a fault that comes and goes every 5 s stays one alarm', () => {
  const { written, see } = openBook()
  for (let at = 0; at < 600_000; at += 10_000) {
    see(at, bad('no-peer', at))
    see(at + 5000, WELL)
  }
  expect(written).toEqual([`${RULES['no-peer'].raiseAfterMs} raise no-peer`])
})

test('a fault that comes and goes more slowly is held open after three times', () => {
  const { written, see } = openBook()
  losePeerUntil(600_000, see)
  expect(written.filter((line) => line.includes('raise'))).toHaveLength(4)
})

test('an alarm that clears with its cause is not held open', () => {
  const { written, see } = openBook(false)
  losePeerUntil(600_000, see)
  expect(written.filter((line) => line.includes('raise'))).toHaveLength(30)
})

test('what has come and gone by itself is not held open as a consequence', () => {
  const { written, see, runUntil } = openBook((nowMs) => nowMs < 100_000)
  losePeerUntil(60_000, see)
  runUntil(100_000)
  see(100_000, bad('host-unreachable', 100_000))
  see(110_000, WELL)
  runUntil(120_000)
  expect(written.slice(-2)).toEqual(['102000 raise host-unreachable', '116000 clear'])
})

test('an alarm that is held open after its fault was over says the next fault, be it lesser', () => {
  const { written, see, runUntil } = openBook()
  losePeerUntil(60_000, see)
  runUntil(100_000)
  see(100_000, bad('host-unreachable', 100_000))
  see(110_000, WELL)
  see(130_000, bad('no-media', 130_000))
  runUntil(135_000)
  expect(written.at(-1)).toBe('131000 change no-media')
  see(136_000, WELL)
  // Not more often than another rule alone would.
  see(137_000, bad('no-peer', 137_000))
  runUntil(140_999)
  expect(written.at(-1)).toBe('131000 change no-media')
  runUntil(141_000)
  expect(written.at(-1)).toBe('141000 change no-peer')
})

test('says the worse rule soon, and a lesser one only when it stays', () => {
  const { written, see, runUntil } = openBook()
  see(0, bad('no-peer', 0))
  runUntil(5000)
  see(5000, bad('program-down', 5000))
  runUntil(8000)
  see(8000, bad('no-peer', 8000))
  see(10_000, bad('program-down', 10_000))
  see(12_000, bad('no-peer', 12_000))
  runUntil(30_000)
  expect(written).toEqual([
    '2000 raise no-peer',
    '7000 change program-down',
    '22000 change no-peer',
  ])
})

test('a fault that was reported first soon gives way, once, to the fault that lasts', () => {
  const { written, see, runUntil } = openBook()
  see(0, bad('no-peer', 0))
  see(3000, bad('no-media', 3000))
  see(7500, bad('no-peer', 7500))
  runUntil(17_400)
  expect(written).toEqual(['2000 raise no-peer', '7000 change no-media'])
  runUntil(17_500)
  expect(written.at(-1)).toBe('17500 change no-peer')
})

test('two rules that alternate write nothing more', () => {
  const { written, see } = openBook()
  for (let at = 0; at < 120_000; at += 6000) {
    see(at, bad('no-peer', at))
    see(at + 3000, bad('no-media', at + 3000))
  }
  expect(written).toEqual(['2000 raise no-peer'])
})

test('a reason that comes later is written once soon, then not more often than every 10 s', () => {
  const { written, see, runUntil } = openBook()
  see(0, bad('no-peer', 0, 'The peer is gone.'))
  runUntil(2500)
  for (let at = 2500; at < 22_000; at += 500) see(at, bad('no-peer', 0, `Reason ${at}.`))
  expect(written.length).toBeLessThanOrEqual(4)
  expect(written[1]).toBe('3500 change no-peer')
})

test('a program that ends whenever it starts is down since it ended first', () => {
  const { written, see } = openBook()
  for (let at = 0; at <= 3000; at += 1500) {
    see(at, bad('program-down', at, `Ended at ${at}.`))
    see(at + 1000, { is: 'unsettled', againAtMs: null })
  }
  expect(written[0]).toBe('2000 raise program-down')
})

test('after a start the delay of an alarm begins anew', () => {
  const { written, see, runUntil } = openBook()
  see(0, bad('program-down', 0))
  see(1000, { is: 'unsettled', againAtMs: null })
  see(2000, WELL)
  see(3000, bad('program-down', 3000))
  runUntil(4999)
  expect(written).toEqual([])
})

test('an open alarm does not change while its object is between two states', () => {
  const { written, see, runUntil } = openBook()
  see(0, bad('program-down', 0))
  runUntil(3000)
  see(4000, { is: 'unsettled', againAtMs: null })
  runUntil(60_000)
  see(60_000, WELL)
  runUntil(70_000)
  expect(written).toEqual(['2000 raise program-down', '66000 clear'])
})

test('what an object disproves between two states is over since then, and cleared once it is well', () => {
  const { book, written, see, runUntil } = openBook()
  see(0, bad('source-lost', 0))
  runUntil(3000)
  see(4000, { is: 'unsettled', againAtMs: null, over: ['media-server-silent'] })
  expect(book.wellSinceMs(KEY)).toBeNull()
  see(5000, { is: 'unsettled', againAtMs: null, over: ['source-lost'] })
  see(6000, { is: 'unsettled', againAtMs: null, over: ['source-lost'] })
  expect(book.wellSinceMs(KEY)).toBe(5000)
  runUntil(20_000)
  expect(written).toEqual(['2000 raise source-lost'])
  see(20_000, WELL)
  expect(written).toEqual(['2000 raise source-lost', '20000 clear'])
})

test('an override changes the severity of an open alarm, switches it off, and delays what is lesser', () => {
  let changed: Partial<AppliedSettings> = {}
  const book = new AlarmBook((_, rule) => ({
    ...defaultSettings(rule),
    ...(rule === 'no-peer' ? changed : {}),
  }))
  const open: OpenFinding = { rule: 'no-peer', sentence: '', severity: 'major' }
  book.written(KEY, { open, isFirstCause: true }, 0)
  expect(book.see(KEY, bad('no-peer', 0), 1000)).toEqual({ act: null, againAtMs: null })
  changed = { severity: 'critical' }
  expect(book.see(KEY, bad('no-peer', 0), 2000)).toMatchObject({ act: 'change' })
  book.written(KEY, { open: { ...open, severity: 'critical' }, isFirstCause: true }, 2000)
  expect(book.see(KEY, bad('no-peer', 0), 3000)).toEqual({ act: null, againAtMs: null })
  changed = { severity: 'critical', isOff: true }
  expect(book.see(KEY, bad('losing-packets', 4000), 4000)).toEqual({ act: 'clear' })
  expect(book.written(KEY, { open: null, isFirstCause: true }, 4000)).toEqual({
    act: null,
    againAtMs: 9000,
  })
})

test('a decision is not made twice while it is written, and again when it could not be', () => {
  const book = new AlarmBook((_, rule) => defaultSettings(rule))
  expect(book.see(KEY, bad('never-connected', 0), 1)).toMatchObject({ act: 'raise' })
  expect(book.decide(KEY, 2)).toEqual({ act: null, againAtMs: null })
  book.handBack(KEY)
  expect(book.decide(KEY, 3)).toMatchObject({ act: 'raise' })
})
