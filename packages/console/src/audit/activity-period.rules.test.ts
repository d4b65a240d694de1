import { expect, test } from 'vitest'
import { boundsOf, type Period } from './activity-period.rules.ts'

const TODAY = '2026-03-02'

function period(kind: Period['kind'], fromDay = '', toDay = ''): Period {
  return { kind, fromDay, toDay }
}

test.each<[string, Period, { from: string; to: string }]>([
  ['all time has no bounds', period('all', '2026-01-01'), { from: '', to: '' }],
  ['today from midnight', period('today'), { from: '2026-03-02T00:00:00.000Z', to: '' }],
  ['seven days with today', period('week'), { from: '2026-02-24T00:00:00.000Z', to: '' }],
  [
    'the last day is included',
    period('days', '2026-02-27', '2026-02-28'),
    { from: '2026-02-27T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' },
  ],
  ['an open end', period('days', '2026-02-27'), { from: '2026-02-27T00:00:00.000Z', to: '' }],
  ['half typed', period('days', '', '0002-'), { from: '', to: '' }],
])('T20 period: %s', (_name, given, bounds) => {
  expect(boundsOf(given, TODAY)).toEqual(bounds)
})
