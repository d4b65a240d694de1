/**
 * The media server API that 'channel' servers speak: streamer API v3 (dataplane.md section 7). Our
 * own channel server speaks the same. Sizes and times are limited, redirects are not followed.
 *
 * The key goes out as `Authorization: Bearer`. Documented is base64 of 'user:password', and so a key
 * that an operator typed as 'user:password' is sent in that form; any other goes out as typed.
 */
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { Agent, type Dispatcher } from 'undici'
import { faultOfError, notAnAgent, wrongKey } from '../hosts/link-fault.ts'
import type { DialGuard } from '../security/host-guard.ts'
import {
  cursorOf,
  errorOf,
  inputPlacesOf,
  parseJson,
  pushesOf,
  StreamPage,
  streamOf,
  type InputPlace,
  type PushConfig,
  type ServerError,
} from './media-answer.ts'
import {
  encodeName,
  MediaServerDown,
  MediaServerRefused,
  type MediaServer,
} from './media-server.ts'

export type { PushConfig } from './media-answer.ts'

const CALL_LIMIT_MS = 5000
/** All pages of a list together: a server that takes longer is as good as silent. */
const LIST_LIMIT_MS = 10_000
const API_PATH = '/streamer/api/v3'
/** Of one answer: 100 streams with all their tracks are some 300 kB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const PAGE_STREAMS = 100
/**
 * Where a list that never ends is given up: a hundred thousand streams, if the server makes its pages
 * as large as it may. Long lists are up against LIST_LIMIT_MS first.
 */
const MAX_PAGES = 1000
/** A page of polls and an operator's click at the same time; more would only queue at the server. */
const CONNECTIONS_PER_SERVER = 4
/** Files go to viewers at the viewers' own pace, so they have connections of their own. */
const FILE_CONNECTIONS_PER_SERVER = 64

export interface StreamList {
  streams: StreamDetail[]
  /** Streams that cannot be read, or whose name is none for us. */
  leftOut: number
}

/** What may be changed of a stream; the server keeps what is not named. */
export interface StreamChange {
  disabled?: boolean
  /** The whole list: how a server merges a part of it is not documented. */
  pushes?: readonly PushConfig[]
}

export class FlussonicClient {
  /** Keeps one small pool of connections for each server. */
  readonly #agent: Agent
  readonly #fileAgent: Agent
  readonly #maxPages: number
  readonly #guard: DialGuard

  constructor(guard: DialGuard, maxPages: number = MAX_PAGES) {
    this.#guard = guard
    this.#maxPages = maxPages
    const limits = {
      connect: { timeout: CALL_LIMIT_MS, lookup: guard.lookup },
      headersTimeout: CALL_LIMIT_MS,
      bodyTimeout: CALL_LIMIT_MS,
    }
    this.#agent = new Agent({ ...limits, connections: CONNECTIONS_PER_SERVER })
    this.#fileAgent = new Agent({ ...limits, connections: FILE_CONNECTIONS_PER_SERVER })
  }

