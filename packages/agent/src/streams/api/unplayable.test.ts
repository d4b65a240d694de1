/** Feeds in codecs that browsers do not play, passed on as they came and through a template. */
import { expect, test } from 'vitest'
import { eventually, freeUdpPort, LIFE_LIMIT_MS, shared } from '../../agent.fixture.ts'
import { callStreamApi, openStreamSite, readStream } from '../stream-site.fixture.ts'
import { AAC, makeStream, PICTURE, SOUND, startTool } from '../unit-site.fixture.ts'

const site = shared(async () => openStreamSite())

const CODECS: [string, string[], RegExp][] = [
  ['mpeg2video', ['-g', '25'], /MPEG-2, which browsers cannot play\. Choose a template\./],
  [
    'libx265',
    ['-preset', 'ultrafast', '-x265-params', 'log-level=none:keyint=25'],
    /HEVC, which many browsers cannot play\. Choose a template\./,
  ],
]

test.each(CODECS)(
  'CHAN-13 a stream and its input say that %s is not for browsers, and that a template helps',
  { timeout: LIFE_LIMIT_MS },
  async (codec, more, sentence) => {
    const port = await freeUdpPort()
    const folder = site.ctx.config.dataDir
    const picture = [...PICTURE, ...SOUND, '-c:v', codec, ...more, ...AAC]
    const file = makeStream({ folder }, codec, picture, 8)
    const to = `udp://127.0.0.1:${port}?pkt_size=1316`
    const looped = ['-re', '-stream_loop', '-1', '-i', file, '-map', '0', '-c', 'copy']
    await using _feed = startTool([
      'ffmpeg',
      '-nostdin',
      '-v',
      'quiet',
      ...looped,
      '-f',
      'mpegts',
      to,
    ])
    const inputs = [{ url: `udp://127.0.0.1:${port}` }]
    const put = async (body: object) => callStreamApi(site, 'PUT', `/streams/${codec}`, body)
    expect((await put({ inputs, segment_duration: 1000 })).status).toBe(200)
    const unplayable = expect.stringMatching(sentence) as string
    await eventually(async () => {
      await site.streams.probeNow()
      const {
        stats,
        inputs: [input],
      } = await readStream(site, codec)
      expect(stats).toMatchObject({ alive: true, unplayable })
      expect(input?.stats).toMatchObject({ unplayable })
      expect(input?.stats).not.toHaveProperty('error')
    })
    expect((await put({ template: 'sd' })).status).toBe(200)
    await eventually(async () => {
      await site.streams.probeNow()
      const {
        stats,
        inputs: [input],
      } = await readStream(site, codec)
      expect(stats).toMatchObject({
        alive: true,
        media_info: {
          tracks: expect.arrayContaining([expect.objectContaining({ codec: 'h264' })]) as unknown,
        },
      })
      expect(stats).not.toHaveProperty('unplayable')
      expect(input?.stats).not.toHaveProperty('unplayable')
    })
    await callStreamApi(site, 'DELETE', `/streams/${codec}`)
  },
)
