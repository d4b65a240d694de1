/** A browser's end of the live stream: reads Server-Sent Events as they come. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { LIVE_PATH, LiveEvent } from '@trunkline/contract/fleet/fleet.schema'

type DataOf<E extends LiveEvent['event']> = Extract<LiveEvent, { event: E }>['data']

export class LiveReader implements AsyncDisposable {
  readonly events: LiveEvent[] = []
  readonly response: IncomingMessage
  isEnded = false
  #rest = ''
  #waiting: { isDone: () => boolean; resolve: () => void }[] = []

  private constructor(response: IncomingMessage) {
    this.response = response
    response.setEncoding('utf8')
    response.on('data', (text: string) => this.#take(text))
    response.on('close', () => {
      this.isEnded = true
      this.#look()
    })
  }

  /** `address`: http://ip:port of the listening app. */
  static async open(address: string, token: string): Promise<LiveReader> {
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
    const request = httpRequest(`${address}${LIVE_PATH}`, { headers })
    request.end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return new LiveReader(response)
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

  #take(text: string): void {
    const frames = (this.#rest + text).split('\n\n')
    this.#rest = frames.pop() ?? ''
    for (const frame of frames) {
      const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
      this.events.push(LiveEvent.parse({ event, data: JSON.parse(data) as unknown }))
    }
    this.#look()
  }

  #look(): void {
    const isDone = (item: { isDone: () => boolean }) => this.isEnded || item.isDone()
    for (const item of this.#waiting.filter(isDone)) item.resolve()
    this.#waiting = this.#waiting.filter((item) => !isDone(item))
  }
}
