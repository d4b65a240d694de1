/**
 * The one place where media servers are asked about their streams: by the watch, for a detail, for a
 * Sync, after a command. One question per server is under way, however many want to know; those who
 * come meanwhile share it, or the next request. Every answer goes on the board.
 */
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { TaskQueues } from '@trunkline/contract/task-queue'
import type { Logger } from 'pino'
import type { LinkFault } from '../../hosts/link-fault.ts'
import type { FlussonicClient } from '../../stream-servers/flussonic.client.ts'
import {
  MediaServerDown,
  MediaServerRefused,
  type MediaServer,
} from '../../stream-servers/media-server.ts'
import type { StreamBoard } from './stream-board.ts'

export interface AskedServer extends MediaServer {
  id: string
}

export interface StreamQuestionsOptions {
  mediaServers: FlussonicClient
  streams: StreamBoard
  /** The server as its record has it now; undefined: there is no record. */
  current: (serverId: string) => MediaServer | undefined
  log: Logger
}

type Answer = ReadonlyMap<string, StreamDetail>

interface Question extends PromiseWithResolvers<Answer> {
  /** Which stream; null: all of them. */
  name: string | null
}

/** The questions to one server. */
interface Lane {
  running: Question | null
  /** Begins when `running` ends. */
  waiting: Question | null
}

export class StreamQuestions {
  readonly #options: StreamQuestionsOptions
  readonly #lanes = new Map<string, Lane>()
  /** By server and name of the stream. */
  readonly #commands = new TaskQueues()
  /** Streams of each server that could not be taken into its list, as last logged. */
  readonly #leftOut = new Map<string, number>()

  constructor(options: StreamQuestionsOptions) {
    this.#options = options
  }

  /** All streams, by the current request or a new one. */
  async list(server: AskedServer): Promise<StreamDetail[]> {
    const { running } = this.#lane(server)
    const question = running?.name === null ? running : this.#next(server, null)
    return [...(await question.promise).values()]
  }

  /** One stream, by the current request or a new one. */
  async read(server: AskedServer, name: string): Promise<StreamDetail> {
    const { running } = this.#lane(server)
    if (running === null || (running.name !== null && running.name !== name)) {
      return this.readAfresh(server, name)
    }
    return streamIn(await running.promise, name)
  }

  /** One stream, by a question that begins from now on: after it was changed. */
  async readAfresh(server: AskedServer, name: string): Promise<StreamDetail> {
    return streamIn(await this.#next(server, name).promise, name)
  }

  /**
   * Commands to one stream, one after the other, as far as this process gives them
   * (channels/stream-turn.service.ts). They do not wait for questions.
   */
  async inTurn<T>(serverId: string, name: string, command: () => Promise<T>): Promise<T> {
    return this.#commands.add(`${serverId}/${name}`, command)
  }

  #lane(server: AskedServer): Lane {
    return this.#lanes.get(keyOf(server)) ?? { running: null, waiting: null }
  }

  /** The question that follows the one under way; wanted for several streams it is for all. */
  #next(server: AskedServer, name: string | null): Question {
    const lane = this.#lane(server)
    this.#lanes.set(keyOf(server), lane)
    if (lane.waiting === null) lane.waiting = { name, ...Promise.withResolvers<Answer>() }
    else if (lane.waiting.name !== name) lane.waiting.name = null
    const question = lane.waiting
    if (lane.running === null) void this.#run(server, lane)
    return question
  }

  async #run(server: AskedServer, lane: Lane): Promise<void> {
    for (let question = lane.waiting; question !== null; question = lane.waiting) {
      lane.waiting = null
      lane.running = question
      const { name } = question
      await (name === null ? this.#askAll(server) : this.#askStream(server, name)).then(
        question.resolve,
        question.reject,
      )
      lane.running = null
    }
    this.#lanes.delete(keyOf(server))
  }

  async #askAll(server: AskedServer): Promise<Answer> {
    const { mediaServers, streams } = this.#options
    try {
      const answer = await mediaServers.list(server)
      this.#logLeftOut(server.id, answer.leftOut)
      if (this.#isCurrent(server)) await streams.answered(server.id, answer.streams)
      return new Map(answer.streams.map((stream) => [stream.name, stream]))
    } catch (error) {
      const fault = faultOf(server, error)
      if (fault !== null && this.#isCurrent(server)) await streams.silent(server.id, fault)
      throw error
    }
  }

  /** That one stream cannot be read says nothing about the others, so its fault is not the server's. */
  async #askStream(server: AskedServer, name: string): Promise<Answer> {
    const { mediaServers, streams, current } = this.#options
    const isOutdated = () => current(server.id) !== undefined && !this.#isCurrent(server)
    try {
      const stream = await mediaServers.readStream(server, name)
      if (!isOutdated()) streams.answeredStream(server.id, { ...stream, name })
      return new Map([[name, stream]])
    } catch (error) {
      const isGone = error instanceof MediaServerRefused && error.kind === 'unknown stream'
      if (isGone && !isOutdated()) streams.gone(server.id, name)
      throw error
    }
  }

  #isCurrent(server: AskedServer): boolean {
    return isSameServer(this.#options.current(server.id), server)
  }

  /** Once for each number: the same list is asked for again and again. */
  #logLeftOut(serverId: string, leftOut: number): void {
    if (leftOut === (this.#leftOut.get(serverId) ?? 0)) return
    this.#leftOut.set(serverId, leftOut)
    this.#options.log.warn(
      { serverId, leftOut },
      'streams that cannot be read, or whose names cannot be played, are left out',
    )
  }
}

/** Whether an answer of the one says anything about the other. */
export function isSameServer(a: MediaServer | undefined, b: MediaServer): boolean {
  return a?.baseUrl === b.baseUrl && a.apiKey === b.apiKey
}

function faultOf(server: MediaServer, error: unknown): LinkFault | null {
  if (error instanceof MediaServerDown) return error.fault
  if (!(error instanceof MediaServerRefused)) return null
  const { host } = new URL(server.baseUrl)
  const sentence = `The media server ${host} does not list its streams: ${error.message}`
  return { kind: 'refused', sentence }
}

function streamIn(answer: Answer, name: string): StreamDetail {
  const stream = answer.get(name)
  if (stream === undefined) throw new MediaServerRefused('It is not in the list.', 'unknown stream')
  return stream
}

function keyOf({ id, baseUrl, apiKey }: AskedServer): string {
  return `${id} ${baseUrl} ${apiKey}`
}
