import { z } from 'zod'
import { Page, pageSize, SearchText, sortBy } from '../paging.schema.ts'
import { route } from '../route.ts'
import { echoed, Id, Title, unlessEmpty, Version, wholeNumberIn } from '../text.schema.ts'
import { Channel, ChannelDraft, StreamName } from './channel.schema.ts'
import { StreamDetail } from './stream.schema.ts'
import { success } from '../reply.schema.ts'

/** More than stand on a wall. */
const PICKED_LIMIT = 100

export const CHANNEL_SORTS = ['title'] as const

export const listChannels = route({
  name: 'channels.list',
  method: 'POST',
  path: '/api/channel/get_channels',
  action: 'seeChannels',
  body: z
    .strictObject({
      serverId: z.string().max(64).default(''),
      groupId: z.string().max(64).default(''),
      searchValue: SearchText,
      page: Page,
      /** Foreign clients name none and get all. */
      rowsPerPage: pageSize(0),
      /** Only these; ours. */
      ids: z.array(Id).max(PICKED_LIMIT).optional(),
      /** '' for the order of creation. */
      sort: sortBy(CHANNEL_SORTS),
    })
    .prefault({}),
  reply: success({ data: z.array(Channel), total: z.number() }),
})

/** Saves the streams picked in the Sync dialog: an upsert on (serverId, name) that keeps titles (Q126). */
export const saveChannels = route({
  name: 'channels.save',
  method: 'POST',
  path: '/api/channel',
  action: 'syncChannels',
  body: z.array(ChannelDraft).max(1000),
  reply: success({ data: z.array(Channel) }),
  bodyLimitBytes: 256 * 1024,
})

export const renameChannel = route({
  name: 'channels.rename',
  method: 'PUT',
  path: '/api/channel/:channelId',
  action: 'renameChannel',
  params: z.object({ channelId: Id }),
  body: z.strictObject({
    title: Title,
    version: Version,
    ...echoed(['_id', 'id', 'name', 'serverId', 'serverInfo', 'groupIds']),
  }),
  reply: success({ data: Channel }),
})

/** With `streamName` one stream's detail; without it the server's whole list, manager-level only. */
export const readStreams = route({
  name: 'channels.streams',
  method: 'GET',
  path: '/api/channel/streams',
  action: 'seeChannels',
  query: z.strictObject({ serverId: Id, streamName: StreamName.optional() }),
  reply: success({
    streams: z.object({ streams: z.array(StreamDetail), estimated_count: z.number() }).optional(),
    streamDetail: StreamDetail.optional(),
  }),
})

const StreamAnswer = success({ data: z.object({ stream: StreamDetail }) })

const PushSwitch = z.strictObject({
  url: z.string().max(500),
  disabled: z.boolean(),
  stats: z.unknown().optional(),
})

/**
 * `data` is {disabled} for the stream, or {pushes} with the whole list (Q122). `pushIndex` is the
 * place in that list of the only one that was switched: the others stay as the server has them now,
 * so that what somebody else has switched meanwhile is not switched back.
 */
export const changeStreamStatus = route({
  name: 'channels.changeStatus',
  method: 'POST',
  path: '/api/channel/change_stream_status',
  action: 'switchChannel',
  body: z.strictObject({
    serverId: Id,
    streamName: StreamName,
    data: z.union([
      z.strictObject({ disabled: z.boolean() }),
      z.strictObject({ pushes: z.array(PushSwitch).max(64) }),
    ]),
    pushIndex: unlessEmpty(wholeNumberIn(0, 63, '').optional()),
  }),
  reply: StreamAnswer,
})

/** Restarts the stream: the server stops it and lets it come back unless it is disabled (Q121). */
export const restartStream = route({
  name: 'channels.restart',
  method: 'POST',
  path: '/api/channel/stop_stream',
  action: 'restartChannel',
  body: z.strictObject({ serverId: Id, streamName: StreamName }),
  reply: StreamAnswer,
})

/**
 * Makes one source of a stream the current one, until it dies or another is chosen. `url` is the
 * source's address as it was shown: the order may have changed meanwhile, and then this is 409.
 */
export const selectInput = route({
  name: 'channels.selectInput',
  method: 'POST',
  path: '/api/channel/select_input',
  action: 'selectInput',
  body: z.strictObject({
    serverId: Id,
    streamName: StreamName,
    /** Its place in the stream's `inputs`, from 0. */
    index: wholeNumberIn(0, 1000, ''),
    url: z.string().max(1000),
  }),
  reply: StreamAnswer,
})

/** Removes a channel from the list; its stream keeps running, and Sync adds it again (Q126). */
export const removeChannel = route({
  name: 'channels.remove',
  method: 'DELETE',
  path: '/api/channel/:channelId',
  action: 'removeChannel',
  params: z.object({ channelId: Id }),
  reply: success({}),
})

/**
 * Where a player loads a channel's playlist: from the media server itself when `direct` is set,
 * else through this API, whose playlist path carries the viewer's token (decisions.md 21).
 */
export const readPlayback = route({
  name: 'channels.playback',
  method: 'GET',
  path: '/api/channel/:channelId/playback',
  action: 'seeChannels',
  params: z.object({ channelId: Id }),
  reply: success({
    /**
     * {host}/{name}/index.m3u8 on the stream's server (CHAN-32), with a playback token where our own
     * channel server requires one.
     */
    direct: z.string(),
    /** ISO; until when `direct` opens; null: for good, or the server has not said yet. */
    directExpiresAt: z.string().nullable(),
    /** The same playlist through the API; relative to the API's base address. */
    relayed: z.string(),
  }),
})

/** Base of the relayed playlist and its segments; bytes, so it is mounted by hand, not by `mount`. */
export function relayPath(channelId: string, file: string): string {
  return `/api/channel/${channelId}/hls/${file}`
}
