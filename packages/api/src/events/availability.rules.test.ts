import type { EventKind } from '@trunkline/contract/events/event.schema'
import { expect, test } from 'vitest'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { availabilityByDay, daysUntil } from './availability.rules.ts'
import type { ObjectEvent } from './event.rules.ts'

function event(atMs: number, kind: EventKind, parts: Partial<ObjectEvent> = {}): ObjectEvent {
  return { atMs, kind, sinceMs: null, state: kind, cause: '', ...parts }
}

/** Of one day from 0 to 1000. */
function of(
  events: ObjectEvent[],
  gaps: ObjectEvent[] = [],
  kind: ObservedKind = 'input',
): [up: number, down: number, unknown: number] {
  const watched = { kind, events, gaps, before: 'off' as const }
  const [day] = availabilityByDay(watched, [{ fromMs: 0, toMs: 1000 }])
  return [day?.upMs ?? -1, day?.downMs ?? -1, day?.unknownMs ?? -1]
}

test('up and down are counted from event to event; what nobody wanted is left out', () => {
  const events = [event(100, 'up'), event(400, 'down'), event(500, 'up'), event(900, 'off')]
  expect(of(events)).toEqual([700, 100, 0])
  expect(of([event(-50, 'up')])).toEqual([1000, 0, 0])
  expect(of([])).toEqual([0, 0, 0])
})

test('while its host is unreachable nothing is known, unless it says afterwards that it ran on', () => {
  const away = [event(100, 'up'), event(400, 'unreachable')]
  expect(of([...away, event(600, 'reachable', { state: '' }), event(700, 'up')])).toEqual([
    600, 0, 300,
  ])
  expect(of([...away, event(600, 'reachable', { state: 'up', sinceMs: 100 })])).toEqual([900, 0, 0])
  expect(of([...away, event(600, 'reachable', { state: 'down', sinceMs: 550 })])).toEqual([
    300, 450, 150,
  ])
})

test('a server that does not answer is down', () => {
  const events = [
    event(100, 'up'),
    event(400, 'unreachable'),
    event(600, 'reachable', { state: 'up' }),
  ]
  expect(of(events, [], 'server')).toEqual([700, 200, 0])
})

test('a time without anybody watching is not known, unless the host has watched', () => {
  const gap = [event(500, 'unwatched', { sinceMs: 300 })]
  const up = [event(100, 'up')]
  expect(of(up, gap, 'channel')).toEqual([700, 0, 200])
  expect(of(up, gap)).toEqual([900, 0, 0])
  // It began anew within the gap: how it was before that nobody saw.
  expect(of([...up, event(450, 'up')], gap)).toEqual([750, 0, 150])
  // Its host was restarted with the API: it is another process, that began after the gap.
  expect(of([...up, event(520, 'up')], gap)).toEqual([680, 0, 220])
  expect(of([...up, event(60_501, 'up')], gap)).toEqual([900, 0, 0])
  // The host did not answer afterwards either.
  expect(of([...up, event(501, 'unreachable')], gap)).toEqual([200, 0, 700])
})

test('where events were left out the time up to the last of them is not known', () => {
  const events = [event(100, 'up'), event(600, 'down')]
  expect(of(events, [event(600, 'omitted', { sinceMs: 200 })])).toEqual([100, 400, 400])
  expect(of([event(100, 'up')], [event(600, 'omitted', { sinceMs: 200 })])).toEqual([900, 0, 0])
})

test('days begin at midnight of the zone, and today ends now', () => {
  const nowMs = Date.parse('2026-11-25T22:30:00Z')
  const days = daysUntil(nowMs, 2, 2 * 3_600_000)
  expect(days.map(({ fromMs, toMs }) => [fromMs, toMs].map((ms) => new Date(ms).toJSON()))).toEqual(
    [
      ['2026-11-25T22:00:00.000Z', '2026-11-25T22:30:00.000Z'],
      ['2026-11-24T22:00:00.000Z', '2026-11-25T22:00:00.000Z'],
    ],
  )
})
