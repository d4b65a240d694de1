import { queryOptions } from '@tanstack/react-query'
import {
  type LinkTest,
  readLinkTest,
  type LinkTestHostKind,
  readLinkTestHost,
} from '@trunkline/contract/link-tests/link-test.calls'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'

/** A host may come back, or go away, while the dialog is open. */
const HOST_EVERY_MS = 5000
/** Hosts report four times a second. */
const TEST_EVERY_MS = 500

/** '' asks for none. */
export function linkTestHostQuery(kind: LinkTestHostKind, id: string) {
  return queryOptions({
    queryKey: ['linkTestHost', kind, id],
    queryFn: async ({ signal }) =>
      (await call(readLinkTestHost, { params: { kind, id }, signal })).data,
    enabled: id !== '',
    refetchInterval: HOST_EVERY_MS,
    staleTime: 0,
    retry: false,
  })
}

export interface TestRef {
  id: string
  fromKind: LinkTestHostKind
  fromId: string
  toServerId: string
}

/** Of the call that reads or cancels it. */
export function refOf({ id, fromKind, fromId, toServerId }: TestRef) {
  return { params: { testId: id }, query: { fromKind, fromId, toServerId } }
}

/** Read until it is over, or not there any more. */
export function linkTestQuery(test: TestRef) {
  return queryOptions({
    queryKey: ['linkTest', test.id],
    queryFn: async ({ signal }) => (await call(readLinkTest, { ...refOf(test), signal })).data,
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
