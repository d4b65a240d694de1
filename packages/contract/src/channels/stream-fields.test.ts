import { expect, test } from 'vitest'
import { StreamDetail } from './stream.schema.ts'

test('API-80 the detail of a stream keeps every specified field under its own name', () => {
  const detail = {
    name: 'demo',
    title: 'Demo live',
    disabled: false,
    template: 'hd',
    inputs: [{ url: 'udp://239.0.0.1:5000', stats: { active: true } }],
    pushes: [{ url: 'rtmp://far.example/live', disabled: true, stats: { status: 'running' } }],
    stats: {
      alive: true,
      inputs_bandwidth: 4_523_499,
      running_transcoder: true,
      dvr_enabled: false,
      media_info: {
        tracks: [
          { content: 'video', codec: 'h264', width: 1920, height: 1080, bitrate: 4000 },
          { content: 'audio', codec: 'aac', bitrate: 192 },
        ],
      },
    },
  }
  expect(StreamDetail.parse(detail)).toEqual(detail)
})
