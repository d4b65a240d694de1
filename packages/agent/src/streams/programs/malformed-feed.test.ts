/** A feed of plain datagrams that comes back as another one: the stream plays on by itself. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freeUdpPort, LIFE_LIMIT_MS, shared } from '../../agent.fixture.ts'
import { callStreamApi, openStreamSite, readStream, whenDecodes } from '../stream-site.fixture.ts'
import {
  AAC,
  goodStream,
  H264,
  makeStream,
  PICTURE,
  play,
  send,
  SOUND,
} from '../unit-site.fixture.ts'

const site = shared(async () => openStreamSite())

const MPEG2 = ['-c:v', 'mpeg2video', '-g', '25', '-c:a', 'mp2']

async function putStream(name: string) {
  const port = await freeUdpPort()
  const put = { inputs: [{ url: `udp://127.0.0.1:${port}` }], segment_duration: 1000 }
  expect((await callStreamApi(site, 'PUT', `/streams/${name}`, put)).status).toBe(200)
  return { ip: '127.0.0.1', port, ttl: 1 }
}

test.each([
  ['other PIDs', [...H264, ...AAC, '-mpegts_start_pid', '0x300']],
  ['another codec on the same PIDs', MPEG2],
])('CHAN: a feed that was sent with %s plays', { timeout: LIFE_LIMIT_MS }, async (what, codecs) => {
  const folder = { folder: site.agent.config.dataDir }
  const before = makeStream(folder, what.replaceAll(' ', '-'), [...PICTURE, ...SOUND, ...codecs], 8)
  const name = what.replaceAll(' ', '-')
  const leg = await putStream(name)
  {
    await using _first = play(before, leg)
    await whenDecodes(site, name)
  }
  await using _then = play(goodStream(folder), leg)
  // What was made of the first one may still come; by the second time it is all there.
  await whenDecodes(site, name)
  await whenDecodes(site, name)
  await send(readFileSync(before).subarray(0, 20_000), leg)
  await whenDecodes(site, name)
  expect((await readStream(site, name)).stats.alive).toBe(true)
  await callStreamApi(site, 'DELETE', `/streams/${name}`)
})
