/** A restart of a stream whose far callers come back at their own pace. */
import { expect, test } from 'vitest'
import { srtLeg } from '../commands/leg.fixture.ts'
import { eventually, freeUdpPort, LIFE_LIMIT_MS, shared } from '../agent.fixture.ts'
import {
  callStreamApi,
  newSegments,
  openStreamSite,
  segmentsOf,
  startEncoder,
  startFeed,
} from './stream-site.fixture.ts'
import { expectShown, recordPlaylist } from './playlist-record.fixture.ts'
import { linkKey } from './programs/stream.units.ts'

const site = shared(async () => openStreamSite())

test(
  'CHAN-32 Q121 a restart waits for the first input, whose far caller comes back later than the standby',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const [port, localPort, second] = [
      await freeUdpPort(),
      await freeUdpPort(),
      await freeUdpPort(),
    ]
    const urls = [`srt://:${port}?latency=120`, `udp://127.0.0.1:${second}`]
    const [first = ''] = urls
    const inputs = urls.map((url) => ({ url }))
    // Longer than a busy machine lets a living feed pause: no switch shall come of that here.
    const put = { inputs, segment_duration: 1000, source_timeout: 8 }
    expect((await callStreamApi(site, 'PUT', '/streams/pair', put)).status).toBe(200)
    await using _feed = startFeed(site, srtLeg('call', port), localPort)
    await using _standby = startEncoder(site, second)
    await eventually(() => expect(segmentsOf(site, 'pair').at(-1)).toContain(linkKey(first)))
    using record = recordPlaylist(site, 'pair')
    const before = segmentsOf(site, 'pair')

    expect((await callStreamApi(site, 'POST', '/streams/pair/stop')).status).toBe(204)
    await newSegments(site, 'pair', 3, before)
    expectShown(record, [linkKey(first)])
    expect(record.faults()).toEqual([])
    await callStreamApi(site, 'DELETE', '/streams/pair')
  },
)
