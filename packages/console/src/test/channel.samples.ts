/** Valid channels, streams and their statuses for tests; each test changes what it is about. */
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { StreamStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { z } from 'zod'

export function channelOf(name: string, parts: Partial<Channel> = {}): Channel {
  return {
    _id: `id-${name}`,
    id: `id-${name}`,
    name,
    title: `Channel ${name}`,
    serverId: 'stream-01',
    serverInfo: { _id: 'stream-01', host: '127.0.0.1', port: 8081, title: 'stream-01' },
    groupIds: ['north'],
    version: 1,
    ...parts,
  }
}

/** Alive, with picture and sound. */
export function streamOf(
  name: string,
  parts: Partial<z.input<typeof StreamDetail>> = {},
): StreamDetail {
  return StreamDetail.parse({
    name,
    disabled: false,
    template: 'abr-3',
    inputs: [
      { url: 'udp://239.10.4.16:5000', stats: { active: false } },
      { url: 'srt://203.0.113.20:7016', stats: { active: true } },
    ],
    pushes: [],
    stats: {
      alive: true,
      inputs_bandwidth: 4_523_499,
      running_transcoder: false,
      dvr_enabled: true,
      media_info: {
        tracks: [
          { content: 'video', codec: 'h264', width: 1920, height: 1080 },
          { content: 'audio', codec: 'aac', bitrate: 256 },
        ],
      },
    },
    ...parts,
  })
}

export function streamStatusOf(stream: StreamDetail): StreamStatus {
  const { name: streamName } = stream
  return { serverId: 'stream-01', streamName, stream, readAtMs: Date.now(), cause: '' }
}
