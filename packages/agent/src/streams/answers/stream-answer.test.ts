import { expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import type { StoredStream } from '../definition/stream.schema.ts'
import type { Row, Window } from '../timeline/timeline.rules.ts'
import type { InputFacts } from './input-answer.ts'
import { streamAnswer } from './stream-answer.ts'

const NOW = Date.UTC(2026, 10, 29, 12)
const SOURCE = 'udp://127.0.0.1:5001'
const STREAM: StoredStream = {
  name: 'live',
  title: 'Live',
  disabled: false,
  inputs: [{ url: SOURCE, priority: null, bus: { ip: '239.1.2.3', port: 5010 } }],
  pushes: [],
  currentUrl: SOURCE,
  selectedUrl: '',
  template: null,
  segmentDurationMs: 2000,
  segmentCount: 6,
  sourceTimeoutS: null,
}

/** What a host says of the stream whose newest segment is so old; null: it has had none. */
function statsOf(
  input: { isWell: boolean; sinceMs: number | null },
  newestAgoMs: number | null,
  startingSinceMs: number | null = null,
) {
  const ctx = { clock: () => NOW, board: { find: () => null } } as unknown as Context
  const rows = newestAgoMs === null ? [] : [{ writtenAtMs: NOW - newestAgoMs } as Row]
  return streamAnswer(ctx, STREAM, {
    window: { rows } as unknown as Window,
    tracks: [],
    startingSinceMs,
    findings: [],
    audioLevel: null,
    inputs: [
      {
        url: SOURCE,
        isCurrent: true,
        tracks: [],
        packaged: [],
        bitrateKbps: 1000,
        ...input,
      } as unknown as InputFacts,
    ],
    refusals: [],
  }).stats
}

test('CHAN-17 a stream without a picture says since when it waits for one, also where its input is well', () => {
  const down = { isWell: false, sinceMs: NOW - 9000 }
  const well = { isWell: true, sinceMs: NOW - 700 }
  expect(statsOf(down, null)).toMatchObject({ alive: false, since: NOW - 9000 })
  // Its packager reports pictures, and has listed none yet.
  expect(statsOf(well, null)).toMatchObject({ alive: false, since: NOW - 700 })
  expect(statsOf(down, 30_000)).toMatchObject({ alive: false, since: NOW - 9000 })
  // It came back, and the segments of before are old.
  expect(statsOf(well, 30_000)).toMatchObject({ alive: false, since: NOW - 700 })
  const unknown = { isWell: false, sinceMs: null }
  const others = [statsOf(well, 500), statsOf(unknown, null)]
  expect(others.map((stats) => stats?.since)).toEqual([undefined, undefined])
})

test('CHAN-11 CHAN-32 a stream that is restarted says since when, also while its last segments are new', () => {
  const down = { isWell: false, sinceMs: NOW - 3000 }
  const seen = [500, 30_000].map((agoMs) => statsOf(down, agoMs, NOW - 3000)?.starting_since)
  expect(seen).toEqual([NOW - 3000, NOW - 3000])
  expect(statsOf(down, 500)).not.toHaveProperty('starting_since')
})
