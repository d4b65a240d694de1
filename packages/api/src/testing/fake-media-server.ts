/**
 * A media server as the streamer API v3 has it, with the streams that a test gives it; no media
 * behind it.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StreamDetail, StreamInput } from '@trunkline/contract/channels/stream.schema'

export const FAKE_MEDIA_KEY = 'fake-media-key-0001'
const API = '/streamer/api/v3'
const COMMAND = /^\/streams\/(.+?)(\/stop|\/inputs\/(\d+)\/select)?$/

/** Whatever the test wants the server to do instead. */
export type FakeAnswer = (request: IncomingMessage, response: ServerResponse) => void

export class FakeMediaServer implements AsyncDisposable {
  readonly streams = new Map<string, Partial<StreamDetail> & { name: string }>()
  /** 'METHOD path', the path as it came; bodies beside. */
  readonly requests: { line: string; body: unknown; authorization: string }[] = []
  /** Files under /{name}/, by their whole path. */
  readonly files = new Map<string, { status: number; body: string } | FakeAnswer>()
  /** Instead of everything else, for as long as it is set. */
  answer: FakeAnswer | null = null
  /** How errors are written: newer servers answer a list. */
  errorShape: 'new' | 'old' = 'new'
  /** Streams on one page of a list. */
  pageStreams = 100
  isSilent = false
  /** Whether its source can be selected: no public call. */
  knowsSelect = true
  port = 0
  readonly #server: Server
  #waiting: { isDone: () => boolean; resolve: () => void }[] = []

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  static async open(): Promise<FakeMediaServer> {
    const server = new FakeMediaServer()
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    server.port = (server.#server.address() as AddressInfo).port
    return server
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Resolves once a request line of this form was seen so many times. */
  async asked(form: RegExp, times = 1): Promise<void> {
    const isDone = () => this.requests.filter(({ line }) => form.test(line)).length >= times
    if (isDone()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ isDone, resolve })
    return promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const url = new URL(request.url ?? '/', this.baseUrl)
    const line = `${request.method} ${request.url}`
    const body: unknown = text === '' ? null : JSON.parse(text)
    this.requests.push({ line, body, authorization: request.headers.authorization ?? '' })
    for (const item of this.#waiting.filter(({ isDone }) => isDone())) item.resolve()
    this.#waiting = this.#waiting.filter(({ isDone }) => !isDone())
    if (this.isSilent) return
    if (this.answer !== null) return this.answer(request, response)
    if (!url.pathname.startsWith(API)) return this.#serveFile(request, response)
    if (request.headers.authorization !== `Bearer ${FAKE_MEDIA_KEY}`) {
      return this.#fail(response, 401, 'unauthorized')
    }
    this.#serveApi(request.method ?? 'GET', url, text, response)
  }

  #serveFile(request: IncomingMessage, response: ServerResponse): void {
    const file = this.files.get(request.url ?? '')
    if (typeof file === 'function') return file(request, response)
    response.writeHead(file?.status ?? 404).end(file?.body ?? '')
  }

  #serveApi(method: string, url: URL, text: string, response: ServerResponse): void {
    const path = url.pathname.slice(API.length)
    if (path === '/monitoring/liveness') return send(response, { alive: true })
    if (path === '/streams') return send(response, this.#page(url))
    const [, name = '', command = '', place = ''] = COMMAND.exec(path) ?? []
    const stream = this.streams.get(decodeURIComponent(name))
    if (stream === undefined) return this.#fail(response, 404, 'stream_not_found')
    if (command === '/stop') {
      response.writeHead(204).end()
      return
    }
    if (command.endsWith('/select')) return this.#select(stream, Number(place), response)
    if (method === 'PUT') Object.assign(stream, JSON.parse(text))
    send(response, stream)
  }

  #select(stream: { inputs?: StreamInput[] }, place: number, response: ServerResponse): void {
    if (!this.knowsSelect) {
      response.writeHead(404).end('Not found')
      return
    }
    const { inputs = [] } = stream
    if (inputs[place] === undefined) return this.#fail(response, 400, 'input_not_found')
    for (const [at, input] of inputs.entries()) input.stats = { active: at === place }
    response.writeHead(204).end()
  }

  #page(url: URL): object {
    const all = [...this.streams.values()]
    const from = Number(url.searchParams.get('cursor') ?? 0)
    const size = Math.min(this.pageStreams, Number(url.searchParams.get('limit') ?? 100))
    const next = from + size < all.length ? String(from + size) : null
    return { streams: all.slice(from, from + size), estimated_count: all.length, next }
  }

  #fail(response: ServerResponse, status: number, code: string): void {
    const errors = [{ code, status: String(status), title: code }]
    const body = this.errorShape === 'new' ? { errors } : { error: code }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export function fakeStream(name: string, more: Partial<StreamDetail> = {}): StreamDetail {
  return {
    name,
    title: name,
    disabled: false,
    inputs: [{ url: 'srt://:6010', stats: { active: true } }],
    pushes: [],
    stats: { alive: true, inputs_bandwidth: 1_850_000 },
    ...more,
  }
}
