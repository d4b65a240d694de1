/** Gathers what is known of a stream now, for its answer. */
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import type { InputFacts } from './input-answer.ts'
import type { InputHealthTrackers } from '../health/input-healths.ts'
import { listedAtMs } from '../timeline/packager-folder.ts'
import type { MediaTrack } from '@trunkline/contract/channels/stream.schema'
import type { SegmentProbes } from '../health/segment-probes.ts'
import type { SourceProbes } from '../health/source-probes.ts'
import type { ContentWatch } from '../health/content-watch.ts'
import type { StreamLook } from './stream-answer.ts'
import type { StoredInput, StoredStream } from '../definition/stream.schema.ts'
import * as streamPrograms from '../programs/stream-programs.ts'
import { parseInputUrl } from '../definition/stream-url.rules.ts'
import type { StreamStates } from '../health/stream-states.ts'
import { READING_HOLDS_MS } from '../programs/stuck-packagers.ts'
import { hlsId, ingestId, linkKey, type Refusal } from '../programs/stream.units.ts'
import type { Timelines } from '../timeline/timelines.ts'

export interface Known {
  folderOf(name: string): string
  timelines: Timelines
  probes: SegmentProbes
  sources: SourceProbes
  inputHealths: InputHealthTrackers
  states: StreamStates
  content: Pick<ContentWatch, 'audioLevel'>
  /** Of the last time that the stream's programs were brought to what it wants. */
  refusals(name: string): readonly Refusal[]
}

export function lookAt(ctx: Context, stream: StoredStream, known: Known): StreamLook {
  return {
    window: known.timelines.window(stream),
    tracks: known.probes.tracks(stream, stream.currentUrl),
    startingSinceMs: stream.disabled ? null : known.inputHealths.startingSinceMs(stream.name),
    findings: known.states.findings(stream),
    audioLevel: known.content.audioLevel(stream),
    inputs: stream.inputs.map((input) => inputFacts(ctx, stream, input, known)),
    refusals: known.refusals(stream.name),
  }
}

function inputFacts(
  ctx: Context,
  stream: StoredStream,
  { url, priority }: StoredInput,
  known: Known,
): InputFacts {
  const ingest = streamPrograms.report(ctx, ingestId(stream, url))
  const packager = streamPrograms.report(ctx, hlsId(stream, url))
  const packaged = known.probes.tracks(stream, url)
  const tracks = known.sources.tracks(stream, url) ?? unchanged(stream, packaged)
  return {
    url,
    priority,
    isStreamOff: stream.disabled,
    isCurrent: url === stream.currentUrl,
    isSelected: url === stream.selectedUrl,
    isWell: !stream.disabled && known.inputHealths.health(stream, url).isWell,
    isListening: isListening(url),
    sinceMs: stream.disabled ? null : known.states.inputSinceMs(stream, url),
    shownSinceMs: stream.disabled ? null : known.states.shownSinceMs(stream, url),
    ingest,
    packager,
    refusal: refusalOf(stream, url, known),
    newestAtMs: listedAtMs(join(known.folderOf(stream.name), linkKey(url))),
    bitrateKbps: linkKbps(ctx, ingest) ?? tracksKbps(tracks),
    tracks,
    packaged,
    nowMs: ctx.clock(),
  }
}

/** What a packager leaves as it came: the picture without a template, never the sound. */
function unchanged({ template }: StoredStream, packaged: readonly MediaTrack[]): MediaTrack[] {
  return template === null ? packaged.filter((track) => track.content === 'video') : []
}

function isListening(url: string): boolean {
  const source = parseInputUrl(url)
  return source.kind === 'link' && source.leg.mode === 'listen'
}

function refusalOf(stream: StoredStream, url: string, known: Known): string {
  const at = stream.inputs.findIndex((input) => input.url === url)
  const fields = [`inputs.${at}`, `inputs.${at}.url`, ingestId(stream, url), hlsId(stream, url)]
  const found = known.refusals(stream.name).find((refusal) => fields.includes(refusal.field))
  return found?.sentence ?? ''
}

/** A link whose data have stopped reports no more, and its last report would stand for ever. */
function linkKbps(ctx: Context, ingest: InputFacts['ingest']): number | null {
  const reading = ingest?.reading ?? null
  if (reading === null || Math.abs(ctx.clock() - reading.atMs) > READING_HOLDS_MS) {
    return null
  }
  return reading.bitrateKbps > 0 ? reading.bitrateKbps : null
}

function tracksKbps(tracks: InputFacts['tracks']): number | null {
  const kbps = tracks.reduce((sum, track) => sum + (track.bitrate ?? 0), 0)
  return kbps > 0 ? kbps : null
}
