import { expect, test } from 'vitest'
import { availabilityText, lossText, withoutEmptyEnd } from './availability.rules.ts'
import { fileName, timelineCsv } from './timeline-csv.rules.ts'
import {
  byDay,
  dayText,
  eventView,
  exactText,
  filtersOf,
  kindsOf,
  spanFrom,
} from './timeline.rules.ts'
import { eventOf } from './timeline.fixture.ts'

const NOW_MS = Date.parse('2026-11-25T12:00:00Z')

test.each([
  ['input', { kind: 'up' }, 'Running'],
  ['server', { kind: 'up' }, 'Reachable'],
  ['channel', { kind: 'down' }, 'No media'],
  ['input', { kind: 'reachable', state: 'down' }, 'Host reachable again, not running'],
  ['server', { kind: 'reachable', state: 'up' }, 'Reachable again'],
  ['input', { kind: 'connected', state: '192.0.2.1:40' }, 'Peer connected: 192.0.2.1:40'],
  ['input', { kind: 'restarted', state: '3' }, 'Unexpected restart, 3 since the last command'],
  ['channel', { kind: 'source', state: '2' }, 'Switched to source 2'],
  ['input', { kind: 'unwatched', since: '2026-11-25T09:58:00.123Z' }, 'Not watched for 2:00'],
  ['input', { kind: 'alarm', state: 'acknowledged' }, 'Alarm acknowledged'],
  ['encoder', { kind: 'schedule', state: 'stop missed' }, 'Scheduled stop missed'],
  ['input', { kind: 'command', call: 'contributions.action', state: 'stop' }, 'Stopped'],
  ['encoder', { kind: 'command', call: 'contributions.action', state: 'stop' }, 'Stopped feeder'],
  ['input', { kind: 'command', call: 'inputs.setStatus', state: 'disable' }, 'Disabled'],
  ['input', { kind: 'saved', call: 'inputs.update' }, 'Edited input'],
  ['input', { kind: 'saved', call: 'inputs.update', result: 'failed' }, 'Edit input: failed'],
] as const)('of an %s %j reads %s', (kind, parts, text) => {
  expect(eventView(kind, eventOf(parts)).text).toBe(text)
})

test('the cause and the person stand beside the event', () => {
  const event = eventOf({ kind: 'command', cause: 'No answer.', actor: 'Ann Lee' })
  expect(eventView('input', event)).toMatchObject({ detail: 'No answer.', by: 'Ann Lee' })
})

test('days are headed by their date, and a line has its exact time', () => {
  const events = [eventOf({}), eventOf({ at: '2026-11-23T23:59:59.999Z' })]
  expect(byDay(events).map(({ day, events: some }) => [dayText(day, NOW_MS), some.length])).toEqual(
    [
      ['Today', 1],
      ['Mon 23 Nov 2026', 1],
    ],
  )
  expect(dayText('2026-11-24', NOW_MS)).toBe('Yesterday')
  expect(exactText(eventOf({}))).toBe('2026-11-25 10:00:00.123 UTC')
  const gap = eventOf({ kind: 'unwatched', since: '2026-11-25T09:00:00.000Z' })
  expect(exactText(gap)).toBe('2026-11-25 09:00:00.000 UTC to 2026-11-25 10:00:00.123 UTC')
})

test('each kind of object has the filters that it can have', () => {
  expect(filtersOf('input')).not.toContain('source')
  expect(filtersOf('channel')).toContain('source')
  expect(filtersOf('feeder')).not.toContain('changes')
  expect(filtersOf('console')).toEqual(['all'])
  expect([kindsOf('all'), kindsOf('peer')]).toEqual(['', 'connected,disconnected'])
  expect([spanFrom('all', NOW_MS), spanFrom('1h', NOW_MS)]).toEqual([
    '',
    '2026-11-25T11:00:00.000Z',
  ])
})

test('a CSV is marked as UTF-8 and has a line for each event, quoted, and no formula', () => {
  const object = { kind: 'input', id: 'a', title: '=1+1, "North"' } as const
  const csv = timelineCsv(object, [eventOf({ kind: 'down', cause: 'A, "b"\nc' })])
  expect(csv.split('\r\n').slice(0, 2)).toEqual([
    '\uFEFFtime,kind,event,state,since,cause,call,result,actor,object kind,object,object id',
    '2026-11-25T10:00:00.123Z,down,Down,,,"A, ""b""\nc",,,,input,"\'=1+1, ""North""",a',
  ])
  expect(fileName('Marathon km 30 / A', NOW_MS)).toBe('timeline-Marathon-km-30-A-2026-11-25.csv')
})

test.each([
  [null, '–'],
  [1, '100 %'],
  [0.99999, '99.99 %'],
  [0, '0.00 %'],
])('a share of %s reads %s', (share, text) => {
  expect(availabilityText(share)).toBe(text)
})

test.each([
  [null, ''],
  [[0, 0, 0, 0], ''],
  [[10_000, 0, 0, 0], '0 % lost'],
  [[1_000_000, 1, 1, 0], '0.01 % lost'],
  [[9986, 120, 106, 14], '1.20 % lost, 14 for good'],
  [[10_000, null, 30, null], '0.30 % sent again'],
] as const)('what a link counted, %j, reads %s', (counts, text) => {
  const [packets, lostPackets, retransmittedPackets, droppedPackets] = counts ?? []
  expect(
    lossText(
      packets === undefined
        ? null
        : {
            packets,
            lostPackets: lostPackets ?? null,
            retransmittedPackets: retransmittedPackets ?? 0,
            droppedPackets: droppedPackets ?? null,
          },
    ),
  ).toBe(text)
})

test('days before the first of which something is known are left out', () => {
  const day = (upMs: number) => ({
    fromMs: 0,
    toMs: 1,
    upMs,
    downMs: 0,
    unknownMs: 0,
    counted: null,
  })
  expect(withoutEmptyEnd([day(0), day(5), day(0), day(0)])).toEqual([day(0), day(5)])
  expect(withoutEmptyEnd([day(0), day(0)])).toEqual([day(0)])
})
