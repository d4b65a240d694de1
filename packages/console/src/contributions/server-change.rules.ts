/** What the dialog 'Change server' offers, foretells and shows of each input. Pure. */
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { LinkFailure } from '@trunkline/contract/contributions/link.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
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

/** Servers that at least one of the inputs is not on yet, in order of title. */
export function serverChoices(servers: readonly Server[], inputs: readonly Input[]): Server[] {
  return servers
    .filter(({ serverType }) => serverType === 'acants')
    .filter(({ _id }) => inputs.some(({ serverId }) => serverId !== _id))
    .toSorted((one, other) => one.title.localeCompare(other.title, 'en'))
}

/** Those that are there already stay. */
export function inputsToMove(inputs: readonly Input[], serverId: string): Input[] {
  return inputs.filter((input) => input.serverId !== serverId)
}

/** Feeders that send to this input's port of its present server. */
export function feedersOf(input: Input, encoders: readonly Encoder[]): number {
  if (input.inputType === 'Local' || input.config.mode === 'Push') return 0
  const port = Number(input.config.port)
  return encoders
    .flatMap(({ config }) => config?.feeder ?? [])
    .filter(({ serverId, output }) => {
      return serverId === input.serverId && output.some((target) => target.port === port)
    }).length
}

/** What happens to this input, first things first. */
export function foretold(
  input: Input,
  encoders: readonly Encoder[],
  server: Server | null,
): string[] {
  if (server !== null && input.serverId === server._id) return [text.ALREADY_THERE]
  const { outputIds, inputType, config } = input
  const old = input.serverInfo.title
  const lines = [text.moves(outputIds.length, old, server?.title ?? '')]
  if (inputType === 'Local') return [...lines, text.LOCAL_MOVES]
  if (config.mode === 'Listen') lines.push(text.redial(String(config.port), server?.host ?? ''))
  const feeders = feedersOf(input, encoders)
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

/** One line per input, in the order that they were chosen in. */
export function resultsOf(
  inputs: readonly Input[],
  { moved, failed, notes }: Outcome,
): ItemResult[] {
  return inputs.map((input) => {
    const isMoved = moved.includes(input.name)
    const failure = failed.find(({ name }) => name === input.name || name === input._id)
    const known = notes.filter(({ name }) => name === input.name).map(({ note }) => note)
    return {
      input,
      result: isMoved ? 'moved' : 'failed',
      sentences: isMoved ? known : [failure?.error ?? text.NOT_MOVED],
    }
  })
}

/** `there`: ids of the inputs that the list has on the new server by now. */
export function progressOf(inputs: readonly Input[], there: ReadonlySet<string>): ItemResult[] {
  return inputs.map((input) => ({
    input,
    result: there.has(input._id) ? 'moved' : 'moving',
    sentences: [],
  }))
}
