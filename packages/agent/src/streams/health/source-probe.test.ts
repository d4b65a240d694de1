/** What an input carries is reported as it arrives, whatever its packager makes of it. */
import { expect, test } from 'vitest'
import { eventually, freeUdpPort, LIFE_LIMIT_MS, shared } from '../../agent.fixture.ts'
import { callStreamApi, openStreamSite, readStream, startEncoder } from '../stream-site.fixture.ts'
import { sourceTracksOf } from './source-probe.ts'

const site = shared(async () => openStreamSite())

test.each([null, 'sd'])(
  'CHAN-14 CHAN-26 the sound of the input is MPEG layer II, that of the output AAC (template %s)',
  { timeout: LIFE_LIMIT_MS },
  async (template) => {
    const port = await freeUdpPort()
    const inputs = [{ url: `udp://127.0.0.1:${port}` }]
    const name = `facts-${template ?? 'copy'}`
    await callStreamApi(site, 'PUT', `/streams/${name}`, { inputs, template })
    await using _feed = startEncoder(site, port)
    await eventually(async () => {
      await site.streams.probeNow()
      const { inputs: answered, stats } = await readStream(site, name)
      const came = answered[0]?.stats?.media_info?.tracks
      expect(came).toMatchObject([
        { content: 'video', codec: 'h264', width: 720, height: 576, fps: 25 },
        { content: 'audio', codec: 'mp2a', bitrate: 128, language: 'eng' },
      ])
      expect(stats.media_info?.tracks.at(-1)).toMatchObject({ content: 'audio', codec: 'aac' })
    })
    await callStreamApi(site, 'DELETE', `/streams/${name}`)
  },
)

test('CHAN-14 the video bitrate is the size of its packets over their own time', () => {
  const packets = [0, 1, 2, 3, 4].map((at) => ({
    stream_index: 0,
    flags: at === 0 ? 'K_' : '__',
    size: '25000',
    dts_time: `${10 + at * 0.5}`,
  }))
  const streams = [
    { index: 0, codec_type: 'video', codec_name: 'h264' },
    { index: 1, codec_type: 'audio', codec_name: 'mp2', bit_rate: '128000' },
  ]
  expect(sourceTracksOf({ packets, streams }).map((track) => track.bitrate)).toEqual([400, 128])
  expect(sourceTracksOf({ packets: [], streams })[0]).not.toHaveProperty('bitrate')
})
