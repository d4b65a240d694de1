/** What every input carries, as its packager's newest segment says. */
import { join } from 'node:path'
import type { MediaTrack } from '@trunkline/contract/channels/stream.schema'
import type { Context } from '../../context.ts'
import { readPackager } from '../timeline/packager-folder.ts'
import { probeRow } from './segment-probe.ts'
import type { StoredStream } from '../definition/stream.schema.ts'
import * as streamPrograms from '../programs/stream-programs.ts'
import { hlsId, hlsIdsOf, linkKey, renditionsOf } from '../programs/stream.units.ts'

/** A probe costs 0.17 s of a core: once per start of the packager, then at this pace. */
const PROBE_AGAIN_MS = 60_000
/** A standby is looked into to know that it is ready. */
const PROBE_STANDBY_AGAIN_MS = 300_000

interface Probed {
  tracks: readonly MediaTrack[]
  atMs: number
  /** Of the packager whose segment it was. */
  startedAtMs: number
}

export class SegmentProbes {
  readonly #ctx: Context
  readonly #folderOf: (name: string) => string
  /** By the packager's id. */
  readonly #probed = new Map<string, Probed>()

  constructor(ctx: Context, folderOf: (name: string) => string) {
    this.#ctx = ctx
    this.#folderOf = folderOf
  }

  /** Empty until the first segment was probed. */
  tracks(stream: StoredStream, url: string): readonly MediaTrack[] {
    return this.#probed.get(hlsId(stream, url))?.tracks ?? []
  }

  /** Keeps what is known of these streams only. */
  keepOnly(streams: readonly StoredStream[]): void {
    const ids = hlsIdsOf(streams)
    for (const id of this.#probed.keys()) if (!ids.has(id)) this.#probed.delete(id)
  }

  /** True when something new is known. */
  async probeWhenDue(stream: StoredStream, url: string): Promise<boolean> {
    const id = hlsId(stream, url)
    const startedAtMs = streamPrograms.report(this.#ctx, id)?.startedAtMs ?? null
    if (startedAtMs === null || !this.#isDue(stream, url, startedAtMs)) return false
    const folder = join(this.#folderOf(stream.name), linkKey(url))
    const newest = readPackager(folder, renditionsOf(stream)).at(-1)
    if (newest === undefined || newest.writtenAtMs < startedAtMs) return false
    const tracks = await probeRow(folder, newest.number, renditionsOf(stream))
    const known = this.#probed.get(id)?.tracks ?? []
    const atMs = this.#ctx.clock()
    this.#probed.set(id, { tracks: tracks ?? known, atMs, startedAtMs })
    return true
  }

  #isDue(stream: StoredStream, url: string, startedAtMs: number): boolean {
    const known = this.#probed.get(hlsId(stream, url))
    const pauseMs = url === stream.currentUrl ? PROBE_AGAIN_MS : PROBE_STANDBY_AGAIN_MS
    return known?.startedAtMs !== startedAtMs || this.#ctx.clock() - known.atMs >= pauseMs
  }
}
