/** What is left of the channel server when its agent ends in the middle of a look at the streams. */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually, freeUdpPort, untilReport } from '../agent.fixture.ts'
import { callStreamApi, openStreamSite } from './stream-site.fixture.ts'
import { hlsId, linkKey } from './programs/stream.units.ts'
import { H264, makeStream, PICTURE } from './unit-site.fixture.ts'

function watchedFolders(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
}

test('the end waits for the check in progress, and no folder is watched after it', async () => {
  await using site = await openStreamSite()
  const watchedBefore = watchedFolders()
  const url = `udp://127.0.0.1:${await freeUdpPort()}`
  await callStreamApi(site, 'PUT', '/streams/ending', { inputs: [{ url }] })
  const stream = site.streams.find('ending')
  await untilReport(site.ctx, hlsId(stream, url), ({ startedAtMs }) => startedAtMs !== null)
  expect(watchedFolders()).toBe(watchedBefore + 1)
  // A segment to look into, as the packager would have made it.
  const file = makeStream({ folder: site.agent.config.dataDir }, 'one', [...PICTURE, ...H264], 1)
  const folder = join(site.streams.folderOf('ending'), linkKey(url))
  copyFileSync(file, join(folder, 'v0-00001.ts'))
  writeFileSync(join(folder, 'v0.m3u8'), '#EXTM3U\n#EXTINF:1.0,\nv0-00001.ts\n')
  const look = site.streams.probeNow()
  // By then its tool has been started.
  await setImmediate()
  await site.streams[Symbol.asyncDispose]()
  expect(site.streams.answer(stream).stats.media_info?.tracks).toHaveLength(1)
  await look
  // A watch is taken back with the next turn of the loop.
  await eventually(() => expect(watchedFolders()).toBe(watchedBefore))
})
