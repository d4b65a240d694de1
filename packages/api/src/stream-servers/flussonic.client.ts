/**
 * The media server API that 'channel' servers speak: streamer API v3 (dataplane.md section 7). Our
 * own channel server speaks the same. Answers are read leniently, sizes and times are limited.
 */
import { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { z } from 'zod'
import { faultOfError, notAnAgent, wrongKey } from '../hosts/link-fault.ts'
import {
  encodeName,
  MediaServerDown,
  MediaServerRefused,
  type MediaServer,
} from './media-server.ts'
import { publicStream, publicUrl } from './stream-secrets.rules.ts'

const CALL_LIMIT_MS = 5000
const API_PATH = '/streamer/api/v3'
/** Of one answer: 100 streams with all their tracks are some 300 kB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const PAGE_STREAMS = 100
/** Where a list that never ends is given up. */
const MAX_PAGES = 100
/** A page of polls and an operator's click at the same time; more would only queue at the server. */
const CONNECTIONS_PER_SERVER = 4
/** Files go to viewers at the viewers' own pace, so they have connections of their own. */
const FILE_CONNECTIONS_PER_SERVER = 64

const StreamPage = z.object({
  streams: z.array(z.unknown()),
  estimated_count: z.number().optional(),
  next: z.string().nullish(),
})

/** A push as its server keeps it, the address in clear, without statistics. Never for an answer. */
export interface PushConfig {
  readonly url: string
  readonly disabled?: boolean | undefined
  /** What else the server has set for it, such as retry_timeout: sent back as it came. */
  readonly [setting: string]: unknown
}

const PushList = z.object({
  pushes: z.array(z.looseObject({ url: z.string(), disabled: z.boolean().optional() })).nullish(),
})

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

  constructor(lookup: LookupFunction) {
    const limits = {
      connect: { timeout: CALL_LIMIT_MS, lookup },
      headersTimeout: CALL_LIMIT_MS,
      bodyTimeout: CALL_LIMIT_MS,
    }
    this.#agent = new Agent({ ...limits, connections: CONNECTIONS_PER_SERVER })
    this.#fileAgent = new Agent({ ...limits, connections: FILE_CONNECTIONS_PER_SERVER })
  }

  /**
   * Every stream of the server; a stream that we cannot read is left out. Here and in every other
   * answer the addresses are without their secrets.
   */
  async list(server: MediaServer): Promise<StreamDetail[]> {
    const streams: StreamDetail[] = []
    let cursor: string | null | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = new URLSearchParams({ limit: String(PAGE_STREAMS) })
      if (cursor) query.set('cursor', cursor)
      const answer = StreamPage.safeParse(
        await this.#ask(server, 'GET', `/streams?${query.toString()}`),
      )
      if (!answer.success) throw new MediaServerDown(notMedia(server))
      streams.push(...answer.data.streams.flatMap(readStream))
      cursor = answer.data.next
      if (!cursor) break
    }
    return streams
  }

  async one(server: MediaServer, name: string): Promise<StreamDetail> {
    return oneStream(server, await this.#ask(server, 'GET', streamPath(name)))
  }

  async put(server: MediaServer, name: string, change: StreamChange): Promise<StreamDetail> {
    return oneStream(server, await this.#ask(server, 'PUT', streamPath(name), change))
  }

  /** The stream's pushes as they are to be put back. */
  async pushes(server: MediaServer, name: string): Promise<PushConfig[]> {
    const answer = PushList.safeParse(await this.#ask(server, 'GET', streamPath(name)))
    if (!answer.success) throw new MediaServerDown(notMedia(server))
    // An undefined field is not written into JSON.
    return (answer.data.pushes ?? []).map((push) => ({ ...push, stats: undefined }))
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

  /** A file under the stream's own path, as a stream of bytes; the caller limits its size. */
  async file(
    server: MediaServer,
    name: string,
    file: string,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const path = `/${encodeName(name)}/${encodeName(file)}`
    try {
      return await this.#fileAgent.request({ origin: server.baseUrl, path, method: 'GET', signal })
    } catch (error) {
      throw new MediaServerDown(faultOfError(at(server), error, 'media server'))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#fileAgent.destroy()])
  }

  async #ask(
    server: MediaServer,
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    body?: object,
  ): Promise<unknown> {
    const { statusCode, text } = await this.#exchange(server, method, path, body)
    if (statusCode === 401 || statusCode === 403) throw new MediaServerDown(wrongKey(at(server)))
    if (statusCode >= 200 && statusCode < 300) return parseJson(text)
    const message = errorText(parseJson(text))
    if (statusCode === 404 && message !== null) throw new MediaServerRefused(message, true)
    if (statusCode >= 400 && statusCode < 500 && message !== null) {
      throw new MediaServerRefused(message, false)
    }
    throw new MediaServerDown(statusCode >= 500 ? failing(server, statusCode) : notMedia(server))
  }

  async #exchange(
    server: MediaServer,
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    body?: object,
  ): Promise<{ statusCode: number; text: string }> {
    try {
      const response = await this.#agent.request({
        origin: server.baseUrl,
        path: API_PATH + path,
        method,
        headers: {
          authorization: `Bearer ${server.apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(CALL_LIMIT_MS),
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

function failing(server: MediaServer, statusCode: number) {
  return {
    kind: 'refused' as const,
    sentence: `The media server ${at(server)} fails with HTTP status ${statusCode}. Look at its log.`,
  }
}

function streamPath(name: string): string {
  return `/streams/${encodeName(name)}`
}

function readStream(value: unknown): StreamDetail[] {
  const parsed = StreamDetail.safeParse(value)
  return parsed.success ? [publicStream(parsed.data)] : []
}

function oneStream(server: MediaServer, value: unknown): StreamDetail {
  const parsed = StreamDetail.safeParse(value)
  if (!parsed.success) throw new MediaServerDown(notMedia(server))
  return publicStream(parsed.data)
}

function parseJson(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const Errors = z.union([
  z.object({
    errors: z.array(z.object({ title: z.string().optional(), code: z.string().optional() })).min(1),
  }),
  z.object({ error: z.string() }),
])
const MAX_ERROR_CHARACTERS = 300

/** Newer servers answer `errors`, older ones `error`; null when it is neither, so no media server. */
function errorText(body: unknown): string | null {
  const parsed = Errors.safeParse(body)
  if (!parsed.success) return null
  const first = 'errors' in parsed.data ? parsed.data.errors[0] : null
  const text = 'error' in parsed.data ? parsed.data.error : (first?.title ?? first?.code ?? '')
  return publicUrl(text).slice(0, MAX_ERROR_CHARACTERS)
}
