/** What is asked of destinations, and the copy of their list that this browser keeps (STORE-08). */
import type { DESTINATION_SORTS } from '@trunkline/contract/contributions/destination.calls'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  listDestinations,
  matchDestinations,
} from '@trunkline/contract/contributions/destination.calls'
import { Destination } from '@trunkline/contract/contributions/destination.schema'
import { listOutputs } from '@trunkline/contract/contributions/output.calls'
import { SUGGESTIONS_LIMIT, type Sort } from '@trunkline/contract/paging.schema'
import { call } from '../../lib/call.ts'
import { storage } from '../../lib/storage.ts'
import { CHOOSER_ROWS, type ChoiceSource } from '../../shared/choices/choices.hook.ts'

export interface DestinationList {
  page: number
  rowsPerPage: number
  searchValue: string
  sort?: Sort<(typeof DESTINATION_SORTS)[number]>
}

/** What is needed of one to delete it. */
export type Named = Pick<Destination, 'id' | 'title'>

export function destinationsQuery(list: DestinationList) {
  return queryOptions({
    queryKey: ['destination', 'list', list],
    queryFn: async ({ signal }) => {
      const reply = await call(listDestinations, { query: list, signal })
      // A part of the list must not take the place of all of it, nor another order that of titles.
      const isWhole = reply.destinations.length === reply.total && list.searchValue === ''
      if (isWhole && list.sort === undefined) {
        keepDestinations(reply.destinations)
      }
      return reply
    },
    placeholderData: keepPreviousData,
  })
}

/** All that match the search, on whatever page, without their rows. */
export async function matchingDestinations({ searchValue }: DestinationList): Promise<Named[]> {
  const { ids, titles } = (await call(matchDestinations, { query: { searchValue } })).data
  return ids.map((id, at) => ({ id, title: titles[at] ?? id }))
}

/** A single one, wherever in the list it stands; null when there is none. */
export function destinationQuery(id: string) {
  return queryOptions({
    queryKey: ['destination', 'read', id],
    queryFn: async ({ signal }) => readDestination(id, signal),
  })
}

export function destinationTotalQuery() {
  return queryOptions({
    queryKey: ['destination', 'total'],
    queryFn: async ({ signal }) => call(listDestinations, { query: { rowsPerPage: 1 }, signal }),
    select: (reply) => reply.total,
  })
}

/** For choosing one. What this browser remembers is shown first, and read anew at once (Q156). */
export const DESTINATIONS: ChoiceSource<Destination> = {
  kind: 'destination',
  name: '',
  idOf: ({ id }) => id,
  find: async (searchValue, signal) => findDestinations(searchValue, CHOOSER_ROWS, signal),
  read: readDestination,
  remembered: () => {
    const rows = rememberedDestinations()
    return rows === undefined ? undefined : { rows, total: rows.length }
  },
}

/** CON-OUT-03, Q149: the first 12 as specified, then 12 of those that match what is typed. */
export const DESTINATION_FILTER: ChoiceSource<Destination> = {
  kind: 'destination',
  name: 'filter',
  idOf: ({ id }) => id,
  find: async (searchValue, signal) => findDestinations(searchValue, SUGGESTIONS_LIMIT, signal),
  read: readDestination,
}

async function findDestinations(searchValue: string, rowsPerPage: number, signal: AbortSignal) {
  const query = { page: 0, rowsPerPage, searchValue }
  const { destinations: rows, total } = await call(listDestinations, { query, signal })
  if (searchValue === '' && rowsPerPage === CHOOSER_ROWS) keepDestinations(rows)
  return { rows, total }
}

async function readDestination(id: string, signal: AbortSignal): Promise<Destination | null> {
  const { destinations } = await call(listDestinations, { query: { id }, signal })
  return destinations.find((destination) => destination.id === id) ?? null
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
  return kept.flatMap((item) => Destination.safeParse(item).data ?? [])
}
