/** What the dialog 'Change server' offers, foretells and shows of each input. Pure. */
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { LinkFailure } from '@trunkline/contract/contributions/link.schema'
import type { Server } from '@trunkline/contract/servers/server.schema'
import * as text from './server-change.messages.ts'

/** Any adapter; no pair has this id. */
export const ANY_ADAPTER = ''

export interface ServerChange {
  serverId: string
  /** Of an adapter pair; '' for Any. */
  adapterId: string
  keepOrDelete: '0' | '1'
}

/** Servers that at least one of the inputs is not on yet. */
export function serverChoices(servers: readonly Server[], inputs: readonly Input[]): Server[] {
  return servers.filter(({ _id }) => inputs.some(({ serverId }) => serverId !== _id))
}

/** Those that are there already stay. */
export function inputsToMove(inputs: readonly Input[], serverId: string): Input[] {
  return inputs.filter((input) => input.serverId !== serverId)
}

/** How many feeders send to a port of a server. */
export interface FeedersTo {
  serverId: string
  port: number
  feeders: number
}

/** Feeders that send to this input's port of its present server. */
export function feedersOf(input: Input, feedersTo: readonly FeedersTo[]): number {
  if (!isListening(input)) return 0
  const { serverId, config } = input
  const there = feedersTo.find((item) => {
    return item.serverId === serverId && item.port === Number(config.port)
  })
  return there?.feeders ?? 0
}

/** Callers send to it, so feeders may. */
export function isListening({ inputType, config }: Input): boolean {
  return inputType !== 'Local' && config.mode === 'Listen'
}

/** What happens to this input, first things first. */
export function consequencesOf(
  input: Input,
  feedersTo: readonly FeedersTo[],
  server: Server | null,
  adapterId = ANY_ADAPTER,
): string[] {
  if (server !== null && input.serverId === server._id) return [text.ALREADY_THERE]
  const { outputIds, inputType, config } = input
  const old = input.serverInfo.title
  const lines = [text.moves(outputIds.length, old, server?.title ?? '')]
  if (inputType === 'Local') return [...lines, text.LOCAL_MOVES]
  if (config.mode === 'Listen') {
    const pair = server?.adapterIps.find(({ _id }) => _id === adapterId)
    lines.push(text.redial(String(config.port), pair?.adapterIp ?? server?.host ?? ''))
  }
  const feeders = feedersOf(input, feedersTo)
  if (feeders > 0) lines.push(text.feedersStay(feeders, old))
  return lines
}

export type Result = 'moved' | 'failed' | 'moving'

export interface ItemResult {
  input: Input
  result: Result
  sentences: readonly string[]
}

export interface Outcome {
  moved: readonly string[]
  failed: readonly LinkFailure[]
  notes: readonly { name: string; note: string }[]
}

/** Nothing is known of any input yet. */
export const NOTHING_YET: Outcome = { moved: [], failed: [], notes: [] }

/** A proxy between gives up after a minute; the API moves four at a time, each within 15 s or not at all. */
const AT_ONCE = 12

/** What is asked for in one call. */
export function parts(inputs: readonly Input[]): Input[][] {
  const count = Math.ceil(inputs.length / AT_ONCE)
  return Array.from({ length: count }, (_, at) => inputs.slice(at * AT_ONCE, (at + 1) * AT_ONCE))
}

export function together(a: Outcome, b: Outcome): Outcome {
  return {
    moved: [...a.moved, ...b.moved],
    failed: [...a.failed, ...b.failed],
    notes: [...a.notes, ...b.notes],
  }
}

/** Of these nothing became, as the sentence says. */
export function failedAll(inputs: readonly Input[], error: string): Outcome {
  return { ...NOTHING_YET, failed: inputs.map(({ name }) => ({ name, error })) }
}

/** One line per input: those that were not moved first, else in the order that they were chosen in. */
export function resultsOf(
  inputs: readonly Input[],
  { moved, failed, notes }: Outcome,
): ItemResult[] {
  const movedNames = new Set(moved)
  const errors = new Map(failed.map(({ name, error }) => [name, error]))
  const notesOf = Map.groupBy(notes, ({ name }) => name)
  const results = inputs.map((input): ItemResult => {
    const { name, _id } = input
    if (movedNames.has(name)) {
      const sentences = (notesOf.get(name) ?? []).map(({ note }) => note)
      return { input, result: 'moved', sentences }
    }
    const error = errors.get(name) ?? errors.get(_id) ?? text.NOT_MOVED
    return { input, result: 'failed', sentences: [error] }
  })
  const isFailed = ({ result }: ItemResult) => result === 'failed'
  return [...results.filter(isFailed), ...results.filter((result) => !isFailed(result))]
}

/** While it lasts, by what was answered so far and by where the list has each now: what each waits for. */
export function progressOf(
  inputs: readonly Input[],
  now: readonly Input[],
  { moved, failed }: Outcome,
  server: Pick<Server, '_id' | 'title'>,
): ItemResult[] {
  const there = new Set(now.filter((input) => input.serverId === server._id).map(({ _id }) => _id))
  const movedNames = new Set(moved)
  const errors = new Map(failed.map(({ name, error }) => [name, error]))
  const asked = moved.length + failed.length + AT_ONCE
  return inputs.map((input, at) => {
    const error = errors.get(input.name)
    if (error !== undefined) return { input, result: 'failed', sentences: [error] }
    if (movedNames.has(input.name) || there.has(input._id)) {
      return { input, result: 'moved', sentences: [] }
    }
    const waits = at < asked ? text.startsOn(server.title) : text.AFTER_OTHERS
    return { input, result: 'moving', sentences: [waits] }
  })
}

/** Once all are on the new server: the old ones that must still stop what ran there. */
export function serversToStop(items: readonly ItemResult[], { moved }: Outcome): string[] {
  if (items.some(({ result }) => result === 'moving')) return []
  const isAnswered = new Set(moved)
  const waiting = items.filter(({ input, result }) => {
    return result === 'moved' && !isAnswered.has(input.name)
  })
  return [...new Set(waiting.map(({ input }) => input.serverInfo.title))]
}
