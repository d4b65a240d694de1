/** What became of a push, in the streamer API's words. Pure. */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { StreamPush } from '@trunkline/contract/channels/stream.schema'
import { READING_HOLDS_MS } from '../programs/stuck-packagers.ts'
import { publicUrl } from '../definition/stream-url.rules.ts'

interface PushFacts {
  isStreamOff: boolean
  /** Null when the host refused the program. */
  report: ProgramReport | null
  /** With which sentence, '' when it did not. */
  refusal: string
  /** Milliseconds since 1970, as the program's readings have it. */
  nowMs: number
}

/** A push is wanted until it is switched off: whatever befell it, it is tried again. */
export function pushAnswer(
  push: { url: string; disabled: boolean },
  { isStreamOff, report, refusal, nowMs }: PushFacts,
): StreamPush {
  const isOff = push.disabled || isStreamOff
  const status = isOff ? 'pending' : statusOf(report)
  const error = isOff || status === 'running' ? '' : refusal || reasonOf(report, status)
  return {
    url: publicUrl(push.url),
    disabled: push.disabled,
    stats: {
      status,
      retries: isOff || report === null ? 0 : (report.retries ?? report.restarts),
      ...(error === '' ? {} : { last_error: error }),
      ...(isOff || report === null || report.startedAtMs === null
        ? {}
        : { opened_at: report.startedAtMs }),
      ...(isOff ? {} : sentOf(report?.reading ?? null, nowMs)),
    },
  }
}

/**
 * Datagrams to nobody in particular are counted by no tool, and the bytes of RIST by none. A link
 * that sends nothing more reports no more, and its last rate would stand for ever.
 */
function sentOf(
  reading: ProgramReport['reading'],
  nowMs: number,
): { bytes?: number; bitrate?: number } {
  if (reading === null) return {}
  const isNew = Math.abs(nowMs - reading.atMs) <= READING_HOLDS_MS
  return {
    ...(reading.bytes === undefined ? {} : { bytes: reading.bytes }),
    ...(isNew ? { bitrate: reading.bitrateKbps } : {}),
  }
}

type Status = 'pending' | 'starting' | 'running' | 'stalling' | 'retry' | 'error'

function statusOf(report: ProgramReport | null): Status {
  const state = report?.state
  if (report === null || state === 'fatal') return 'error'
  if (state === 'running') return statusOfRunning(report)
  if (state === 'starting') return report.restarts > 0 ? 'retry' : 'starting'
  if (state === 'backoff' || state === 'exited') return 'retry'
  return report.cause === '' ? 'starting' : 'error'
}

/** A process is not a push yet: its far end must take what it sends. */
function statusOfRunning(report: ProgramReport): Status {
  const { hasFarEnd, peer, cause, retries = 0, reading } = report
  if (!hasFarEnd) return 'running'
  if (peer !== 'connected') return cause !== '' || retries > 0 ? 'retry' : 'starting'
  return reading?.bitrateKbps === 0 ? 'stalling' : 'running'
}

function reasonOf(report: ProgramReport | null, status: Status): string {
  if (report === null) return 'This host does not run the push. Check the log of its agent.'
  if (report.cause !== '') return report.cause
  if (status === 'stalling') return 'The far end answers, but the stream has nothing to send.'
  if (status === 'retry')
    return 'The far end does not answer. Check its address, and that it is running.'
  return status === 'error' ? 'The push ended without a message in its log.' : ''
}
