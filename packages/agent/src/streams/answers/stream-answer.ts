/** A stream as the API answers it. Secrets in addresses are cut out. */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type {
  AudioLevel,
  MediaTrack,
  StreamDetail,
  StreamFinding,
} from '@trunkline/contract/channels/stream.schema'
import type { Context } from '../../context.ts'
import { inputAnswer, type InputFacts } from './input-answer.ts'
import { unplayable } from './playable.rules.ts'
import type { StoredStream } from '../definition/stream.schema.ts'
import * as streamPrograms from '../programs/stream-programs.ts'
import { pushAnswer } from './push-answer.ts'
import { hlsId, pushId, type Refusal } from '../programs/stream.units.ts'
import { bitrateOf, type Window } from '../timeline/timeline.rules.ts'

/** The streamer API's own figure: alive is false when the newest segment is older. */
const ALIVE_MS = 12_000

/** What is known of a stream now, beside its programs. */
export interface StreamLook {
  window: Window
  /** What viewers are given. */
  tracks: readonly MediaTrack[]
  /** Since when it is started or restarted by a command; null while it is not. */
  startingSinceMs: number | null
  findings: readonly StreamFinding[]
  audioLevel: AudioLevel | null
  /** In the order of the stream's inputs. */
  inputs: readonly InputFacts[]
  /** Why the host does not run some of its programs. */
  refusals: readonly Refusal[]
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
    pushes: stream.pushes.map((push) => pushOf(ctx, stream, push, look)),
    stats: statsAnswer(ctx, stream, look),
  }
}

function pushOf(
  ctx: Context,
  stream: StoredStream,
  push: StoredStream['pushes'][number],
  look: StreamLook,
) {
  const id = pushId(stream, push.url)
  const fields = [`pushes.${stream.pushes.indexOf(push)}.url`, id]
  return pushAnswer(push, {
    isStreamOff: stream.disabled,
    report: streamPrograms.report(ctx, id),
    refusal: look.refusals.find(({ field }) => fields.includes(field))?.sentence ?? '',
    nowMs: ctx.clock(),
  })
}

function statsAnswer(
  ctx: Context,
  stream: StoredStream,
  look: StreamLook,
): NonNullable<StreamDetail['stats']> {
  const packager = streamPrograms.report(ctx, hlsId(stream, stream.currentUrl))
  const newestAtMs = look.window.rows.at(-1)?.writtenAtMs ?? null
  // Either way: one of the future was written before the host's clock was set back.
  const isNew = newestAtMs !== null && Math.abs(ctx.clock() - newestAtMs) < ALIVE_MS
  const isAlive = !stream.disabled && isNew
  return {
    alive: isAlive,
    status: isAlive ? 'running' : isBroken(packager) ? 'error' : 'waiting',
    ...bandwidthAnswer(isAlive ? inputBandwidthBps(stream, look) : 0),
    running_transcoder: stream.template !== null && packager?.state === 'running',
    dvr_enabled: false,
    ...openedAt(packager),
    ...(isAlive ? {} : lostSince(look)),
    ...(look.startingSinceMs === null ? {} : { starting_since: look.startingSinceMs }),
    ...findingsAnswer(isAlive, look),
    ...(isAlive && look.audioLevel !== null ? { audio_level: look.audioLevel } : {}),
    ...(newestAtMs === null ? {} : { last_dts_at: Math.round(newestAtMs) }),
    ...(isAlive ? unplayable(look.tracks) : {}),
    ...(look.tracks.length === 0 ? {} : { media_info: { tracks: [...look.tracks] } }),
  }
}

/** Of the current input. Null: nobody has measured it, and a template's output says nothing of it. */
function inputBandwidthBps(stream: StoredStream, look: StreamLook): number | null {
  const current = look.inputs.find((input) => input.isCurrent)
  if (current?.isWell !== true) return 0
  if (current.bitrateKbps !== null) return current.bitrateKbps * 1000
  return stream.template === null ? bitrateOf(look.window) : null
}

function bandwidthAnswer(bps: number | null) {
  return bps === null ? {} : { input_bitrate: Math.round(bps / 1000), inputs_bandwidth: bps }
}

/** Of a picture that comes: the last one of an input that is lost stands still anyway. */
function findingsAnswer(isAlive: boolean, { findings, inputs }: StreamLook) {
  const isShown = isAlive && inputs.some((input) => input.isCurrent && input.isWell)
  return isShown && findings.length > 0 ? { findings: [...findings] } : {}
}

/**
 * As the current input lost its picture: the playlist outlives it by some seconds. One that is well before
 * its next segment is listed waits for that since then.
 */
function lostSince({ inputs }: StreamLook): { since?: number } {
  const sinceMs = inputs.find((input) => input.isCurrent)?.sinceMs ?? null
  return sinceMs === null ? {} : { since: sinceMs }
}

function isBroken(packager: ProgramReport | null): boolean {
  return packager !== null && ['backoff', 'fatal', 'exited'].includes(packager.state)
}

function openedAt(program: ProgramReport | null): { opened_at?: number } {
  const startedAtMs = program?.startedAtMs ?? null
  return startedAtMs === null ? {} : { opened_at: startedAtMs }
}
