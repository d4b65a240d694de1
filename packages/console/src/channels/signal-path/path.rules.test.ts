import { expect, test } from 'vitest'
import { streamOf } from '../../test/channel.samples.ts'
import { badAt, hopsOf, type PathFacts, verdictOf } from './path.rules.ts'
import type { PlayerView } from '../player/player.ts'

const NOW_MS = 1_700_000_000_000

const PLAYING: PlayerView = {
  state: { phase: 'playing' },
  secondsBehind: 7.6,
  playlistAgeS: 1.5,
  playlist: { segments: 6, segmentS: 2, renditions: 3, ladder: '', renditionLines: 720 },
  bitrateKbps: 948,
  width: 1280,
  height: 720,
  rebuilds: 0,
}

function wayOf(parts: Partial<PathFacts>) {
  const hops = hopsOf({
    server: 'stream-01',
    reading: streamOf('a'),
    isStale: false,
    played: PLAYING,
    isDirect: false,
    nowMs: NOW_MS,
    browserNowMs: NOW_MS,
    ...parts,
  })
  const bad = hops[badAt(hops)]?.kind ?? ''
  return { bad, verdict: verdictOf(hops).says, says: hops.map(({ name, says }) => [name, says]) }
}

test('CHAN-26 every hop says what it is and how it is', () => {
  expect(wayOf({})).toEqual({
    bad: '',
    verdict: 'Every hop carries the picture.',
    says: [
      ['SRT', '4,523 kbit/s'],
      ['stream-01', 'Answers'],
      ['None', 'Passed through'],
      ['3 sizes', '1.5 s old'],
      ['via the console', '7.6 s behind live edge'],
    ],
  })
})

test('a lost source is the first bad hop, before the frozen picture that it causes', () => {
  const url = 'srt://198.51.100.7:7001'
  const error = 'The far end does not answer.'
  const reading = streamOf('a', {
    inputs: [{ url, stats: { active: true, error } }],
    stats: { alive: false },
  })
  const state = { phase: 'frozen', sinceMs: NOW_MS - 12_000 } as const
  const way = wayOf({ reading, played: { ...PLAYING, state, playlistAgeS: 13 } })
  expect(way).toMatchObject({ bad: 'Source', verdict: `First bad hop: Source. ${error}` })
  expect(way.says.slice(3)).toEqual([
    ['3 sizes', '13.0 s old'],
    ['via the console', 'Frozen 0:12'],
  ])
})

test.each([
  ['black', 'Black 0:22', 'First bad hop: Source. The picture is black.'],
  ['frozen', 'Frozen 0:22', 'First bad hop: Source. The picture is frozen.'],
  ['silent', 'Silent 0:22', 'First bad hop: Source. The audio is silent.'],
] as const)(
  'CHAN-26 black, frozen or silent media is shown at the source: %s',
  (kind, says, verdict) => {
    const stats = { alive: true, findings: [{ kind, since: NOW_MS - 22_000 }] }
    const way = wayOf({ reading: streamOf('a', { stats }) })
    expect(way).toMatchObject({ bad: 'Source', verdict })
    expect(way.says[0]).toEqual(['SRT', says])
  },
)

const missing = { kind: 'playlist', httpStatus: 0 } as const
test.each<[string, Partial<PathFacts>, string, string]>([
  [
    'a silent server',
    { reading: 'silent' },
    'Media server',
    'First bad hop: Media server. No answer.',
  ],
  [
    'a stream that is gone',
    { reading: 'gone' },
    'Media server',
    'First bad hop: Media server. No such stream.',
  ],
  ['old news', { isStale: true }, 'Source', 'The current state is not known.'],
  [
    'a playlist that nobody serves',
    { played: { ...PLAYING, state: { phase: 'missing', failure: missing } } },
    'Playlist',
    'First bad hop: Playlist. The playlist could not be reached.',
  ],
  [
    'a playlist that stands',
    { played: { ...PLAYING, playlistAgeS: 6.1 } },
    'Playlist',
    'First bad hop: Playlist. No new segment.',
  ],
  ['a player that waits', { played: null }, '', 'Not every hop is known yet.'],
  ['nothing read yet', { reading: 'unread', played: null }, '', 'Not every hop is known yet.'],
  [
    'a channel that is off',
    { reading: streamOf('a', { disabled: true }) },
    '',
    'The channel is off.',
  ],
])('%s', (_what, facts, bad, verdict) => {
  expect(wayOf(facts)).toMatchObject({ bad, verdict })
})
