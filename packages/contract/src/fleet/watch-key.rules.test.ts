import { expect, test } from 'vitest'
import { countsKey, hostKey, programKey, streamKey, transportKey } from './watch-key.rules.ts'
import { watchedOf } from './watch-key.schema.ts'

test.each([
  [
    programKey('feeder', 'encoder0-feeder-1'),
    { of: 'program', kind: 'feeder', id: 'encoder0-feeder-1' },
  ],
  [transportKey('input', 'i1'), { of: 'transport', kind: 'input', id: 'i1' }],
  [hostKey('server', 's1'), { of: 'host', kind: 'server', id: 's1' }],
  [streamKey('s1', 'live/a b\nc'), { of: 'stream', serverId: 's1', streamName: 'live/a b\nc' }],
  [countsKey('encoder', 'g1'), { of: 'counts', kind: 'encoder', group: 'g1' }],
  [countsKey('all', ''), { of: 'counts', kind: 'all', group: '' }],
])('%j is read back into its parts', (key, watched) => {
  expect(watchedOf(key)).toEqual(watched)
})

test.each(['', 'program', 'program weather x', 'host feeder x', 'weather in here', 'counts all'])(
  '%j is no watch key',
  (key) => {
    expect(watchedOf(key)).toBeNull()
  },
)
