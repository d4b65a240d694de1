/** A browser's end of the live stream: reads Server-Sent Events as they come. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { watchLive } from '@trunkline/contract/fleet/fleet.calls'
import { LIVE_PATH, LiveEvent } from '@trunkline/contract/fleet/fleet.schema'
import { createParser } from 'eventsource-parser'

interface Opening {
  address: string
  token: string
  keys: readonly string[]
}

type DataOf<E extends LiveEvent['event']> = Extract<LiveEvent, { event: E }>['data']

export class LiveReader implements AsyncDisposable {
  readonly events: LiveEvent[] = []
  readonly response: IncomingMessage
  isEnded = false
  #opening: Opening
  #sequence = 0
  #waiting: { isDone: () => boolean; resolve: () => void }[] = []

  private constructor(response: IncomingMessage, opening: Opening) {
    this.response = response
    this.#opening = opening
    response.setEncoding('utf8')
    const parser = createParser({
      onEvent: ({ event, data }) =>
        this.events.push(LiveEvent.parse({ event, data: JSON.parse(data) as unknown })),
    })
    response.on('data', (text: string) => {
      parser.feed(text)
      this.#look()
    })
    response.on('close', () => {
      this.isEnded = true
      this.#look()
    })
  }

  /**
   * `address`: http://ip:port of the listening app. Resolves once all of `keys` has been sent, or the
   * stream was refused.
   */
  static async open(
    address: string,
    token: string,
    keys: readonly string[] = [],
  ): Promise<LiveReader> {
    const response = await post(address, LIVE_PATH, token, { sequence: 0, keys })
    const reader = new LiveReader(response, { address, token, keys })
    if (response.statusCode === 200) await reader.isSent(0)
    return reader
  }

  /** Of its hello. */
  get connection(): string {
    return this.of('hello')[0]?.connection ?? ''
  }

  /** Shows these too; resolves once they have been sent, with the status of the call. */
  async watchMore(keys: readonly string[]): Promise<number> {
    return this.watch([...this.#opening.keys, ...keys])
  }

  /** Shows this and nothing else from now on. */
  async watch(keys: readonly string[]): Promise<number> {
    const { address, token } = this.#opening
    this.#opening = { address, token, keys }
    const sequence = ++this.#sequence
    const body = { connection: this.connection, sequence, keys }
    const response = await post(address, watchLive.path, token, body)
    response.resume()
    if (response.statusCode === 200) await this.isSent(sequence)
    return response.statusCode ?? 0
  }

  /** Resolves once everything of that set has been sent. */
  async isSent(sequence: number): Promise<void> {
    await this.next('watching', (data) => data.sequence === sequence)
  }

  /** The first event of this kind that fits, come already or still to come. */
  async next<E extends LiveEvent['event']>(
    event: E,
    fits: (data: DataOf<E>) => boolean,
  ): Promise<DataOf<E>> {
    const find = () => this.of(event).find((data) => fits(data))
    await this.until(() => find() !== undefined)
    const found = find()
    if (found === undefined) throw new Error(`The stream ended before ${event} came.`)
    return found
  }

  of<E extends LiveEvent['event']>(event: E): DataOf<E>[] {
    return this.events.filter((each) => each.event === event).map((each) => each.data as DataOf<E>)
  }

  /** Also resolves when the stream ends. */
  async until(isDone: () => boolean): Promise<void> {
    if (isDone() || this.isEnded) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ isDone, resolve })
    return promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.response.destroy()
    await this.until(() => this.isEnded)
  }

  #look(): void {
    const isDone = (item: { isDone: () => boolean }) => this.isEnded || item.isDone()
    for (const item of this.#waiting.filter(isDone)) item.resolve()
    this.#waiting = this.#waiting.filter((item) => !isDone(item))
  }
}

async function post(
  address: string,
  path: string,
  token: string,
  body: object,
): Promise<IncomingMessage> {
  const headers = {
    'content-type': 'application/json',
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
  }
  const request = httpRequest(`${address}${path}`, { method: 'POST', headers })
  request.end(JSON.stringify(body))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}
