import { queryOptions } from '@tanstack/react-query'
import {
  type LinkTest,
  readLinkTest,
  readLinkTestServer,
} from '@trunkline/contract/link-tests/link-test.calls'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'

/** A server may come back, or go away, while the dialog is open. */
const SERVER_EVERY_MS = 5000
/** Hosts report four times a second. */
const TEST_EVERY_MS = 500

/** '' asks for none. */
export function linkTestServerQuery(id: string) {
  return queryOptions({
    queryKey: ['linkTestServer', id],
    queryFn: async ({ signal }) =>
      (await call(readLinkTestServer, { params: { id }, signal })).data,
    enabled: id !== '',
    refetchInterval: SERVER_EVERY_MS,
    staleTime: 0,
    retry: false,
  })
}

export interface TestRef {
  id: string
  fromServerId: string
  toServerId: string
}

/** Read until it is over, or not there any more. */
export function linkTestQuery({ id: testId, fromServerId: id, toServerId }: TestRef) {
  return queryOptions({
    queryKey: ['linkTest', testId],
    queryFn: async ({ signal }) =>
      (await call(readLinkTest, { params: { id, testId }, query: { toServerId }, signal })).data,
    refetchInterval: ({ state }) =>
      isOver(state.data) || isGone(state.error) ? false : TEST_EVERY_MS,
    // A test that nobody reads ends, and this browser shows it.
    refetchIntervalInBackground: true,
    staleTime: 0,
    retry: false,
  })
}

export function isOver(test: LinkTest | undefined): boolean {
  return test !== undefined && ['done', 'cancelled', 'failed'].includes(test.state)
}

export function isGone(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}
