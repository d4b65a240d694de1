import { expect, test } from 'vitest'
import { gauge, Histogram, metricsText, only } from './metric.rules.ts'

test('a metric has its help, its type and a line per series, with labels escaped', () => {
  const metric = gauge('room_light_lux', 'Light\nof a room.', [
    { labels: { room: String.raw`a "b" \c` }, value: 1.5 },
    { value: Number.POSITIVE_INFINITY },
  ])
  expect(metricsText([metric, gauge('left_out', 'No series.', [])])).toBe(
    [
      String.raw`# HELP room_light_lux Light\nof a room.`,
      '# TYPE room_light_lux gauge',
      String.raw`room_light_lux{room="a \"b\" \\c"} 1.5`,
      'room_light_lux +Inf',
      '',
    ].join('\n'),
  )
  expect(only(3)).toEqual([{ value: 3 }])
})

test('a histogram counts up to each bound, the bound included', () => {
  const histogram = new Histogram([0.1, 1])
  for (const value of [0.1, 0.5, 2]) histogram.observe(value)
  expect(
    histogram
      .samples({ of: 'x' })
      .map(({ suffix, labels, value }) => [suffix, labels?.['le'], value]),
  ).toEqual([
    ['_bucket', '0.1', 1],
    ['_bucket', '1', 2],
    ['_bucket', '+Inf', 3],
    ['_sum', undefined, 2.6],
    ['_count', undefined, 3],
  ])
})
