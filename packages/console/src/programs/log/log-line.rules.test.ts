import { expect, test } from 'vitest'
import { linesOfLevel, lineTimeText, logLinesOf, plainLineOf } from './log-line.rules.ts'

test.each([
  ['2026-11-21T13:58:24.010Z [info]   Metadata:', '13:58:24', 'info', '  Metadata:', '2026-11-21'],
  [
    '2026-11-21T13:58:24.010Z SRT:RcvQ:w1!W:SRT.cn: rejected',
    '13:58:24',
    'warn',
    'SRT:RcvQ:w1!W:SRT.cn: rejected',
    '2026-11-21',
  ],
  [
    '--- Started 2026-11-22T05:48:45Z (pid 7646)',
    '05:48:45',
    'info',
    'Started (pid 7646)',
    '2026-11-22',
  ],
  ['[info] Stream #0:0: Video', '', 'info', 'Stream #0:0: Video'],
  ['[info]   Metadata:', '', 'info', '  Metadata:'],
  [
    '2026-11-21 13:58:24.010 [warning] signal lost',
    '13:58:24',
    'warn',
    'signal lost',
    '2026-11-21',
  ],
  ['[mpegts @ 0x55] [error] no signal', '', 'error', '[mpegts @ 0x55] no signal'],
  [
    '13:58:25.552901/SRT:RcvQ:w1*E:SRT.cn: rejected',
    '13:58:25',
    'error',
    '/SRT:RcvQ:w1*E:SRT.cn: rejected',
  ],
  ['Accepted SRT source connection', '', 'info', 'Accepted SRT source connection'],
  ['<script>alert(1)</script>', '', 'info', '<script>alert(1)</script>'],
])('DLG-12 %s', (line, time, level, text, day = '') => {
  expect(logLinesOf(line)).toEqual([{ number: 0, time, day, level, text }])
})

test('DLG-12 a line of another day names its day', () => {
  const nowMs = Date.UTC(2026, 10, 23, 0, 0, 5)
  const texts = logLinesOf(
    '2026-11-22T23:59:59.900Z a\n2026-11-23T00:00:01.000Z b\n12:00:00 c',
  ).map((line) => lineTimeText(line, nowMs))
  expect(texts).toEqual(['2026-11-22 23:59:59', '00:00:01', '12:00:00'])
})

test('IN-FORM-10 Q171 Q203 a log level shows that level and worse', () => {
  const lines = logLinesOf(
    ['[INFO] connected', '[WARN] late', '[ERROR] no route', 'Accepted'].join('\n'),
  )
  const shown = (level: 1 | 2 | 3) => linesOfLevel(lines, level).map(({ text }) => text)
  expect(shown(1)).toEqual(['no route'])
  expect(shown(2)).toEqual(['late', 'no route'])
  expect(shown(3)).toEqual(['connected', 'late', 'no route', 'Accepted'])
})

test('empty lines are no lines, whatever ends them', () => {
  expect(logLinesOf('a\r\n\r\nb\n\n').map((line) => line.text)).toEqual(['a', 'b'])
  expect(logLinesOf('')).toEqual([])
})

test('one line for a small space: the prefix of the tool becomes a time, or is removed', () => {
  expect(plainLineOf('1795326595.292347|0.0|[INFO] RIST target connected')).toBe(
    `${new Date(1_795_326_595_000).toISOString().slice(11, 19)} RIST target connected`,
  )
  expect(plainLineOf('--- Started 2026-11-22T05:48:45Z (pid 7646), SRT source disconnected')).toBe(
    'SRT source disconnected',
  )
  expect(plainLineOf('13:58:21.123 Accepted SRT source connection')).toBe(
    '13:58:21 Accepted SRT source connection',
  )
  expect(plainLineOf('Accepted SRT source connection')).toBe('Accepted SRT source connection')
})
