/** What the encoder screens ask for, and under which keys it is cached. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  controlEncoder,
  findEncoder,
  listAllEncoders,
  readEncoderStatus,
  readThumbnail,
  summarizeEncoders,
} from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
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

/** DASH-05: with text everything is asked for. A new question aborts the old one (DASH-07). */
export function encodersQuery(list: EncoderList) {
  const body = list.search === '' ? list : { ...list, page: 0, rows: 0 }
  return queryOptions({
    queryKey: ['encoder', 'all', body],
    queryFn: async ({ signal }) => call(listAllEncoders, { body, signal }),
    placeholderData: keepPreviousData,
  })
}

/** What the encoders of a group, or of all, are counted by. */
export function encoderSummaryQuery(group: string) {
  return queryOptions({
    queryKey: ['encoder', 'summary', group],
    queryFn: async ({ signal }) =>
      (await call(summarizeEncoders, { query: { group }, signal })).data,
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
