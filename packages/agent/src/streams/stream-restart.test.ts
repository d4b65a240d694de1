/** A restart of a stream whose far callers come back at their own pace. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, freeUdpPort, LIFE_LIMIT_MS } from '../agent.fixture.ts'
import {
  callStreamApi,
  newSegments,
  openStreamSite,
  segmentsOf,
  startEncoder,
  startFeed,
  type StreamSite,
} from './stream-site.fixture.ts'
import { expectShown, recordPlaylist } from './playlist-record.fixture.ts'
import { linkKey } from './programs/stream.units.ts'

let site: StreamSite
beforeAll(async () => {
  site = await openStreamSite()
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
})

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
    const call = { protocol: 'srt', mode: 'call', host: '127.0.0.1', port, adapterIp: '' } as const
    const leg = { ...call, key: null, latencyMs: 120, maxBandwidthBytes: 0, advanced: [] }
    await using _feed = startFeed(site, leg, localPort)
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
