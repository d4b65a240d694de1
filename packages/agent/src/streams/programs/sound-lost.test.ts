/** A feed whose sound stops while its picture goes on, into a real packager. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually, LIFE_LIMIT_MS, shared } from '../../agent.fixture.ts'
import {
  AAC,
  H264,
  makeStream,
  newLeg,
  openUnitSite,
  PICTURE,
  runPackager,
  segmentsIn,
  startTool,
} from '../unit-site.fixture.ts'

const site = shared(openUnitSite)

const SOUND_S = 5
/** Of pictures; fewer than ten come after the sound, for which ffmpeg would wait by itself. */
const PICTURE_S = 14

test('CHAN-32 the picture goes on when the sound stops', { timeout: LIFE_LIMIT_MS }, async () => {
  const leg = await newLeg()
  const sound = ['-f', 'lavfi', '-i', `sine=440:d=${SOUND_S}`]
  const file = makeStream(site, 'sound-lost', [...PICTURE, ...sound, ...H264, ...AAC], PICTURE_S)
  const { folder } = await runPackager(site, 'ch-sound-lost', leg)
  const url = `udp://${leg.ip}:${leg.port}?localaddr=127.0.0.1&ttl=1&pkt_size=1316`
  const asItCame = ['-max_interleave_delta', '1', '-flush_packets', '1', '-f', 'mpegts', url]
  const head = ['ffmpeg', '-nostdin', '-v', 'quiet', '-re', '-i', file, '-map', '0', '-c', 'copy']
  await using _feed = startTool([...head, ...asItCame])
  await eventually(() => {
    const kinds = segmentsIn(folder).map((name) => kindsIn(join(folder, name)))
    expect(kinds).toContain('video')
  })
})

/** 'video' of one without sound; a probe of the segment's packets, since its tables promise both. */
function kindsIn(file: string): string {
  const args = ['-v', 'error', '-f', 'mpegts', '-show_entries', 'packet=codec_type']
  const { stdout } = spawnSync('ffprobe', [...args, '-of', 'csv=p=0', file], { encoding: 'utf8' })
  return [...new Set(stdout.match(/video|audio/g))].toSorted().join()
}
