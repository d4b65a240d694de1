import { expect, test } from 'vitest'
import { FAULTS_OF_SPAN, joinAlike, joinSpans, withSpan } from './transport-history.rules.ts'
import type { ErrorSpan, HistoryFault } from './transport-history.schema.ts'

function fault(kind: HistoryFault['kind'], parts: Partial<HistoryFault> = {}): HistoryFault {
  return { kind, pid: null, count: null, longestMs: null, ...parts }
}

/** Of two seconds from second `fromS` on. */
function sample(fromS: number, faults: HistoryFault[], everyMs: number | null = 30_000): ErrorSpan {
  const fromMs = fromS * 1000
  return { fromMs, toMs: fromMs + 2000, lookedMs: 2000, everyMs, faults }
}

test('the closest spans are joined: counts add up, the longest times stay', () => {
  const late = (longestMs: number) => fault('pat-late', { pid: 0, longestMs })
  const spans = [
    sample(0, [fault('continuity', { pid: 256, count: 2 })]),
    sample(30, [fault('continuity', { pid: 256, count: 3 }), late(700)]),
    sample(34, [fault('continuity', { pid: 512, count: 1 }), late(600)]),
  ]
  expect(joinSpans(spans, 3)).toEqual(spans)
  expect(joinSpans(spans.toReversed(), 2)).toEqual([
    spans[0],
    {
      fromMs: 30_000,
      toMs: 36_000,
      lookedMs: 4000,
      everyMs: null,
      faults: [
        late(700),
        fault('continuity', { pid: 256, count: 3 }),
        fault('continuity', { pid: 512, count: 1 }),
      ],
    },
  ])
})

test('a span lists only so many errors, the worst of them', () => {
  const onPids = (from: number) =>
    Array.from({ length: FAULTS_OF_SPAN }, (_, at) =>
      fault('continuity', { pid: from + at, count: 1 }),
    )
  const spans = [sample(0, onPids(100)), sample(4, [fault('no-pat', { pid: 0 })])]
  const [joined] = joinSpans(spans, 1)
  expect(joined?.faults).toHaveLength(FAULTS_OF_SPAN)
  expect(joined?.faults[0]?.kind).toBe('no-pat')
})

test('a window without a gap goes on with the span before, a sample does not', () => {
  const black = [fault('black')]
  const followed = withSpan([sample(0, black, null)], sample(2, black, null), 6)
  expect(followed).toMatchObject([{ fromMs: 0, toMs: 4000, lookedMs: 4000, faults: black }])
  expect(withSpan([sample(0, black, null)], sample(6, black, null), 6)).toHaveLength(2)
  expect(withSpan([sample(0, black)], sample(2, black), 6)).toHaveLength(2)
})

test('the same errors in samples that follow each other are one span', () => {
  const none = [fault('no-pat', { pid: 0 })]
  const spans = [0, 30, 60, 90].map((fromS) => sample(fromS, none))
  expect(joinAlike(spans)).toMatchObject([{ fromMs: 0, toMs: 92_000, lookedMs: 8000 }])
  // Not after a sample that was well, and not of another kind.
  expect(joinAlike([sample(0, none), sample(64, none)])).toHaveLength(2)
  expect(joinAlike([sample(0, none), sample(30, [fault('silent')])])).toHaveLength(2)
  // Where a host has so many links that each is sampled every two minutes.
  expect(joinAlike([sample(0, none), sample(120, none, 120_000)])).toHaveLength(1)
})
