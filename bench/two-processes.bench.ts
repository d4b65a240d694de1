/**
 * Two API processes on one PostgreSQL: from the answer to a save at one until a browser at
 * the other hears of it, one change after the other and 20 a second.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { signIn } from '@trunkline/testbed/seed'
import { startPostgres } from '../tools/postgres.mjs'
import { watchLoop } from './kit/event-loop.ts'
import { atMost, percentile, printFigure, round, spread } from './kit/figure.ts'
import { EMAIL, fillSite, PASSWORD, startApi } from './kit/large-site.ts'
import { framesOf, openLiveStream } from './kit/live-stream.ts'
import { FakeFleet } from './kit/fleet/fake-fleet.ts'

const ENCODERS = 1000
const CHANGES = 100
const PACE_MS = 50

/** A browser on the live stream, which hears of changed encoders. */
class LiveEvents implements Disposable {
  readonly #ended = new AbortController()
  readonly #waiting = new Map<string, (atMs: number) => void>()

  static async open(client: Client): Promise<LiveEvents> {
    const events = new LiveEvents()
    const keys = Array.from({ length: CHANGES }, (_, at) => programKey('encoder', `e-${at + 1}`))
    const { ok, status, body } = await openLiveStream(client, keys, events.#ended.signal)
    if (!ok || body === null) throw new Error(`The live stream is refused: ${status}.`)
    void events.#read(body).catch(() => undefined)
    return events
  }

  /** When it hears of this encoder next. */
  async next(id: string): Promise<number> {
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }

  async #read(body: Response['body']): Promise<void> {
    for await (const frame of framesOf(body)) this.#heard(frame)
  }

  #heard(frame: string): void {
    const id = /"kind":"encoder","id":"([^"]+)","change"/.exec(frame)?.[1] ?? ''
    this.#waiting.get(id)?.(performance.now())
    this.#waiting.delete(id)
  }

  [Symbol.dispose](): void {
    this.#ended.abort()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-two-'))
try {
  await using postgres = await startPostgres()
  await using fleet = await FakeFleet.open()
  const dataDir = join(folder, 'data')
  const settings = { TRUNKLINE_DATABASE_URL: postgres.url }
  await fillSite(dataDir, { encoders: ENCODERS, port: fleet.port, url: postgres.url })
  await using writing = await startApi(dataDir, settings)
  await using other = await startApi(dataDir, settings)
  const writer = await signIn(`http://127.0.0.1:${writing.port}`, EMAIL, PASSWORD)
  const viewer = await signIn(`http://127.0.0.1:${other.port}`, EMAIL, PASSWORD)
  using events = await LiveEvents.open(viewer)
  const loops = [await watchLoop(writing), await watchLoop(other)] as const
  await delaysOf(writer, events, 'warm', 0)
  const alone = await delaysOf(writer, events, 'alone', 0)
  const paced = await delaysOf(writer, events, 'paced', PACE_MS)
  printFigure({
    bench: 'two-processes',
    rounds: CHANGES,
    ours: { aloneMs: figuresOf(alone), pacedMs: figuresOf(paced) },
    limit: {},
    goals: [
      atMost('a change is sent by the other process, p95', percentile(alone, 95), 250, 'ms'),
      atMost('of 20 changes a second, p95', percentile(paced, 95), 250, 'ms'),
      await loops[0].goal('the process that is asked'),
      await loops[1].goal('the other process'),
    ],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function figuresOf(delays: readonly number[]) {
  return { ...spread(delays), p95: round(percentile(delays, 95)) }
}

/** `paceMs`: how long after a save the next follows; 0: once the other process has sent it. */
async function delaysOf(
  client: Client,
  events: LiveEvents,
  title: string,
  paceMs: number,
): Promise<number[]> {
  const delays: Promise<number>[] = []
  for (let at = 1; at <= CHANGES; at += 1) {
    const id = `e-${at}`
    const heard = events.next(id)
    await callApi(client, updateEncoder, { body: { _id: id, title: `${title} ${at}` } })
    const savedAt = performance.now()
    const delay = heard.then((atMs) => Math.max(0, atMs - savedAt))
    delays.push(delay)
    if (paceMs === 0) await delay
    else await pause(paceMs)
  }
  return Promise.all(delays)
}
