/** What the Channels pages read, and under which keys; 'channel' is what a live update invalidates. */
import type { Sort } from '@trunkline/contract/paging.schema'
import type { CHANNEL_SORTS } from '@trunkline/contract/channels/channel.calls'
import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { DETAIL_REFRESH_MS } from '@trunkline/contract/channels/channel.rules'
import { listChannels, readPlayback, readStreams } from '@trunkline/contract/channels/channel.calls'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { usePageQuery } from '../shared/page/page-query.hook.ts'
import { CHOOSER_ROWS, type ChoiceSource } from '../shared/choices/choices.hook.ts'

/** Q128. */
export const LIST_REFRESH_MS = 30_000

export interface ChannelFilter {
  serverId: string
  groupId: string
  searchValue: string
  page: number
  rowsPerPage: number
  sort?: Sort<(typeof CHANNEL_SORTS)[number]>
}

/** The filter, or single channels wherever in the list they stand. */
type AskedChannels = ChannelFilter | { ids: string[] }

export type StreamName = Pick<Channel, 'serverId' | 'name'>

export const channelKeys = {
  all: ['channel'] as const,
  list: (asked: AskedChannels) => ['channel', 'list', asked] as const,
  lists: ['channel', 'list'] as const,
  stream: ({ serverId, name }: StreamName) => ['channel', 'stream', serverId, name] as const,
  /** Of this channel alone; without an id of every one. */
  changes: (id?: string) => ['channel', 'changes', ...(id === undefined ? [] : [id])] as const,
  playback: (id: string) => ['channel', 'playback', id] as const,
}

export function channelsQuery(asked: AskedChannels) {
  return queryOptions({
    queryKey: channelKeys.list(asked),
    queryFn: async ({ signal }) => call(listChannels, { body: asked, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LIST_REFRESH_MS,
  })
}

/**
 * `isPaused`: never while a title is being edited (Q128), whatever is pushed meanwhile; what became
 * out of date is read once the editing is over.
 */
export function useChannels(filter: ChannelFilter, isPaused: boolean) {
  return usePageQuery({ ...channelsQuery(filter), enabled: !isPaused })
}

/** The channels this user may see. */
export const CHANNELS: ChoiceSource<Channel> = {
  kind: 'channel',
  name: '',
  idOf: ({ id }) => id,
  find: async (searchValue, signal) => {
    const { data, total } = await call(listChannels, {
      body: { searchValue, rowsPerPage: CHOOSER_ROWS },
      signal,
    })
    return { rows: data, total }
  },
  read: async (id, signal) =>
    (await call(listChannels, { body: { ids: [id] }, signal })).data[0] ?? null,
}

/** One stream as its server answers it now: null when it knows none by that name. */
export function useStreamAnswer(channel: StreamName, use: StreamUse) {
  return useQuery({
    queryKey: channelKeys.stream(channel),
    queryFn: async ({ signal }) => readStream(channel, signal),
    enabled: use !== 'not now',
    refetchInterval: use === 'every 10 s' ? DETAIL_REFRESH_MS : LIST_REFRESH_MS,
    // A detail begins with a reading of its own.
    refetchOnMount: use === 'every 10 s' ? 'always' : true,
    // The next turn asks again anyway, and what is on the screen must say how things stand.
    retry: false,
  })
}

export type StreamUse = 'every 10 s' | 'every 30 s' | 'not now'

async function readStream(
  { serverId, name }: StreamName,
  signal: AbortSignal,
): Promise<StreamDetail | null> {
  try {
    const query = { serverId, streamName: name }
    return (await call(readStreams, { query, signal })).streamDetail ?? null
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null
    throw error
  }
}

/** Links are valid for hours; so soon a server that only now requires them is played by one. */
const LINK_REFRESH_MS = 60_000

/** Where the picture is loaded from. It is read again before the link expires, hidden or not. */
export function usePlayback(channelId: string) {
  return useQuery({
    queryKey: channelKeys.playback(channelId),
    queryFn: async ({ signal }) => call(readPlayback, { params: { channelId }, signal }),
    staleTime: Infinity,
    // Nobody presses Retry on a wall.
    refetchInterval: ({ state }) =>
      state.data === undefined ? DETAIL_REFRESH_MS : LINK_REFRESH_MS,
    refetchIntervalInBackground: true,
  })
}

/** As many as the detail has room for. */
const CHANGES_SHOWN = 5

/** Newest first. Read on opening and after each action, not by the clock: people are slow. */
export function channelChangesQuery(channelId: string) {
  return queryOptions({
    queryKey: channelKeys.changes(channelId),
    queryFn: async ({ signal }) => {
      const query = { objectId: channelId, rowsPerPage: CHANGES_SHOWN }
      return (await call(listAudit, { query, signal })).data
    },
    retry: false,
  })
}
