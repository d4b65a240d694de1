/** An input as the API answers it: whether it is shown, what it carries, and why it gives nothing. */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import { PAUSED } from '@trunkline/contract/program-state'
import type { MediaTrack, StreamInput } from '@trunkline/contract/channels/stream.schema'
import { unplayable } from './playable.rules.ts'
import { publicUrl } from '../definition/stream-url.rules.ts'

/** What is known of an input now. Times: milliseconds since 1970. */
export interface InputFacts {
  url: string
  priority: number | null
  isStreamOff: boolean
  isCurrent: boolean
  isSelected: boolean
  isWell: boolean
  /** It waits to be called. */
  isListening: boolean
  /** Since when it is well, or not; null when it is off, or nobody knows. */
  sinceMs: number | null
  /** Since when it is shown; null when it is not. */
  shownSinceMs: number | null
  /** Null when the host refused it. */
  ingest: ProgramReport | null
  packager: ProgramReport | null
  /** Why the host refused one of its programs, '' when it did not. */
  refusal: string
  /** When its packager finished the newest segment. */
  newestAtMs: number | null
  /** kbit/s as its link counts now, else of its tracks; null when neither is known. */
  bitrateKbps: number | null
  /** As they arrive. */
  tracks: readonly MediaTrack[]
  /** As its packager hands them on. */
  packaged: readonly MediaTrack[]
  /** The host's clock. */
  nowMs: number
}

export function inputAnswer(facts: InputFacts): StreamInput {
  const { ingest, isStreamOff, isWell, tracks, packaged } = facts
  const error = isStreamOff || isWell ? '' : troubleOf(facts)
  return {
    url: publicUrl(facts.url),
    ...(facts.priority === null ? {} : { priority: facts.priority }),
    stats: {
      active: !isStreamOff && facts.isCurrent,
      selected: facts.isSelected,
      ...(ingest?.startedAtMs ? { opened_at: ingest.startedAtMs } : {}),
      ...(facts.sinceMs === null ? {} : { since: facts.sinceMs }),
      ...activeSince(facts),
      ...lastPicture(facts),
      ...(isWell && facts.bitrateKbps !== null ? { bitrate: facts.bitrateKbps } : {}),
      ...(ingest?.reading?.bytes === undefined ? {} : { bytes: ingest.reading.bytes }),
      ...(error === '' ? {} : { error }),
      ...(error !== '' && isReceiverDown(facts) ? { receiver_down: true } : {}),
      ...(isWell ? unplayable(packaged) : {}),
      media_info: { tracks: [...tracks] },
    },
  }
}

/** It carries the picture since it is shown, and since it is well: the later of the two. */
function activeSince({ isWell, sinceMs, shownSinceMs }: InputFacts): { active_since?: number } {
  if (!isWell || sinceMs === null || shownSinceMs === null) return {}
  return { active_since: Math.max(sinceMs, shownSinceMs) }
}

/** Of a healthy input: the last report of its packager; else its last segment. */
function lastPicture({ isWell, packager, newestAtMs }: InputFacts): { last_dts_at?: number } {
  const atMs = (isWell ? packager?.reading?.atMs : null) ?? newestAtMs
  return atMs === null ? {} : { last_dts_at: Math.round(atMs) }
}

/** A sentence: from where the stream enters to where its pictures are made. Pure. */
export function troubleOf(facts: InputFacts): string {
  const { refusal, ingest, packager } = facts
  if (refusal !== '') return refusal
  if (ingest?.state !== 'running') return causeOf(ingest, 'The receiver of this input')
  if (ingest.hasFarEnd && ingest.peer !== 'connected') return awayOf(facts, ingest)
  if (ingest.cause !== '') return ingest.cause
  if (packager?.cause === PAUSED) return PAUSED
  if (packager?.state !== 'running') return causeOf(packager, 'The packager of this input')
  if (arrivesUnread(facts)) {
    if (isPictureAwaited(facts)) return 'Data arrives; waiting for the first picture.'
    return 'Data arrives, but no picture can be decoded. Check the sender’s format.'
  }
  if (isFirstPictureAwaited(facts, ingest)) {
    return ingest.peer === 'connected'
      ? 'The far end is connected; waiting for the first picture.'
      : 'Waiting for the first picture.'
  }
  if (ingest.peer === 'connected') return 'The far end is connected, but sends no picture.'
  return 'No picture arrives. Check the sender, its address and its port.'
}

/** Nothing can come in, whatever the far end does: the trouble is on this host. */
function isReceiverDown({ refusal, ingest, packager, isListening }: InputFacts): boolean {
  if (refusal !== '' || packager?.cause === PAUSED || ingest?.cause === PAUSED) return true
  // What calls ends where nobody answers, too.
  return isListening && ['backoff', 'fatal', 'exited', 'stopped'].includes(ingest?.state ?? '')
}

function causeOf(program: ProgramReport | null, what: string): string {
  if (program !== null && program.cause !== '') return program.cause
  return program?.state === 'starting' ? `${what} is starting.` : `${what} does not run.`
}

/** A report of a link is about the two seconds before it. */
const REPORT_MS = 2500
/** Two reports, so that a late report does not change the message. */
const FRESH_MS = 4500

/**
 * Data were counted after the last picture: the report that came with a cut, or just after it, tells
 * of the time before. Nor does an old one tell that data arrive now.
 */
function arrivesUnread({ ingest, sinceMs, nowMs }: InputFacts): boolean {
  const reading = ingest?.reading ?? null
  if (reading === null || reading.bitrateKbps <= 0 || sinceMs === null) return false
  return reading.atMs - sinceMs > REPORT_MS && Math.abs(nowMs - reading.atMs) < FRESH_MS
}

/** ffmpeg looks at a stream for three seconds, and its first segment ends with a key frame. */
const FIRST_PICTURE_MS = 10_000

/** Data came back, or its packager was started, just now: a picture had no time to come of it. */
function isPictureAwaited({ ingest, packager, nowMs }: InputFacts): boolean {
  const sinceMs = Math.max(ingest?.observed?.mediaSinceMs ?? 0, packager?.startedAtMs ?? 0)
  return Math.abs(nowMs - sinceMs) < FIRST_PICTURE_MS
}

/** No picture came since its far end or its packager did, and that was just now. */
function isFirstPictureAwaited(
  { packager, newestAtMs, nowMs }: InputFacts,
  ingest: ProgramReport,
): boolean {
  const peerSinceMs = ingest.hasFarEnd ? (ingest.observed?.peerSinceMs ?? 0) : 0
  const sinceMs = Math.max(peerSinceMs, packager?.startedAtMs ?? 0)
  return Math.abs(nowMs - sinceMs) < FIRST_PICTURE_MS && (newestAtMs ?? 0) < sinceMs
}

function awayOf(facts: InputFacts, ingest: ProgramReport): string {
  if (ingest.cause !== '') return ingest.cause
  if (!facts.isListening) return 'The far end does not answer.'
  // Once data have come there was a caller.
  const hadCaller = ingest.reading !== null || facts.newestAtMs !== null
  return hadCaller ? 'The caller has left, and no caller is connected.' : 'No caller yet.'
}
