/**
 * The channel server: streams kept on disk, their programs under supervisord, their HLS in folders.
 * One for the whole host, however many seats of kind 'channel' show it.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { Context } from '../context.ts'
import { foreignGroups } from '../host/bus-use.ts'
import { factsOf } from '../host/host.ts'
import { chooseInput } from './health/input-choice.rules.ts'
import { InputHealthTrackers } from './health/input-healths.ts'
import { SegmentProbes } from './health/segment-probes.ts'
import { SourceProbes } from './health/source-probes.ts'
import { streamAnswer } from './answers/stream-answer.ts'
import { dropOrphanFolders, emptyFolder } from './timeline/stream-folder.ts'
import { lookAt, type Known } from './answers/stream-look.ts'
import {
  findAddress,
  openStreamBus,
  pickBusPort,
  refuseTakenPorts,
  type StreamBus,
} from './definition/stream-bus.ts'
import * as streamPrograms from './programs/stream-programs.ts'
import { InputUnknown, StreamRefused, StreamUnknown } from './definition/stream.refusal.ts'
import { changedStream, startsAnew, touchesPrograms } from './definition/stream.rules.ts'
import type { StoredStream, StreamPut } from './definition/stream.schema.ts'
import * as streamStore from './definition/stream.store.ts'
import {
  hlsId,
  linkKey,
  programsOf,
  pushesOf,
  streamKey,
  type Refusal,
  type StreamProgram,
} from './programs/stream.units.ts'
import { ContentWatch } from './health/content-watch.ts'
import { StreamStates } from './health/stream-states.ts'
import { StreamWatch } from './stream-watch.ts'
import { TaskQueue, TaskQueues } from '@trunkline/contract/task-queue'
import { Timelines } from './timeline/timelines.ts'

/** One timer for all streams: how often their inputs are compared. */
const CHOOSE_MS = 250

export class StreamService implements AsyncDisposable {
  readonly #ctx: Context
  readonly #folder: string
  readonly #streams: Map<string, StoredStream>
  readonly #bus: StreamBus
  readonly #watch: StreamWatch
  readonly #content: ContentWatch
  readonly #known: Known
  /** Why programs of a stream are not run, by its name. */
  readonly #refusals = new Map<string, readonly Refusal[]>()
  /** What streams are to be is settled one after the other: they share ports and bus legs. */
  readonly #plans = new TaskQueue()
  /** What is done to one stream goes one after the other; streams do not wait for each other. */
  readonly #works = new TaskQueues()
  #timer: NodeJS.Timeout | null = null

  private constructor(ctx: Context) {
    this.#ctx = ctx
    this.#folder = resolve(ctx.config.dataDir, 'streams')
    this.#streams = new Map(streamStore.load(this.#folder).map((stream) => [stream.name, stream]))
    this.#bus = openStreamBus(
      this.#folder,
      ctx.config.busNetwork,
      foreignGroups(ctx.supervisor.layout.socket),
    )
    const folderOf = (name: string) => this.folderOf(name)
    const probes = new SegmentProbes(ctx, folderOf)
    const timelines = new Timelines(ctx, folderOf, (stream) =>
      probes.tracks(stream, stream.currentUrl).filter((track) => track.content === 'video'),
    )
    const refusals = (name: string) => this.#refusals.get(name) ?? []
    const inputHealths = new InputHealthTrackers(ctx)
    const sources = new SourceProbes(ctx, (stream, url) => inputHealths.health(stream, url))
    const states = new StreamStates(ctx, this.#folder, inputHealths, folderOf)
    const content = new ContentWatch({ folderOf, timelines, probes, states })
    this.#content = content
    this.#known = { folderOf, probes, sources, timelines, inputHealths, states, content, refusals }
    const onProbed = ({ name }: StoredStream) => this.#settle(name)
    this.#watch = new StreamWatch(ctx, { folderOf, probes, sources, timelines, onProbed })
  }