  /**
   * Every stream of the server, each name once. Here and in every other answer the addresses are
   * without their secrets.
   */
  async list(server: MediaServer): Promise<StreamList> {
    const until = AbortSignal.timeout(LIST_LIMIT_MS)
    const byName = new Map<string, StreamDetail>()
    const seen = new Set<string>()
    let leftOut = 0
    let cursor = ''
    // A cursor that comes again would never end.
    while (!seen.has(cursor)) {
      // In a part of a list a deleted stream could not be distinguished from an unread stream.
      if (seen.size === this.#maxPages) throw new MediaServerDown(endless(server, byName.size))
      seen.add(cursor)
      const page = await this.#page(server, cursor, until)
      for (const value of page.streams) {
        const stream = streamOf(value)
        if (stream === null) leftOut += 1
        else byName.set(stream.name, stream)
      }
      cursor = cursorOf(page)
    }
    return { streams: [...byName.values()], leftOut }
  }

  async readStream(server: MediaServer, name: string): Promise<StreamDetail> {
    return streamDetail(server, await this.#stream(server, name))
  }

  async put(server: MediaServer, name: string, change: StreamChange): Promise<StreamDetail> {
    const stream = streamDetail(server, await this.#ask(server, 'PUT', streamPath(name), change))
    // What is read afterwards is the stream that was changed, whatever the answer calls itself.
    return { ...stream, name }
  }

  /** The stream's pushes as they are to be put back. */
  async pushes(server: MediaServer, name: string): Promise<PushConfig[]> {
    return readAs(server, pushesOf(await this.#stream(server, name)))
  }

  /** The stream, and the place on the server of each of its `inputs`. */
  async sources(
    server: MediaServer,
    name: string,
  ): Promise<{ stream: StreamDetail; places: InputPlace[] }> {
    const answer = await this.#stream(server, name)
    return { stream: streamDetail(server, answer), places: inputPlacesOf(answer) }
  }

  /** Makes one input the current one. `place` counts from 0, as the server counts. */
  async select(server: MediaServer, name: string, place: number): Promise<void> {
    const path = `${streamPath(name)}/inputs/${place}/select`
    const { statusCode, text } = await this.#exchange(server, 'POST', path)
    const error = errorOf(parseJson(text))
    // The call is no public one: a server may lack it, and then knows no such address.
    const isUnknownCall =
      statusCode === 405 || statusCode === 501 || (statusCode === 404 && !isAboutStream(error))
    if (isUnknownCall) throw new MediaServerRefused('', 'unknown call')
    checkStatus(server, statusCode, error)
  }

  /** Stop is restart: the server brings the stream back unless it is disabled (Q121). */
  async stop(server: MediaServer, name: string): Promise<void> {
    await this.#ask(server, 'POST', `${streamPath(name)}/stop`)
  }

  /** Milliseconds of one question that needs the key. */
  async probe(server: MediaServer): Promise<number> {
    const startMs = performance.now()
    await this.#ask(server, 'GET', '/monitoring/liveness')
    // Liveness may be open to anybody; the list is not, and one stream of it is cheap.
    const page = StreamPage.safeParse(await this.#ask(server, 'GET', '/streams?limit=1'))
    // A web server that answers 200 to everything is none of ours.
    if (!page.success) throw new MediaServerDown(notMedia(server))
    return performance.now() - startMs
  }

  /**
   * A file under the stream's own path, as a stream of bytes; the caller limits its size. `query`: with
   * its question mark, '' for none.
   */
  async file(
    server: MediaServer,
    name: string,
    file: string,
    query: string,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const path = `/${encodeName(name)}/${encodeName(file)}${query}`
    try {
      this.#assertInBounds(server)
      return await this.#fileAgent.request({ origin: server.baseUrl, path, method: 'GET', signal })
    } catch (error) {
      throw new MediaServerDown(faultOfError(at(server), error, 'media server'))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#fileAgent.destroy()])
  }

  /**
   * The stream of this name and no other: a name with slashes may be the address of a part of another
   * stream, such as one of its inputs, which is read and written like a stream.
   */
  async #stream(server: MediaServer, name: string): Promise<unknown> {
    const answer = await this.#ask(server, 'GET', streamPath(name))
    if (answer !== null && (answer as { name?: unknown }).name === name) return answer
    if (streamOf(answer) === null) throw new MediaServerDown(notMedia(server))
    throw new MediaServerRefused('It answered with another stream.', 'unknown stream')
  }

  async #page(server: MediaServer, cursor: string, until: AbortSignal): Promise<StreamPage> {
    const query = new URLSearchParams({ limit: String(PAGE_STREAMS) })
    if (cursor !== '') query.set('cursor', cursor)
    const path = `/streams?${query.toString()}`
    const page = StreamPage.safeParse(await this.#ask(server, 'GET', path, undefined, until))
    if (!page.success) throw new MediaServerDown(notMedia(server))
    return page.data
  }

  async #ask(
    server: MediaServer,
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    body?: object,
    until?: AbortSignal,
  ): Promise<unknown> {
    const { statusCode, text } = await this.#exchange(server, method, path, body, until)
    const answer = parseJson(text)
    checkStatus(server, statusCode, errorOf(answer))
    return answer
  }

  #assertInBounds(server: MediaServer): void {
    const { hostname, port, protocol } = new URL(server.baseUrl)
    const usual = protocol === 'https:' ? 443 : 80
    const refusal = this.#guard.refusalOf(hostname, port === '' ? usual : Number(port))
    if (refusal !== null) throw refusal
  }

  async #exchange(
    server: MediaServer,
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    body?: object,
    until?: AbortSignal,
  ): Promise<{ statusCode: number; text: string }> {
    try {
      this.#assertInBounds(server)
      const response = await this.#agent.request({
        origin: server.baseUrl,
        path: API_PATH + path,
        method,
        headers: {
          authorization: `Bearer ${bearerOf(server.apiKey)}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([AbortSignal.timeout(CALL_LIMIT_MS), ...(until ? [until] : [])]),
      })
      return { statusCode: response.statusCode, text: await limitedText(response.body) }
    } catch (error) {
      if (error instanceof TooLarge) throw new MediaServerDown(notMedia(server))
      throw new MediaServerDown(faultOfError(at(server), error, 'media server'))
    }
  }
}

class TooLarge extends Error {}

async function limitedText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    const buffer = Buffer.from(chunk as Uint8Array)
    bytes += buffer.length
    if (bytes > MAX_ANSWER_BYTES) throw new TooLarge()
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function at(server: MediaServer): string {
  return new URL(server.baseUrl).host
}

function notMedia(server: MediaServer) {
  return notAnAgent(at(server), 'media server')
}

/** What the server itself says of it is more than our advice. */
function failing(server: MediaServer, statusCode: number, error: ServerError | null) {
  const why = error !== null && error.text !== '' ? error.text : 'Check its log.'
  return {
    kind: 'refused' as const,
    sentence: `The media server ${at(server)} fails with HTTP status ${statusCode}. ${why}`,
  }
}

function endless(server: MediaServer, streams: number) {
  return {
    kind: 'refused' as const,
    sentence: `The media server ${at(server)} lists more than ${streams} streams. Check its log, or move streams to another server.`,
  }
}

/** Documented: both Basic and Bearer take base64 of 'user:password', which holds no colon itself. */
export function bearerOf(apiKey: string): string {
  return apiKey.includes(':') ? Buffer.from(apiKey, 'utf8').toString('base64') : apiKey
}

/** Throws what an answer other than 2xx means. */
function checkStatus(server: MediaServer, statusCode: number, error: ServerError | null): void {
  if (statusCode >= 200 && statusCode < 300) return
  if (statusCode === 401 || statusCode === 403) throw new MediaServerDown(wrongKey(at(server)))
  if (statusCode === 429 || statusCode >= 500)
    throw new MediaServerDown(failing(server, statusCode, error))
  if (statusCode < 400 || error === null) throw new MediaServerDown(notMedia(server))
  throw new MediaServerRefused(error.text, statusCode === 404 ? 'unknown stream' : 'refused')
}

/** `stream_not_found` and the like; an address that is no call has another code. */
function isAboutStream(error: ServerError | null): boolean {
  if (error === null) return false
  const words = /[a-z]/i.test(error.code) ? error.code : error.text
  return /stream|input|source/i.test(words)
}

function streamPath(name: string): string {
  return `/streams/${encodeName(name)}`
}

function streamDetail(server: MediaServer, value: unknown): StreamDetail {
  return readAs(server, streamOf(value))
}

function readAs<T>(server: MediaServer, answer: T | null): T {
  if (answer === null) throw new MediaServerDown(notMedia(server))
  return answer
}
