import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  listSignalPaths,
  readSignalPath,
  type PathKind,
} from '@trunkline/contract/paths/path.calls'
import type { QueryOf } from '@trunkline/contract/route'
import { call } from '../lib/call.ts'

/** What is configured changes seldom; a hop that may not be seen has its health by this alone. */
export const READ_EVERY_MS = 10_000

export interface PathObject {
  kind: PathKind
  /** A feeder goes by its name. */
  id: string
}

export function signalPathQuery({ kind, id }: PathObject) {
  return queryOptions({
    queryKey: ['signalPath', kind, id],
    queryFn: async ({ signal }) =>
      (await call(readSignalPath, { params: { kind, id }, signal })).data,
    refetchInterval: READ_EVERY_MS,
    refetchIntervalInBackground: false,
    staleTime: 0,
    retry: false,
  })
}

/** First part of the key of every list of paths. */
export const PATHS_KEY = 'signalPaths'

export type PathList = QueryOf<typeof listSignalPaths>

export function signalPathsQuery(list: PathList) {
  return queryOptions({
    queryKey: [PATHS_KEY, list],
    queryFn: async ({ signal }) => call(listSignalPaths, { query: list, signal }),
    placeholderData: keepPreviousData,
  })
}
