/** A real feed that breaks off and returns: what is said of it meanwhile, and what viewers get. */
import { expect, test } from 'vitest'
import { srtLeg } from '../commands/leg.fixture.ts'
import { freeUdpPort, eventually, LIFE_LIMIT_MS, shared } from '../agent.fixture.ts'
import {
  callStreamApi,
  newSegments,
  openStreamSite,
  readStream,
  segmentsOf,
  startEncoder,
  startFeed,
} from './stream-site.fixture.ts'
import { breaksIn, recordPlaylist } from './playlist-record.fixture.ts'

const site = shared(async () => openStreamSite())

const inputOf = async (name: string) => (await readStream(site, name)).inputs[0]?.stats

test(
  'CHAN-12 CHAN-25 CHAN-32 the encoder is killed and returns: messages, times and playlist stay correct',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const [port, localPort] = [await freeUdpPort(), await freeUdpPort()]
    const inputs = [{ url: `srt://:${port}?latency=120` }]
    await callStreamApi(site, 'PUT', '/streams/cut', { inputs, segment_duration: 1000 })
    await eventually(async () => {
      const { stats } = await readStream(site, 'cut')
      expect(stats.since).toBeDefined()
      expect(stats.since).toBe((await inputOf('cut'))?.since)
    })
    const idleSinceMs = (await inputOf('cut'))?.since
    await using feed = startFeed(site, srtLeg('call', port), localPort)
    await newSegments(site, 'cut', 2, [])
    using record = recordPlaylist(site, 'cut')
    await eventually(async () => expect((await inputOf('cut'))?.active_since).toBeDefined())
    const well = await inputOf('cut')
    expect(well?.since).toBeGreaterThan(idleSinceMs ?? Infinity)

    // The agent is away for a moment: no time begins anew.
    await site.restart()
    await eventually(async () =>
      expect(await inputOf('cut')).toMatchObject({
        since: well?.since,
        active_since: well?.active_since,
      }),
    )

    feed.processes.at(-1)?.kill('SIGKILL')
    const words = new Set<string>()
    let reportedAtMs = Infinity
    await eventually(async () => {
      const { stats } = await readStream(site, 'cut')
      const input = await inputOf('cut')
      if (input?.error !== undefined) words.add(input.error)
      if (input?.error !== undefined) reportedAtMs = Math.min(reportedAtMs, Date.now())
      expect(stats).toMatchObject({ alive: false, inputs_bandwidth: 0, since: input?.since })
    })
    expect([...words]).toEqual(['The far end is connected, but sends no picture.'])
    const lost = await inputOf('cut')
    expect(lost?.since).toBeGreaterThan(well?.since ?? Infinity)
    // Since its last picture, not since somebody noticed.
    expect(lost?.since).toBeLessThan(reportedAtMs)
    expect(lost).not.toHaveProperty('active_since')
    await site.restart()
    await eventually(async () =>
      expect(await inputOf('cut')).toMatchObject({ since: lost?.since, error: [...words][0] }),
    )

    const breaks = breaksIn(record)
    await using _again = startEncoder(site, localPort)
    await newSegments(site, 'cut', 3, segmentsOf(site, 'cut'))
    await eventually(async () => {
      const input = await inputOf('cut')
      expect(input?.active_since).toBe(input?.since)
      expect(input?.since).toBeGreaterThan(lost?.since ?? Infinity)
    })
    expect(record.faults()).toEqual([])
    expect(breaksIn(record)).toBeGreaterThan(breaks)
    await callStreamApi(site, 'DELETE', '/streams/cut')
  },
)