  /** Applies the stored streams; programs that run already, and rightly so, are not touched. */
  static async open(ctx: Context): Promise<StreamService> {
    const streams = new StreamService(ctx)
    const names = [...streams.#streams.keys()]
    await streamPrograms.dropOrphans(ctx, names)
    await dropOrphanFolders(streams.#folder, names)
    streams.#observe()
    await Promise.all(streams.list().map(async (stream) => streams.#applyStored(stream)))
    streams.#watch.start(() => streams.list())
    streams.#timer = setInterval(() => streams.#chooseAll(), CHOOSE_MS)
    return streams
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

  /** For unexpected failures: the answer names the log. */
  logFailure(error: unknown): void {
    this.#ctx.log.error({ reason: String(error) }, 'a call of the media API failed')
  }

  answer(stream: StoredStream): StreamDetail {
    return streamAnswer(this.#ctx, stream, lookAt(this.#ctx, stream, this.#known))
  }

  /** Probes what is due without waiting for the next round. */
  async probeNow(): Promise<void> {
    await this.#watch.round(this.list())
  }

  folderOf(name: string): string {
    return join(this.#folder, streamKey(name))
  }

  /**
   * Creates or changes a stream. Throws StreamRefused, and then nothing has changed; `onKept` is called
   * once it is kept, and its programs follow.
   */
  async put(
    name: string,
    put: StreamPut,
    onKept: (stream: StoredStream) => void = () => undefined,
  ): Promise<StoredStream> {
    return this.#works.add(name, async () => {
      const { stream, programs } = await this.#plans.add(async () => this.#plan(name, put))
      onKept(stream)
      await this.#apply(stream, programs, 'change')
      return stream
    })
  }

  /**
   * Stops every program of the stream and lets it come back, unless it is disabled (Q121). `onBegun` is
   * called once nothing can refuse it.
   */
  async restart(name: string, onBegun: () => void = () => undefined): Promise<void> {
    await this.#works.add(name, async () => {
      const stream = this.#withCurrent({ ...this.find(name), currentUrl: '', selectedUrl: '' })
      this.#keep(stream)
      const { programs, refusals } = await this.#programs(stream)
      this.#begin(name)
      onBegun()
      await this.#apply(stream, programs, 'restart', refusals)
    })
  }

  /** Shows this input as long as it is well, whatever its priority. Throws InputUnknown. */
  async select(name: string, index: number): Promise<void> {
    await this.#works.add(name, async () => {
      const stream = this.find(name)
      const input = stream.inputs[index]
      if (!input) throw new InputUnknown(index, stream.inputs.length)
      this.#keep({ ...stream, selectedUrl: input.url })
      this.#choose(this.find(name))
    })
  }

  async remove(name: string): Promise<void> {
    await this.#works.add(name, async () => {
      this.find(name)
      streamStore.save(this.#folder, this.#others(name))
      this.#streams.delete(name)
      await streamPrograms.dropAll(this.#ctx, name)
      this.#known.timelines.forget(name)
      this.#refusals.delete(name)
      await rm(this.folderOf(name), { recursive: true, force: true })
    })
  }

  /** Waits for what is under way; the programs run on. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    await this.#watch.stop()
    await this.#content.stop()
    await this.#works.idle()
    this.#known.timelines.close()
  }

  /** Settles what the stream is from now on, and keeps it. */
  async #plan(name: string, put: StreamPut) {
    const before = this.#streams.get(name) ?? null
    const planned = this.#withCurrent(
      changedStream(name, before, put, this.#others(name), {
        network: this.#bus.network,
        pickPort: (taken) => pickBusPort(this.#bus, taken),
      }),
    )
    refuseTakenPorts(before, planned)
    const { programs, refusals } = await this.#programs(planned)
    // A new title is no reason to refuse what could not run before either.
    const [refusal] = touchesPrograms(before, planned) ? refusals : []
    if (refusal) throw new StreamRefused(refusal.field, `cannot be taken: ${refusal.sentence}`)
    // Another input may have taken over meanwhile; the pushes follow it after this.
    const currentUrl = this.#streams.get(name)?.currentUrl ?? ''
    const stream = this.#withCurrent(
      planned.inputs.some((input) => input.url === currentUrl)
        ? { ...planned, currentUrl }
        : planned,
    )
    this.#keep(stream)
    if (startsAnew(before, stream)) this.#begin(name)
    return { stream, programs }
  }

  #begin(name: string): void {
    this.#known.inputHealths.beginAnew(name)
    this.#known.states.forget({ name })
    this.#observe()
  }

  /** Since when an input waits for its first picture is known from the first answer on. */
  #observe(): void {
    this.#known.states.observe([...this.#streams.values()])
  }

  /** What cannot be kept is not so: a full disk leaves all as it was. */
  #keep(stream: StoredStream): void {
    streamStore.save(this.#folder, [...this.#others(stream.name), stream])
    this.#streams.set(stream.name, stream)
  }

  #others(name: string): StoredStream[] {
    return this.list().filter((stream) => stream.name !== name)
  }

  async #applyStored(stream: StoredStream): Promise<void> {
    try {
      const { programs, refusals } = await this.#programs(stream)
      const packager = streamPrograms.report(this.#ctx, hlsId(stream, stream.currentUrl))
      this.#known.inputHealths.beginStored(stream.name, packager)
      await this.#apply(stream, programs, 'change', refusals)
    } catch (error) {
      this.#ctx.log.error({ stream: stream.name, reason: String(error) }, 'a stream is not applied')
    }
  }

  async #programs(stream: StoredStream) {
    return programsOf(stream, this.folderOf(stream.name), factsOf(this.#ctx.host), findAddress)
  }

  /** `refused`: programs that could not even be built. */
  async #apply(
    stream: StoredStream,
    programs: readonly StreamProgram[],
    why: 'change' | 'restart',
    refused: readonly Refusal[] = [],
  ): Promise<void> {
    const folder = this.folderOf(stream.name)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const { url } of stream.inputs) {
      await mkdir(join(folder, linkKey(url)), { recursive: true, mode: 0o700 })
    }
    this.#settle(stream.name)
    const refusals = await streamPrograms
      .applyPrograms(this.#ctx, stream.name, programs, why)
      .finally(() => this.#known.inputHealths.begun(stream.name))
    this.#noteRefusals(stream, [...refused, ...refusals])
    if (stream.disabled || programs.length === 0) await emptyFolder(folder)
  }

  #noteRefusals(stream: StoredStream, refusals: readonly Refusal[]): void {
    this.#refusals.set(stream.name, refusals)
    for (const { field, sentence } of refusals) {
      this.#ctx.log.warn(
        { stream: stream.name, field, sentence },
        'a program of a stream is not run',
      )
    }
  }

  #chooseAll(): void {
    this.#known.inputHealths.look([...this.#streams.values()])
    for (const stream of this.#streams.values()) {
      if (!stream.disabled && stream.inputs.length > 1) this.#choose(stream)
    }
    this.#observe()
    this.#content.look([...this.#streams.values()])
  }

  #choose(stream: StoredStream): void {
    const url = this.#bestUrl(stream)
    if (url === stream.currentUrl || stream.disabled) return
    this.#streams.set(stream.name, { ...stream, currentUrl: url })
    this.#settle(stream.name)
    const at = stream.inputs.findIndex((input) => input.url === url)
    this.#ctx.log.info({ stream: stream.name, input: at }, 'another input is shown')
    void this.#works
      .add(stream.name, async () => this.#afterSwitch(stream.name))
      .catch((error: unknown) => {
        const reason = String(error)
        this.#ctx.log.error({ stream: stream.name, reason }, 'pushes do not follow their stream')
      })
  }

  /** Viewers are served already; what follows may take its time. */
  async #afterSwitch(name: string): Promise<void> {
    const stream = this.#streams.get(name)
    if (!stream) return
    const { programs, refusals } = await pushesOf(stream, factsOf(this.#ctx.host), findAddress)
    const refused = await streamPrograms.applySome(this.#ctx, programs)
    const others = this.#known.refusals(name).filter(({ field }) => !field.startsWith('pushes.'))
    this.#noteRefusals(stream, [...others, ...refusals, ...refused])
    streamStore.save(this.#folder, this.list())
  }

  #bestUrl(stream: StoredStream): string {
    const { inputHealths } = this.#known
    const healthOf = ({ url }: { url: string }) => inputHealths.health(stream, url)
    return chooseInput(stream, healthOf, inputHealths.isStarting(stream.name))
  }

  /** A stream that has a current input keeps it. */
  #withCurrent(stream: StoredStream): StoredStream {
    if (stream.currentUrl !== '') return stream
    return { ...stream, currentUrl: this.#bestUrl(stream) }
  }

  /** Brings what viewers get to the stream as it is kept now. */
  #settle(name: string): void {
    const stream = this.#streams.get(name)
    if (stream) this.#known.timelines.settle(stream)
  }
}
