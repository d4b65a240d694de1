/** A stream as the API answers it. Secrets in addresses are cut out. */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { MediaTrack, StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { Context } from '../context.ts'
import { inputAnswer, type InputFacts } from './input-answer.ts'
import type { StoredStream } from './stream.schema.ts'
import * as streamPrograms from './stream-programs.ts'
import { publicUrl } from './stream-url.rules.ts'
import { hlsId, ingestId, pushId } from './stream.units.ts'
import { bitrateOf, type Window } from './timeline.rules.ts'

/** The streamer API's own figure: alive is false when the newest segment is older. */
export const ALIVE_MS = 12_000

/** What is known of a stream now, beside its programs. */
export interface StreamLook {
  window: Window
  /** Of the input that is shown. */
  tracks: readonly MediaTrack[]
  /** In the order of the stream's inputs. */
  inputs: readonly InputFacts[]
}

export function streamAnswer(ctx: Context, stream: StoredStream, look: StreamLook): StreamDetail {
  return {
    name: stream.name,
    ...(stream.title === '' ? {} : { title: stream.title }),
    disabled: stream.disabled,
    template: stream.template,
    segment_duration: stream.segmentDurationMs,
    segment_count: stream.segmentCount,
    inputs: look.inputs.map(inputAnswer),
    pushes: stream.pushes.map((push) => pushAnswer(ctx, stream, push)),
    stats: statsAnswer(ctx, stream, look),
  }
}

function pushAnswer(ctx: Context, stream: StoredStream, push: StoredStream['pushes'][number]) {
  const program = streamPrograms.report(ctx, pushId(stream, push.url))
  return {
    url: publicUrl(push.url),
    disabled: push.disabled,
    stats: { status: pushStatus(program, push.disabled || stream.disabled), ...openedAt(program) },
  }
}

/** A link that runs and has no peer is still on its way. */
function pushStatus(program: ProgramReport | null, isOff: boolean): string {
  if (isOff) return 'pending'
  if (program === null) return 'error'
  if (program.state === 'running') return program.peer === 'disconnected' ? 'retry' : 'running'
  return program.state === 'starting' ? 'starting' : 'error'
}

function statsAnswer(
  ctx: Context,
  stream: StoredStream,
  look: StreamLook,
): NonNullable<StreamDetail['stats']> {
  const packager = streamPrograms.report(ctx, hlsId(stream, stream.currentUrl))
  const newestAtMs = look.window.rows.at(-1)?.writtenAtMs ?? null
  const isAlive = !stream.disabled && newestAtMs !== null && ctx.clock() - newestAtMs < ALIVE_MS
  const bandwidthBps = isAlive ? inputBandwidthBps(ctx, stream, look) : 0
  return {
    alive: isAlive,
    status: isAlive ? 'running' : isBroken(packager) ? 'error' : 'waiting',
    input_bitrate: Math.round(bandwidthBps / 1000),
    inputs_bandwidth: bandwidthBps,
    running_transcoder: stream.template !== null && packager?.state === 'running',
    dvr_enabled: false,
    ...openedAt(packager),
    ...(newestAtMs === null ? {} : { last_dts_at: Math.round(newestAtMs) }),
    ...(look.tracks.length === 0 ? {} : { media_info: { tracks: [...look.tracks] } }),
  }
}

/** What the current input's link counts; else what its segments weigh. */
function inputBandwidthBps(ctx: Context, stream: StoredStream, look: StreamLook): number {
  const reading = streamPrograms.report(ctx, ingestId(stream, stream.currentUrl))?.reading
  const countedKbps = reading?.bitrateKbps ?? 0
  return countedKbps > 0 ? countedKbps * 1000 : (bitrateOf(look.window) ?? 0)
}

function isBroken(packager: ProgramReport | null): boolean {
  return packager !== null && ['backoff', 'fatal', 'exited'].includes(packager.state)
}

function openedAt(program: ProgramReport | null): { opened_at?: number } {
  const startedAtMs = program?.startedAtMs ?? null
  return startedAtMs === null ? {} : { opened_at: startedAtMs }
}
