/** A real picture that goes black or stands still, and a sound that stops: states of the stream. */
import { expect, test } from 'vitest'
import { eventually, freeUdpPort, LIFE_LIMIT_MS, shared } from '../../agent.fixture.ts'
import { callStreamApi, openStreamSite, readStream } from '../stream-site.fixture.ts'
import { AAC, H264, startTool } from '../unit-site.fixture.ts'

const site = shared(async () => openStreamSite())

function feed(port: number, picture: string, sound: string) {
  const inputs = ['-re', '-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound]
  const to = `udp://127.0.0.1:${port}?pkt_size=1316`
  const coded = [...inputs, ...H264, ...AAC, '-f', 'mpegts', to]
  return startTool(['ffmpeg', '-nostdin', '-v', 'quiet', ...coded])
}

const MOVING = 'testsrc2=s=320x240:r=25'
const BLACK = 'color=black:s=320x240:r=25'
const STILL = 'smptebars=s=320x240:r=25'
const TONE = 'sine=440'
const SILENCE = 'anullsrc'

/** Each found, and with the time that the one before it did not have. */
async function untilFound(kinds: readonly string[]) {
  await eventually(async () => {
    await site.streams.probeNow()
    const { alive, findings } = (await readStream(site, 'seen')).stats
    expect([alive, findings?.map(({ kind }) => kind)]).toEqual([
      true,
      kinds.length === 0 ? undefined : kinds,
    ])
  })
  return (await readStream(site, 'seen')).stats.findings ?? []
}

test(
  'CHAN-10 black, frozen and silent are states of the stream, each since it began, also after a restart, and it says how loud it is',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const port = await freeUdpPort()
    const inputs = [{ url: `udp://127.0.0.1:${port}` }]
    await callStreamApi(site, 'PUT', '/streams/seen', { inputs, segment_duration: 1000 })
    const startedAtMs = Date.now()
    await using black = feed(port, BLACK, SILENCE)
    const found = await untilFound(['black', 'silent'])
    for (const { since } of found) expect(since).toBeGreaterThan(startedAtMs)
    const silence = (await readStream(site, 'seen')).stats.audio_level
    expect(silence?.peak_dbfs).toEqual([-90, -90])
    expect(silence?.at).toBeGreaterThan(startedAtMs)
    await site.restart()
    expect(await untilFound(['black', 'silent'])).toEqual(found)

    await black[Symbol.asyncDispose]()
    const changedAtMs = Date.now()
    await using still = feed(port, STILL, TONE)
    const [frozen] = await untilFound(['frozen'])
    expect(frozen?.since).toBeGreaterThan(changedAtMs)
    await still[Symbol.asyncDispose]()
    await using moving = feed(port, MOVING, TONE)
    await untilFound([])
    // ffmpeg's tone has an eighth of full scale.
    const [left, right] = (await readStream(site, 'seen')).stats.audio_level?.peak_dbfs ?? []
    expect(left).toBeCloseTo(-18, -1)
    expect(right).toBeCloseTo(-18, -1)
    expect(moving.process.exitCode).toBeNull()
    await callStreamApi(site, 'DELETE', '/streams/seen')
  },
)
