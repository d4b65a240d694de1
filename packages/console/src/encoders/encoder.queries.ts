/** What the encoder screens ask for, and under which keys it is cached. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  controlEncoder,
  countEncoders,
  findEncoder,
  listAllEncoders,
  readEncoderStatus,
  readThumbnail,
} from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { Show } from '@trunkline/contract/fleet/show.rules'
import { call } from '../lib/call.ts'
import { type LogUse, logQuery } from '../programs/log/log.queries.ts'
import { statusQuery } from '../programs/status/status.queries.ts'
import { commandName } from './encoder.rules.ts'
import type { Picture } from './picture/picture.rules.ts'

export interface EncoderList {
  page: number
  rows: number
  search: string
  /** '' for all groups. */
  group: string
}

/** Whatever their state. */
export function encodersQuery(list: EncoderList) {
  return shownEncodersQuery(list, 'all')
}

/**
 * DASH-05: with text everything is asked for. A new question aborts the old one (DASH-07); what
 * another choice of states showed does not stay until it is answered.
 */
export function shownEncodersQuery(list: EncoderList, show: Show) {
  const asked = list.search === '' ? list : { ...list, page: 0, rows: 0 }
  const body = show === 'all' ? asked : { ...asked, show }
  return queryOptions({
    queryKey: ['encoder', 'all', body],
    queryFn: async ({ signal }) => call(listAllEncoders, { body, signal }),
    placeholderData: (before, query) => (showOf(query?.queryKey) === show ? before : undefined),
    // Nobody pushes that an encoder has left a page of a state.
    ...(show === 'all' ? {} : { staleTime: 0 }),
  })
}

function showOf(key: readonly unknown[] | undefined): unknown {
  const body = key?.[2]
  return typeof body === 'object' && body !== null && 'show' in body ? body.show : 'all'
}

/** How many of those that match a search are in which state. */
export function encoderCountsQuery(search: string, group: string) {
  return queryOptions({
    queryKey: ['encoder', 'counts', search, group],
    queryFn: async ({ signal }) =>
      (await call(countEncoders, { query: { search, group }, signal })).data,
  })
}

/** Single encoders, wherever in the fleet they stand. */
export function pickedEncodersQuery(ids: readonly string[]) {
  const body = { page: 0, rows: 0, search: '', group: '', ids: [...ids] }
  return queryOptions({
    queryKey: ['encoder', 'all', body],
    queryFn: async ({ signal }) => (await call(listAllEncoders, { body, signal })).result,
    placeholderData: keepPreviousData,
  })
}

export function encoderQuery(id: string) {
  return queryOptions({
    queryKey: ['encoder', 'one', id],
    queryFn: async ({ signal }) => (await call(findEncoder, { params: { id }, signal })).data,
  })
}

/** Q64; one question in flight per encoder. */
export function encoderStatusQuery(id: string, isWanted: boolean) {
  return statusQuery('encoder', id, isWanted, async (signal) =>
    call(readEncoderStatus, { params: { id }, signal }),
  )
}

const PICTURE_EVERY_MS = 4000
/** Long enough to look at another page and back; no picture outlives its card for longer. */
const PICTURE_KEPT_MS = 60_000

/** The newest picture of an encoder; what has not changed since is not sent again. Only the last is kept. */
export function encoderPictureQuery(id: string, isWanted: boolean) {
  const queryKey = ['picture', id] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<Picture | null> => {
      const known = client.getQueryData<Picture | null>(queryKey) ?? null
      const query = { after: known?.takenAtMs ?? 0 }
      return (await call(readThumbnail, { params: { id }, query, signal })).data ?? known
    },
    enabled: isWanted,
    refetchInterval: PICTURE_EVERY_MS,
    refetchIntervalInBackground: false,
    staleTime: 0,
    gcTime: PICTURE_KEPT_MS,
    retry: false,
  })
}

/** The last lines of the encoder's log (Q75). */
export function encoderLogQuery(encoder: Encoder, use: LogUse) {
  const params = { id: encoder._id }
  const body = { data: { name: commandName(encoder), command: 'tail' as const } }
  return logQuery('encoder', encoder._id, use, async (signal) =>
    call(controlEncoder, { params, body, signal }),
  )
}
