import { expect, test } from 'vitest'
import { causeFrom, causeOfDeath, endFrom } from './cause.ts'

const cases: [name: string, lines: string[], cause: string][] = [
  ['nothing said', [], ''],
  [
    'SRT port taken',
    [
      '--- Started 2026-11-20T12:00:00Z, SRT source disconnected',
      "Media path: 'srt://:6000?mode=listener' --> 'udp://127.0.0.1:1'",
      'ERROR: error: srt_bind: Connection setup failure: unable to create/configure SRT socket',
    ],
    'ERROR: error: srt_bind: Connection setup failure: unable to create/configure SRT socket',
  ],
  [
    'SRT: a handshake that came to nothing ends no process',
    [
      '12:44:03.511886/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1010 - Incorrect passphrase',
      '12:44:03.512048/SRT:RcvQ:w1.N:SRT.cn: Listener managed the connection request from: 127.0.0.1:46182 result:INVALID',
    ],
    '12:44:03.511886/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1010 - Incorrect passphrase',
  ],
  [
    'ffmpeg: the error, not the words on the way out',
    [
      "[info] Input #0, lavfi, from 'testsrc2'",
      "[lavfi @ 0x55d0] [error] No such filter: 'nosuch'",
      '[info] Exiting normally, received signal 15.',
    ],
    "[lavfi @ 0x55d0] [error] No such filter: 'nosuch'",
  ],
  [
    'what an earlier process said is not held against this one',
    [
      'ERROR: error: srt_bind: Connection setup failure',
      '--- Started 2026-11-20T12:00:00Z, SRT source disconnected',
      "Media path: 'srt://:6000' --> 'udp://127.0.0.1:1'",
    ],
    '',
  ],
  [
    'a tool that is not there',
    [
      '--- Started 2026-11-20T12:00:00Z',
      'setpriv: failed to execute ffmpeg: No such file or directory',
    ],
    'setpriv: failed to execute ffmpeg: No such file or directory',
  ],
  ['statistics are no cause', ['1795218717.668220|0.0|[INFO] {"sender-stats":{}}'], ''],
]

test.each(cases)('the last line that matters: %s', (_name, lines, cause) => {
  expect(causeFrom(lines)).toBe(cause)
})

test('a line without end is shortened', () => {
  expect(causeFrom([`error ${'x'.repeat(10_000)}`]).length).toBe(240)
})

const ends: [line: string, end: string][] = [
  [
    '2026-11-20 12:00:00,000 WARN exited: in1 (terminated by SIGKILL; not expected)',
    'Ended by SIGKILL',
  ],
  [
    '2026-11-20 12:00:00,000 WARN exited: in1 (exit status 255; not expected)',
    'Ended with code 255',
  ],
  ['2026-11-20 12:00:00,000 WARN exited: in1 (exit status 137; not expected)', 'Ended by SIGKILL'],
  ['2026-11-20 12:00:00,000 WARN exited: in1 (exit status 143; not expected)', 'Ended by SIGTERM'],
  ['2026-11-20 12:00:00,000 INFO exited: in1 (exit status 0; expected)', 'Ended with code 0'],
  ['2026-11-20 12:00:00,000 WARN exited: in10 (exit status 1; not expected)', ''],
]

test.each(ends)('how it ended, by supervisord’s log: %s', (line, end) => {
  expect(endFrom(['earlier', line, 'later'], 'in1')).toBe(end)
})

test('an outside kill is the cause, whatever the tool said before', () => {
  expect(causeOfDeath(['some error'], 'Ended by SIGKILL')).toBe('Ended by SIGKILL')
  expect(causeOfDeath(['some error'], 'Ended with code 1')).toBe('some error')
  expect(causeOfDeath([], 'Ended with code 1')).toBe('Ended with code 1')
})

test('a signal that ffmpeg catches is reported by name, and only for the last process', () => {
  const signalLine = '[info] Exiting normally, received signal 15.'
  const error = '[udp @ 0x1] [error] something failed'
  expect(causeOfDeath([error, signalLine], 'Ended with code 255')).toBe('Ended by SIGTERM')
  expect(causeOfDeath([signalLine, '--- Started 2026', error], 'Ended with code 1')).toBe(error)
})

test('a thumbnail that could not be written is not a cause', () => {
  const picture = '[image2 @ 0x563f] [error] Could not open file : pictures/a.jpg.tmp'
  const end = '[error] Error writing trailer of pictures/a.jpg: Immediate exit requested'
  expect(causeFrom(['[error] first', end])).toBe('[error] first')
  expect(causeFrom([picture, '[fifo @ 0x563f] [info] Recovery failed: Input/output error'])).toBe(
    '',
  )
})
