/**
 * The channel server: streams kept on disk, their programs under supervisord, their HLS in folders.
 * One for the whole host, however many seats of kind 'channel' show it.
 */
import { randomInt } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { CommandRefused } from '../commands/refused.ts'
import type { Context } from '../context.ts'
import { isUdpPortFree } from '../host/free-port.ts'
import { factsOf } from '../host/host.ts'
import { emptyFolder } from './hls-folder.ts'
import { StreamRefused, StreamUnknown } from './stream.refusal.ts'
import { bestInput, BUS_PORTS, changedStream, FIRST_BUS_PORT, listenPorts } from './stream.rules.ts'
import type { StoredInput, StoredStream, StreamPut } from './stream.schema.ts'
import * as streamStore from './stream.store.ts'
import * as streamPrograms from './stream-programs.ts'
import {
  ingestId,
  programsOf,
  streamKey,
  type Refusal,
  type StreamProgram,
} from './stream.units.ts'
import { streamAnswer } from './stream-answer.ts'
import { StreamWatch } from './stream-watch.ts'
import { TaskQueue } from './task-queue.ts'

export class Media implements AsyncDisposable {
  readonly #ctx: Context
  readonly #folder: string
  readonly #streams: Map<string, StoredStream>
  readonly #watch: StreamWatch
  /** What streams are to be is settled one after the other: they share ports and bus legs. */
  readonly #plans = new TaskQueue()
  /** What is done to one stream goes one after the other; streams do not wait for each other. */
  readonly #works = new Map<string, TaskQueue>()

  private constructor(ctx: Context) {
    this.#ctx = ctx
    this.#folder = resolve(ctx.config.dataDir, 'streams')
    this.#streams = new Map(streamStore.load(this.#folder).map((one) => [one.name, one]))
    this.#watch = new StreamWatch(ctx, (stream) => this.folderOf(stream.name))
  }

