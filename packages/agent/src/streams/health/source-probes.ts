/** What every input carries as it arrives: not what its packager makes of it. */
import type { MediaTrack } from '@trunkline/contract/channels/stream.schema'
import type { Context } from '../../context.ts'
import { factsOf } from '../../host/host.ts'
import type { InputHealth } from './input-choice.rules.ts'
import { probeSource } from './source-probe.ts'
import type { StoredInput, StoredStream } from '../definition/stream.schema.ts'
import { hlsId, hlsIdsOf, legOf } from '../programs/stream.units.ts'

/** A probe costs 0.14 s of a core and waits for two seconds of the stream. */
const PROBE_AGAIN_MS = 60_000
const PROBE_STANDBY_AGAIN_MS = 300_000
/** They wait more than they work. */
const AT_ONCE = 8

interface Probed {
  tracks: readonly MediaTrack[]
  /** Of a clock that nobody sets. */
  atMs: number
}

/** One input of a stream. */
interface Source {
  stream: StoredStream
  input: StoredInput
}

export class SourceProbes {
  readonly #ctx: Context
  readonly #healthOf: (stream: StoredStream, url: string) => InputHealth
  /** By the packager's id. */
  readonly #probed = new Map<string, Probed>()

  constructor(ctx: Context, healthOf: (stream: StoredStream, url: string) => InputHealth) {
    this.#ctx = ctx
    this.#healthOf = healthOf
  }

  /** Null while nobody has looked. */
  tracks(stream: StoredStream, url: string): readonly MediaTrack[] | null {
    return this.#probed.get(hlsId(stream, url))?.tracks ?? null
  }

  /** Keeps what is known of these streams only. */
  keepOnly(streams: readonly StoredStream[]): void {
    const ids = hlsIdsOf(streams)
    for (const id of this.#probed.keys()) if (!ids.has(id)) this.#probed.delete(id)
  }

  /** Without a local bus a leg has one reader, the packager: nothing is known then. */
  async probeDue(streams: readonly StoredStream[]): Promise<void> {
    if (!factsOf(this.#ctx.host).localBusWorks) return
    const sources = streams.flatMap((stream) => stream.inputs.map((input) => ({ stream, input })))
    const due = sources.filter((source) => this.#isDue(source))
    for (let at = 0; at < due.length; at += AT_ONCE) {
      const some = due.slice(at, at + AT_ONCE)
      await Promise.all(some.map(async (source) => this.#probe(source)))
    }
  }

  /** What comes back after a pause may be something else. */
  #isDue({ stream, input: { url } }: Source): boolean {
    const { isWell, wellForMs } = this.#healthOf(stream, url)
    const known = this.#probed.get(hlsId(stream, url))
    if (!isWell || known === undefined) return isWell
    const ageMs = performance.now() - known.atMs
    const pauseMs = url === stream.currentUrl ? PROBE_AGAIN_MS : PROBE_STANDBY_AGAIN_MS
    return ageMs >= pauseMs || wellForMs < ageMs
  }

  /** What could not be read is tried again in the next round. */
  async #probe({ stream, input }: Source): Promise<void> {
    const atMs = performance.now()
    const tracks = await probeSource(legOf(input))
    if (tracks !== null) this.#probed.set(hlsId(stream, input.url), { tracks, atMs })
  }
}
