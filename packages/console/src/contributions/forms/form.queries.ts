/** What the input and output forms ask for, beside the lists of their page. */
import { queryOptions } from '@tanstack/react-query'
import { nextMulticast, readInput } from '@trunkline/contract/contributions/input.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { readOutput } from '@trunkline/contract/contributions/output.calls'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { findEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { nextFeederPort } from '@trunkline/contract/encoders/feeder.calls'
import { findServer } from '@trunkline/contract/servers/server.calls'
import { call } from '../../lib/call.ts'
import type { LinkKind } from '../link.rules.ts'

/** '' asks for none. */
export function inputQuery(id: string) {
  return queryOptions({
    queryKey: ['input', 'one', id],
    queryFn: async ({ signal }) => (await call(readInput, { params: { id }, signal })).data,
    enabled: id !== '',
  })
}

/** An input as above, or an output. */
export function linkQuery(kind: LinkKind, id: string) {
  return queryOptions<Input | Output>({
    queryKey: [kind, 'one', id],
    queryFn: async ({ signal }) => {
      const ask = { params: { id }, signal }
      return kind === 'input'
        ? (await call(readInput, ask)).data
        : (await call(readOutput, ask)).data
    },
  })
}

/** The encoder that a new input is made for; '' asks for none. */
export function fedByQuery(encoderId: string) {
  return queryOptions({
    queryKey: ['encoder', 'one', encoderId],
    queryFn: async ({ signal }) =>
      (await call(findEncoder, { params: { id: encoderId }, signal })).data,
    enabled: encoderId !== '',
    retry: false,
  })
}

/** IN-FORM-12: with its adapters. Null when there is none of that id; '' asks for none. */
export function serverQuery(id: string) {
  return queryOptions({
    queryKey: ['server', 'one', id],
    queryFn: async ({ signal }) => (await call(findServer, { params: { id }, signal })).data,
    enabled: id !== '',
    retry: false,
  })
}

/** IN-FORM-11, Q159. Not kept by the API, so never from the cache. */
export function nextGroupQuery(serverId: string, isWanted: boolean) {
  return queryOptions({
    queryKey: ['input', 'next-group', serverId],
    queryFn: async ({ signal }) =>
      (await call(nextMulticast, { query: { serverId }, signal })).multicast,
    enabled: isWanted && serverId !== '',
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** OUT-FORM-08, Q158: a port to listen at that is free there now. */
export function nextPortQuery(serverId: string, isWanted: boolean) {
  return queryOptions({
    queryKey: ['input', 'next-port', serverId],
    queryFn: async ({ signal }) =>
      String((await call(nextFeederPort, { query: { serverId }, signal })).port),
    enabled: isWanted && serverId !== '',
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
}
