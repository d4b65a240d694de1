import { expect, test } from 'vitest'
import { datedLine } from './dated-line.ts'

const AT_MS = Date.UTC(2026, 10, 23, 13, 58, 21, 123)

const cases: [name: string, line: string, dated: string][] = [
  [
    'ffmpeg, which prints no time',
    '[udp @ 0x1] [error] something failed',
    '2026-11-23T13:58:21.123Z [udp @ 0x1] [error] something failed',
  ],
  [
    'srt-live-transmit, which prints none either',
    'Accepted SRT source connection',
    '2026-11-23T13:58:21.123Z Accepted SRT source connection',
  ],
  [
    'libsrt, which prints a time of day',
    '12:44:03.511886/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1010',
    '2026-11-23T13:58:21.123Z SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1010',
  ],
  [
    'librist, whose own time is nearer than that of the reading',
    '1795218718.664902|0.0|[INFO] RIST target connected',
    '2026-11-20T23:51:58.664Z [INFO] RIST target connected',
  ],
  [
    'the start of a process',
    '--- Started 2026-11-20T23:51:35Z (pid 71)',
    '--- Started 2026-11-20T23:51:35Z (pid 71)',
  ],
]

test.each(cases)('DLG-12 Q75 each line has its time: %s', (_name, line, dated) => {
  expect(datedLine(line, AT_MS)).toBe(dated)
})

test('a line of unknown time gets no time, and a line of librist its own', () => {
  expect(datedLine('something', null)).toBe('something')
  expect(datedLine('1795218718.664902|0.0|[INFO] a', null)).toBe(
    '2026-11-20T23:51:58.664Z [INFO] a',
  )
})
