import { expect, test } from 'vitest'
import { logLinesOf } from './log-line.rules.ts'

test.each([
  ['[info] Stream #0:0: Video', '', 'info', 'Stream #0:0: Video'],
  ['[info]   Metadata:', '', 'info', '  Metadata:'],
  ['2026-11-21 13:58:24.010 [warning] signal lost', '13:58:24', 'warn', 'signal lost'],
  ['[mpegts @ 0x55] [error] no signal', '', 'error', '[mpegts @ 0x55] no signal'],
  [
    '13:58:25.552901/SRT:RcvQ:w1*E:SRT.cn: rejected',
    '13:58:25',
    'error',
    '/SRT:RcvQ:w1*E:SRT.cn: rejected',
  ],
  ['Accepted SRT source connection', '', 'info', 'Accepted SRT source connection'],
  ['<script>alert(1)</script>', '', 'info', '<script>alert(1)</script>'],
])('DLG-12 %s', (line, time, level, text) => {
  expect(logLinesOf(line)).toEqual([{ number: 0, time, level, text }])
})

test('empty lines are no lines, whatever ends them', () => {
  expect(logLinesOf('a\r\n\r\nb\n\n').map((line) => line.text)).toEqual(['a', 'b'])
  expect(logLinesOf('')).toEqual([])
})
