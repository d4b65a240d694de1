/**
 * What is chosen out of a list that may be too long to be read (OUT-FORM-17): the first rows of those
 * that match what is typed, and the chosen row wherever it stands in the list.
 */
import {
  keepPreviousData,
  type QueryKey,
  useQueries,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query'
import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import { useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { useTypedSearch } from '../../lib/typing.hook.ts'

/** How many rows are read at a time; the rest is found by typing. */
export const CHOOSER_ROWS = 100

export interface FoundRows<T> {
  rows: readonly T[]
  /** How many match, read or not. */
  total: number
}

export interface ChoiceSource<T> {
  kind: ObjectKind
  /** Of the cache: what else distinguishes this list from others of the kind. */
  name: string
  idOf: (row: T) => string
  find: (searchText: string, signal: AbortSignal) => Promise<FoundRows<T>>
  /** null when there is none of that id, or none that this user may see. */
  read: (id: string, signal: AbortSignal) => Promise<T | null>
  /** What this browser kept: shown until the list is read, which then is done at each opening. */
  remembered?: () => FoundRows<T> | undefined
}

export interface Choices<T> {
  /** The chosen one stands first where it is not among those that were found. */
  rows: readonly T[]
  /** How many match beside those that were found. */
  more: number
  onType: (text: string) => void
  /** Of all, whatever is typed; 0 while it is not read. */
  total: number
  /** null while it is not read, or not there. */
  chosen: T | null
  /** It was looked for, and is not there. */
  isGone: boolean
  /** Of what was read lately; null for the rest. */
  known: (id: string) => T | null
  isRead: boolean
  isError: boolean
}

/** What a call finds by id; null when there is none of that id, or none that this user may see. */
export async function orNone<T>(read: () => Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await read()).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** `chosenId`: '' for none. Nothing is read while `isWanted` is false. */
export function useChoices<T>(
  source: ChoiceSource<T>,
  chosenId: string,
  isWanted = true,
): Choices<T> {
  const { idOf } = source
  const [remembered] = useState(source.remembered)
  const known = useKnown(source, remembered)
  const [typed, onType] = useTypedSearch()
  const first = useQuery({ ...foundQuery(source, ''), enabled: isWanted })
  const found = useQuery({
    ...foundQuery(source, typed),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  const all = first.data ?? remembered
  const shown = found.data ?? all
  const listed = shown?.rows ?? []
  const isChosen = (row: T) => idOf(row) === chosenId
  const among = listed.find(isChosen) ?? all?.rows.find(isChosen)
  const isRead = first.isSuccess
  const isUnlisted = isRead && chosenId !== '' && among === undefined
  const other = useQuery({
    ...chosenQuery(source, chosenId),
    enabled: isUnlisted,
  })
  // Read lately: while the one is read anew it keeps its title.
  const chosen = among ?? (other.data === undefined ? known(chosenId) : other.data)
  return {
    rows: chosen === null || listed.some(isChosen) ? listed : [chosen, ...listed],
    more: (shown?.total ?? 0) - listed.length,
    onType,
    total: all?.total ?? 0,
    chosen,
    isGone: isUnlisted && other.data === null && !other.isFetching && !first.isFetching,
    known,
    isRead,
    isError: first.isError || found.isError,
  }
}

/**
 * As `useChoices`, for several: while nothing is typed, those in `firstIds` stand first, and so does
 * each chosen one that was found by typing. `known` tells those that are there, of the chosen ones.
 */
export function useManyChoices<T>(
  source: ChoiceSource<T>,
  firstIds: readonly string[],
  chosenIds: readonly string[],
): Pick<Choices<T>, 'rows' | 'more' | 'onType' | 'known' | 'isRead' | 'isError'> {
  const { rows, more, onType, known, isRead, isError } = useChoices(source, '')
  const [isNarrowed, setNarrowed] = useState(false)
  const ids = [...new Set([...firstIds, ...chosenIds])]
  const reads = useQueries({
    queries: ids.map((id) => ({
      ...chosenQuery(source, id),
      enabled: isRead && known(id) === null,
    })),
  })
  const listed = new Set(rows.map(source.idOf))
  const ahead = ids.filter((id) => firstIds.includes(id) || !listed.has(id))
  const others = rows.filter((row) => !ahead.includes(source.idOf(row)))
  return {
    rows: isNarrowed ? rows : [...ahead.flatMap((id) => known(id) ?? []), ...others],
    more,
    onType: (text) => {
      setNarrowed(text !== '')
      onType(text)
    },
    known,
    isRead: isRead && reads.every(({ isLoading }) => !isLoading),
    isError: isError || reads.some((read) => read.isError),
  }
}

type Query<D> = Pick<UseQueryOptions<D>, 'staleTime' | 'retry'> & {
  queryKey: QueryKey
  queryFn: (asked: { signal: AbortSignal }) => Promise<D>
}

function foundQuery<T>(source: ChoiceSource<T>, searchText: string): Query<FoundRows<T>> {
  const { kind, name, remembered } = source
  return {
    queryKey: [kind, 'choices', name, searchText],
    queryFn: async ({ signal }) => source.find(searchText, signal),
    ...(remembered === undefined ? {} : { staleTime: 0 }),
  }
}

function chosenQuery<T>(source: ChoiceSource<T>, id: string): Query<T | null> {
  return {
    queryKey: [source.kind, 'chosen', source.name, id],
    queryFn: async ({ signal }) => source.read(id, signal),
    retry: false,
  }
}

function useKnown<T>(
  { kind, name, idOf }: ChoiceSource<T>,
  remembered: FoundRows<T> | undefined,
): (id: string) => T | null {
  const client = useQueryClient()
  return (id) => {
    const pages = client.getQueriesData<FoundRows<T>>({ queryKey: [kind, 'choices', name] })
    const rows = [...pages.map(([, page]) => page), remembered].flatMap((page) => page?.rows ?? [])
    const row = rows.find((row) => idOf(row) === id)
    return row ?? client.getQueryData<T | null>([kind, 'chosen', name, id]) ?? null
  }
}
