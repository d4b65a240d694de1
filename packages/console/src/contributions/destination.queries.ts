/** What is asked of destinations, and the copy of their list that this browser keeps (STORE-08). */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import { Destination } from '@trunkline/contract/contributions/destination.schema'
import { listOutputs } from '@trunkline/contract/contributions/output.calls'
import { SUGGESTIONS_LIMIT } from '@trunkline/contract/paging.schema'
import { call } from '../lib/call.ts'
import { storage } from '../lib/storage.ts'

export interface DestinationList {
  page: number
  rowsPerPage: number
  searchValue: string
}

export function destinationsQuery(list: DestinationList) {
  return queryOptions({
    queryKey: ['destination', 'list', list],
    queryFn: async ({ signal }) => {
      const reply = await call(listDestinations, { query: list, signal })
      // A part of the list must not take the place of all of it.
      if (reply.destinations.length === reply.total && list.searchValue === '') {
        keepDestinations(reply.destinations)
      }
      return reply
    },
    placeholderData: keepPreviousData,
  })
}

export function destinationTotalQuery() {
  return queryOptions({
    queryKey: ['destination', 'total'],
    queryFn: async ({ signal }) => call(listDestinations, { query: { rowsPerPage: 1 }, signal }),
    select: (reply) => reply.total,
  })
}

/**
 * All destinations, for choosing one. What this browser remembers is shown first, and read anew at
 * once (Q156).
 */
export function allDestinationsQuery() {
  return queryOptions({
    queryKey: ['destination', 'all'],
    queryFn: async ({ signal }) => {
      const query = { page: 0, rowsPerPage: 0 }
      const { destinations } = await call(listDestinations, { query, signal })
      keepDestinations(destinations)
      return destinations
    },
    placeholderData: rememberedDestinations,
    staleTime: 0,
  })
}

/** CON-OUT-03, Q149: the first 12 as specified, then 12 of those that match what is typed. */
export function destinationChoicesQuery(searchValue: string) {
  const query = { page: 0, rowsPerPage: SUGGESTIONS_LIMIT, searchValue }
  return queryOptions({
    queryKey: ['destination', 'choices', searchValue],
    queryFn: async ({ signal }) => call(listDestinations, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

const NAMED = 12

/** Which outputs go there: the first few, and how many there are. */
export async function outputsOfDestination(destinationId: string) {
  const query = { page: 0, rowsPerPage: NAMED, destinationId }
  return call(listOutputs, { query })
}

/** Outputs that call its address and refer to no destination. */
export async function outputsToLink(destinationId: string) {
  const query = { page: 0, rowsPerPage: 500, linkableTo: destinationId }
  return (await call(listOutputs, { query })).outputs
}

function keepDestinations(destinations: readonly Destination[]): void {
  storage.listDestinations.write([...destinations])
}

/** What does not fit the contract of today is no destination. */
export function rememberedDestinations(): Destination[] | undefined {
  const kept = storage.listDestinations.read()
  if (kept === null) return undefined
  return kept.flatMap((one) => Destination.safeParse(one).data ?? [])
}
