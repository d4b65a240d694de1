/** What the Contributions pages ask for, and under which keys; 'input' and 'output' are invalidated by push. */
import type { OUTPUT_SORTS } from '@trunkline/contract/contributions/output.calls'
import type { INPUT_SORTS } from '@trunkline/contract/contributions/input.calls'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ACTION_TYPE } from '@trunkline/contract/contributions/contribution.calls'
import {
  listInputs,
  matchInputs,
  readInput,
  readInputStatus,
} from '@trunkline/contract/contributions/input.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { MatchingLinks } from '@trunkline/contract/contributions/link.schema'
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import {
  listOutputs,
  matchOutputs,
  readOutputStatus,
} from '@trunkline/contract/contributions/output.calls'
import { SUGGESTIONS_LIMIT, type Sort } from '@trunkline/contract/paging.schema'
import { call } from '../lib/call.ts'
import { linkActionLogQuery, type LogUse } from '../programs/log/log.queries.ts'
import { statusQuery } from '../programs/status/status.queries.ts'
import { CHOOSER_ROWS, type ChoiceSource, orNone } from '../shared/choices/choices.hook.ts'
import type { ObjectWord } from './contribution.messages.ts'
import type { Link } from './link.rules.ts'
import { countFeedersTo } from '@trunkline/contract/encoders/feeder.calls'
import type { FeedersTo } from './inputs/server-change.rules.ts'

export interface InputList {
  page: number
  rowsPerPage: number
  searchValue: string
  serverId: string
  groupId: string
  sort?: Sort<(typeof INPUT_SORTS)[number]>
}

export interface OutputList {
  page: number
  rowsPerPage: number
  searchValue: string
  contributionId: string
  destinationId: string
  sort?: Sort<(typeof OUTPUT_SORTS)[number]>
}

/** A new question aborts the old one. */
export function inputsQuery(list: InputList) {
  return queryOptions({
    queryKey: ['input', 'list', list],
    queryFn: async ({ signal }) => call(listInputs, { query: list, signal }),
    placeholderData: keepPreviousData,
  })
}

export function outputsQuery(list: OutputList) {
  return queryOptions({
    queryKey: ['output', 'list', list],
    queryFn: async ({ signal }) => call(listOutputs, { query: list, signal }),
    placeholderData: keepPreviousData,
  })
}

/** All that match the filter, on whatever page, without their rows. */
export async function matchingInputs(list: InputList): Promise<MatchingLinks> {
  const { searchValue, serverId, groupId } = list
  return (await call(matchInputs, { query: { searchValue, serverId, groupId } })).data
}

export async function matchingOutputs(list: OutputList): Promise<MatchingLinks> {
  const { searchValue, contributionId, destinationId } = list
  const query = { searchValue, contributionId, destinationId }
  return (await call(matchOutputs, { query })).data
}

/** How many there are in all, for the tabs; the smallest page brings the count along. */
export function inputTotalQuery() {
  return queryOptions({
    queryKey: ['input', 'total'],
    queryFn: async ({ signal }) => call(listInputs, { query: { rowsPerPage: 1 }, signal }),
    select: (reply) => reply.total,
  })
}

export function outputTotalQuery() {
  return queryOptions({
    queryKey: ['output', 'total'],
    queryFn: async ({ signal }) => call(listOutputs, { query: { rowsPerPage: 1 }, signal }),
    select: (reply) => reply.total,
  })
}

/** CON-OUT-03, Q149: the first 12 as specified, then 12 of those that match what is typed. */
export const INPUTS: ChoiceSource<Input> = {
  kind: 'input',
  name: 'all',
  idOf: ({ id }) => id,
  find: async (searchValue, signal) => {
    const query = { page: 0, rowsPerPage: SUGGESTIONS_LIMIT, searchValue }
    const { contributions, total } = await call(listInputs, { query, signal })
    return { rows: contributions, total }
  },
  read: async (id, signal) => orNone(async () => call(readInput, { params: { id }, signal })),
}

/** How many outputs an input has at this moment. */
export async function outputsOfInput(contributionId: string): Promise<number> {
  return (await call(listOutputs, { query: { rowsPerPage: 1, contributionId } })).total
}

/** Q147: titles of that tab that match, at most 12. */
export function suggestionsQuery(kind: ObjectWord, text: string) {
  return queryOptions({
    queryKey: [kind, 'suggestions', text],
    queryFn: async ({ signal }) => (await matching(kind, text, signal)).map((item) => item.title),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
}

async function matching(
  kind: ObjectWord,
  searchValue: string,
  signal: AbortSignal,
): Promise<readonly { title: string }[]> {
  const query = { page: 0, rowsPerPage: SUGGESTIONS_LIMIT, searchValue }
  switch (kind) {
    case 'input':
      return (await call(listInputs, { query, signal })).contributions
    case 'output':
      return (await call(listOutputs, { query, signal })).outputs
    case 'destination':
      return (await call(listDestinations, { query, signal })).destinations
  }
}

/** Q132. */
export function linkStatusQuery({ kind, id, inputId, name }: Link, isWanted: boolean) {
  return statusQuery(kind, id, isWanted, async (signal) =>
    kind === 'input'
      ? call(readInputStatus, { params: { id }, signal })
      : call(readOutputStatus, { params: { contributionId: inputId, name }, signal }),
  )
}

/** The end of the link's log (type 12, CON-IN-26). */
export function linkLogQuery({ kind, id }: Link, use: LogUse) {
  return linkActionLogQuery(kind, id, use, { id, type: ACTION_TYPE.tailLog })
}

/** Inputs of that server to choose from. */
export function inputsOfServer(serverId: string): ChoiceSource<Input> {
  return {
    kind: 'input',
    name: serverId,
    idOf: ({ id }) => id,
    find: async (searchValue, signal) => {
      const query = { page: 0, rowsPerPage: CHOOSER_ROWS, serverId, searchValue }
      const { contributions, total } = await call(listInputs, { query, signal })
      return { rows: contributions, total }
    },
    read: async (id, signal) => (await call(readInput, { params: { id }, signal })).data,
  }
}

/** Those that send to the old server go on doing so. */
export function feedersToQuery(serverId: string) {
  return queryOptions({
    queryKey: ['encoder', 'feeders-to', serverId],
    queryFn: async ({ signal }): Promise<FeedersTo[]> => {
      const { data } = await call(countFeedersTo, { query: { serverId }, signal })
      return data.map((port) => ({ serverId, ...port }))
    },
  })
}
