import { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { PAUSED } from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import { conditionOfStream } from './channel-finding.rules.ts'

const NOW = 100_000
const LOST_AT_MS = 1_700_000_000_000
const noneOff = () => false

test.each([
  [true, PAUSED, ''],
  [false, 'UDP port 6010 is in use.', ' If it stays so, restart the channel.'],
])(
  'a channel whose server does not receive its source is down, also while it plays on: %s, %s',
  (alive, error, retry) => {
    const source = { active: true, error, since: LOST_AT_MS, receiver_down: true }
    const stream = StreamDetail.parse({
      name: 'n',
      inputs: [{ url: 'srt://:1', stats: source }],
      stats: { alive, since: LOST_AT_MS, last_dts_at: LOST_AT_MS },
    })
    const status = { serverId: 's', streamName: 'n', stream, readAtMs: NOW, cause: '' }
    const seen = (...off: string[]) =>
      conditionOfStream(
        status,
        { online: true, sinceMs: 7, heardAtMs: 7 },
        LOST_AT_MS + 60_000,
        (rule) => off.includes(rule),
      )
    const sentence = `The server does not receive its source. ${error}${retry}`
    expect(seen()).toMatchObject({ finding: { rule: 'program-down', sentence } })
    expect(seen('program-down').is).toBe('well')
  },
)

test('a channel depends on its media server, which must have been asked', () => {
  const status = { serverId: 's', streamName: 'n', stream: null, readAtMs: null, cause: '' }
  expect(conditionOfStream(status, null, NOW, noneOff).is).toBe('unsettled')
  const away = { online: false, sinceMs: 7, heardAtMs: 6 }
  expect(conditionOfStream(status, away, NOW, noneOff)).toMatchObject({
    finding: { rule: 'media-server-silent' },
  })
  const there = { online: true, sinceMs: 7, heardAtMs: 7 }
  expect(conditionOfStream(status, there, NOW, noneOff).is).toBe('unsettled')
  expect(conditionOfStream({ ...status, readAtMs: NOW }, there, NOW, noneOff)).toMatchObject({
    finding: { rule: 'source-lost' },
  })
})

test('a channel whose media server was not heard of yet raises nothing for ten seconds', () => {
  const status = { serverId: 's', streamName: 'n', stream: null, readAtMs: null, cause: '' }
  const starting = { online: false, sinceMs: NOW, heardAtMs: null }
  const at = (ms: number) => conditionOfStream(status, starting, NOW + ms, noneOff)
  expect(at(9999)).toEqual({ is: 'unsettled', againAtMs: NOW + 10_000 })
  expect(at(10_000)).toMatchObject({ finding: { rule: 'media-server-silent' } })
})

test.each<[string, { error?: string; since?: number }, string]>([
  ['whose source gives a picture is well', { since: LOST_AT_MS }, 'well'],
  [
    'whose source is lost counts before its playlist runs out',
    { error: 'Gone.', since: LOST_AT_MS },
    String(LOST_AT_MS + 2000),
  ],
  ['of a server that does not say since when is well', { error: 'Gone.' }, 'well'],
])('a channel %s', (_, stats, expected) => {
  const stream = StreamDetail.parse({
    name: 'n',
    inputs: [
      { url: 'udp://b', stats: { active: true, ...stats } },
      { url: 'udp://a', stats: { error: 'Standby.' } },
    ],
    stats: { alive: true },
  })
  const there = { online: true, sinceMs: 7, heardAtMs: 7 }
  const status = { serverId: 's', streamName: 'n', stream, readAtMs: NOW, cause: '' }
  const condition = conditionOfStream(status, there, LOST_AT_MS + 60_000, noneOff)
  expect(condition.is === 'bad' ? String(condition.sinceMs) : condition.is).toBe(expected)
})

test.each([
  ['that has just begun to wait for its first picture', { since: LOST_AT_MS }, LOST_AT_MS + 20_000],
  ['that waits too long for it', { since: LOST_AT_MS - 16_000 }, 'source-lost'],
  ['whose picture went', { since: LOST_AT_MS, last_dts_at: LOST_AT_MS - 5 }, 'source-lost'],
  ['of a server that does not say since when', {}, 'source-lost'],
  [
    'that is restarted',
    { starting_since: LOST_AT_MS, since: LOST_AT_MS, last_dts_at: LOST_AT_MS - 5 },
    LOST_AT_MS + 20_000,
  ],
])('a channel %s', (_, stats, expected) => {
  const stream = StreamDetail.parse({ name: 'n', stats: { alive: false, ...stats } })
  const status = { serverId: 's', streamName: 'n', stream, readAtMs: NOW, cause: '' }
  const there = { online: true, sinceMs: 7, heardAtMs: 7 }
  const condition = conditionOfStream(status, there, LOST_AT_MS + 4000, noneOff)
  const again = condition.is === 'unsettled' ? condition.againAtMs : condition.is
  expect(condition.is === 'bad' ? condition.finding.rule : again).toBe(expected)
})

test('a channel that is restarted has lost no source while its last segments are played', () => {
  const inputs = [{ url: 'udp://a', stats: { active: true, error: 'Gone.', since: LOST_AT_MS } }]
  const stats = { alive: true, starting_since: LOST_AT_MS }
  const stream = StreamDetail.parse({ name: 'n', inputs, stats })
  const status = { serverId: 's', streamName: 'n', stream, readAtMs: NOW, cause: '' }
  const at = (ms: number) =>
    conditionOfStream(status, { online: true, sinceMs: 7, heardAtMs: 7 }, LOST_AT_MS + ms, noneOff)
  expect(at(8000)).toMatchObject({ is: 'unsettled', againAtMs: LOST_AT_MS + 20_000 })
  expect(at(20_000)).toMatchObject({ finding: { rule: 'source-lost' } })
})

test('CHAN-11 a channel that starts disproves that its server is silent, and its source lost once that is back', () => {
  const overOf = (source: object, stats: object) => {
    const inputs = [{ url: 'udp://a', stats: { active: true, ...source } }]
    const stream = StreamDetail.parse({ name: 'n', inputs, stats: { alive: false, ...stats } })
    const status = { serverId: 's', streamName: 'n', stream, readAtMs: NOW, cause: '' }
    const there = { online: true, sinceMs: 7, heardAtMs: 7 }
    const condition = conditionOfStream(status, there, LOST_AT_MS + 2000, noneOff)
    return condition.is === 'unsettled' ? condition.over : condition.is
  }
  const restarted = overOf({ error: 'Gone.' }, { starting_since: LOST_AT_MS, last_dts_at: 5 })
  expect(restarted).toEqual(['media-server-silent'])
  const isBack = overOf({ active_since: LOST_AT_MS }, { since: LOST_AT_MS, last_dts_at: 5 })
  expect(isBack).toEqual(['media-server-silent', 'source-lost'])
})

const LOST = { error: 'No packets.', since: LOST_AT_MS }

test('a channel on its backup blames no sender where its server does not receive the primary source', () => {
  const sentenceOf = (more: object) => {
    const inputs = [
      { url: 'srt://:7016', stats: { error: PAUSED, since: LOST_AT_MS, ...more } },
      { url: 'udp://b', stats: { active: true } },
    ]
    const stream = StreamDetail.parse({ name: 'n', inputs, stats: { alive: true } })
    const status = { serverId: 's', streamName: 'n', stream, readAtMs: NOW, cause: '' }
    const there = { online: true, sinceMs: 7, heardAtMs: 7 }
    const condition = conditionOfStream(status, there, LOST_AT_MS + 60_000, noneOff)
    return condition.is === 'bad' ? condition.finding.sentence : ''
  }
  expect(sentenceOf({})).toContain('Check what sends the primary source.')
  const down = sentenceOf({ receiver_down: true })
  expect(down).toContain(`The server does not receive the primary source. ${PAUSED}`)
  expect(down).not.toContain('Check what sends')
})

test('the alarm of a channel says why its backup is not ready', () => {
  const error = 'The two ends have different passphrases (SRT: Incorrect passphrase).'
  const sentenceOf = (more: object, ...off: string[]) => {
    const inputs = [
      { url: 'udp://a', stats: { active: true } },
      { url: 'srt://:7016', stats: { error, since: LOST_AT_MS, ...more } },
    ]
    const stream = StreamDetail.parse({ name: 'n', inputs, stats: { alive: true } })
    const status = { serverId: 's', streamName: 'n', stream, readAtMs: NOW, cause: '' }
    const there = { online: true, sinceMs: 7, heardAtMs: 7 }
    const condition = conditionOfStream(status, there, LOST_AT_MS + 60_000, (rule) =>
      off.includes(rule),
    )
    return condition.is === 'bad' ? condition.finding.sentence : condition.is
  }
  const nothing = 'No backup source can take over.'
  expect(sentenceOf({})).toBe(`${nothing} ${error} Check what sends the backup source.`)
  const down = `${nothing} The server does not receive the backup source. ${error}`
  expect(sentenceOf({ receiver_down: true })).toBe(down)
  expect(sentenceOf({}, 'no-backup')).toBe('well')
})

test.each<[string, object[], object[], string]>([
  [
    'on its backup source',
    [
      { url: 'udp://b', priority: 2, stats: { active: true, since: 1 } },
      { url: 'udp://a', priority: 1, stats: LOST },
    ],
    [],
    'on-backup',
  ],
  [
    'on its second source as listed',
    [
      { url: 'udp://a', stats: LOST },
      { url: 'udp://b', stats: { active: true } },
    ],
    [],
    'on-backup',
  ],
  [
    'whose backup is lost',
    [
      { url: 'udp://a', stats: { active: true } },
      { url: 'udp://b', stats: LOST },
    ],
    [],
    'no-backup',
  ],
  [
    'whose backups are lost, since the last of them was',
    [
      { url: 'udp://a', stats: { active: true } },
      { url: 'udp://b', stats: LOST },
      { url: 'udp://c', stats: { ...LOST, since: LOST_AT_MS - 9000 } },
    ],
    [],
    'no-backup',
  ],
  [
    'that has another backup',
    [
      { url: 'udp://a', stats: { active: true } },
      { url: 'udp://b', stats: LOST },
      { url: 'udp://c', stats: { since: 1 } },
    ],
    [],
    'well',
  ],
  [
    'on a source that was chosen by hand',
    [
      { url: 'udp://a', stats: LOST },
      { url: 'udp://b', stats: { active: true, selected: true } },
    ],
    [],
    'well',
  ],
  [
    'whose first source is ready and not shown yet',
    [{ url: 'udp://a' }, { url: 'udp://b', stats: { active: true } }],
    [],
    'well',
  ],
  [
    'whose primary source is lost and whose picture is black',
    [
      { url: 'udp://a', stats: LOST },
      { url: 'udp://b', stats: { active: true } },
    ],
    [{ kind: 'black', since: LOST_AT_MS }],
    'bad-picture',
  ],
  ['whose picture is frozen', [], [{ kind: 'frozen', since: LOST_AT_MS }], 'bad-picture'],
  ['that is silent', [], [{ kind: 'silent', since: LOST_AT_MS }], 'no-sound'],
])('a channel %s', (_, inputs, findings, expected) => {
  const stream = StreamDetail.parse({ name: 'n', inputs, stats: { alive: true, findings } })
  const status = { serverId: 's', streamName: 'n', stream, readAtMs: NOW, cause: '' }
  const condition = conditionOfStream(
    status,
    { online: true, sinceMs: 7, heardAtMs: 7 },
    LOST_AT_MS + 60_000,
    noneOff,
  )
  const found = condition.is === 'bad' ? [condition.finding.rule, condition.sinceMs] : ['well']
  expect(found).toEqual(expected === 'well' ? ['well'] : [expected, LOST_AT_MS])
})