  /** Applies the stored streams; programs that run already, and rightly so, are not touched. */
  static async open(ctx: Context): Promise<Media> {
    const media = new Media(ctx)
    await streamPrograms.dropOrphans(ctx, [...media.#streams.keys()])
    await Promise.all(media.list().map(async (stream) => media.#applyStored(stream)))
    media.#watch.start(() => media.list())
    return media
  }

  /** By name, in the alphabet's order. */
  list(): StoredStream[] {
    return [...this.#streams.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Throws StreamUnknown. */
  find(name: string): StoredStream {
    const stream = this.#streams.get(name)
    if (!stream) throw new StreamUnknown(name)
    return stream
  }

  answer(stream: StoredStream): StreamDetail {
    return streamAnswer(this.#ctx, stream, this.#watch.look(stream))
  }

  /** Probes what is due without waiting for the next round. */
  async probeNow(): Promise<void> {
    await this.#watch.round(this.list())
  }

  folderOf(name: string): string {
    return join(this.#folder, streamKey(name))
  }

  /** Creates or changes a stream. Throws StreamRefused, and then nothing has changed. */
  async put(name: string, put: StreamPut): Promise<StoredStream> {
    return this.#workOn(name, async () => {
      const { stream, programs } = await this.#plans.add(async () => this.#plan(name, put))
      await this.#apply(stream, programs, 'change')
      return stream
    })
  }

  /** Stops every program of the stream and lets it come back, unless it is disabled (Q121). */
  async restart(name: string): Promise<void> {
    await this.#workOn(name, async () => {
      const known = this.find(name)
      const best = bestInput(known.inputs, (input) => this.#isWell(known, input))
      const stream = { ...known, currentUrl: best?.url ?? '' }
      this.#keep(stream)
      const { programs, refusals } = await this.#programs(stream)
      this.#tell(stream, refusals)
      await this.#apply(stream, programs, 'restart')
    })
  }

  async remove(name: string): Promise<void> {
    await this.#workOn(name, async () => {
      this.find(name)
      this.#streams.delete(name)
      streamStore.save(this.#folder, this.list())
      await streamPrograms.dropAll(this.#ctx, name)
      this.#watch.forget(name)
      await rm(this.folderOf(name), { recursive: true, force: true })
    })
  }

  /** Waits for what is under way; the programs run on. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch.stop()
    await Promise.all([...this.#works.values()].map(async (works) => works.idle()))
  }

  async #workOn<T>(name: string, task: () => Promise<T>): Promise<T> {
    const works = this.#works.get(name) ?? new TaskQueue()
    this.#works.set(name, works)
    return works.add(task)
  }

  /** Settles what the stream is from now on, and keeps it. */
  async #plan(name: string, put: StreamPut) {
    const before = this.#streams.get(name) ?? null
    const others = this.list().filter((stream) => stream.name !== name)
    const changed = changedStream(name, before, put, others, pickBusPort)
    const stream = { ...changed, currentUrl: this.#currentUrl(changed) }
    this.#refuseTakenPorts(before, stream)
    const { programs, refusals } = await this.#programs(stream)
    // A new title is no reason to refuse what could not run before either.
    const [refusal] = touchesPrograms(before, stream) ? refusals : []
    if (refusal) throw new StreamRefused(refusal.field, `cannot be taken: ${refusal.sentence}`)
    this.#keep(stream)
    return { stream, programs }
  }

  #keep(stream: StoredStream): void {
    this.#streams.set(stream.name, stream)
    streamStore.save(this.#folder, this.list())
  }

  async #applyStored(stream: StoredStream): Promise<void> {
    try {
      const { programs, refusals } = await this.#programs(stream)
      this.#tell(stream, refusals)
      await this.#apply(stream, programs, 'change')
    } catch (error) {
      this.#ctx.log.error({ stream: stream.name, reason: String(error) }, 'a stream is not applied')
    }
  }

  async #programs(stream: StoredStream) {
    return programsOf(stream, this.folderOf(stream.name), factsOf(this.#ctx.host), findAddress)
  }

  async #apply(
    stream: StoredStream,
    programs: readonly StreamProgram[],
    why: 'change' | 'restart',
  ): Promise<void> {
    const folder = this.folderOf(stream.name)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    this.#tell(stream, await streamPrograms.bringTo(this.#ctx, stream.name, programs, why))
    if (stream.disabled || programs.length === 0) await emptyFolder(folder)
  }

  #tell(stream: StoredStream, refusals: readonly Refusal[]): void {
    for (const { field, sentence } of refusals) {
      this.#ctx.log.warn(
        { stream: stream.name, field, sentence },
        'a program of a stream is not run',
      )
    }
  }

  #currentUrl(stream: StoredStream): string {
    const best = bestInput(stream.inputs, (input) => this.#isWell(stream, input))
    return stream.currentUrl === '' ? (best?.url ?? '') : stream.currentUrl
  }

  /** Something arrives at this input. */
  #isWell(stream: StoredStream, input: StoredInput): boolean {
    const reading = streamPrograms.report(this.#ctx, ingestId(stream, input.url))?.reading
    return (reading?.bitrateKbps ?? 0) > 0
  }

  /** Ports that the stream did not have before; its own programs hold the others. */
  #refuseTakenPorts(before: StoredStream | null, stream: StoredStream): void {
    if (stream.disabled) return
    const own = new Set(before && !before.disabled ? listenPorts(before) : [])
    const taken = listenPorts(stream).find((port) => !own.has(port) && !isUdpPortFree(port))
    if (taken === undefined) return
    throw new StreamRefused(
      'inputs',
      `need UDP port ${taken}, which another program of this host uses. Choose another port.`,
    )
  }
}

function touchesPrograms(before: StoredStream | null, stream: StoredStream): boolean {
  const parts = (one: StoredStream) => JSON.stringify([one.disabled, one.inputs, one.pushes])
  return before === null || parts(before) !== parts(stream)
}

/**
 * Any free one, not the lowest: two agents on one machine, as in tests, must not pick the same port
 * before either has opened it, or their pictures mix.
 */
function pickBusPort(taken: ReadonlySet<number>): number | null {
  const start = randomInt(BUS_PORTS)
  for (let step = 0; step < BUS_PORTS; step++) {
    const port = FIRST_BUS_PORT + ((start + step) % BUS_PORTS)
    if (!taken.has(port) && isUdpPortFree(port)) return port
  }
  return null
}

async function findAddress(host: string): Promise<string> {
  try {
    return (await lookup(host, { family: 4 })).address
  } catch {
    throw new CommandRefused(
      `this host cannot find the address of '${host}'. Check the name, or the host's name service.`,
    )
  }
}
