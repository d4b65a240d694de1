/** What the tools report of a peer, in words. What they do not report is not shown. */
import { peerStateFromLog, type PeerState } from '@trunkline/contract/program-state'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { PeerFacts } from '@trunkline/contract/fleet/observed.schema'

/**
 * Whether the other end is there. A host that reports what it observes knows it; a log read a moment
 * ago may be that of the process before. Of other hosts the log alone tells (CON-IN-26).
 */
export function peerOf(status: ProgramStatus | null, log: readonly string[]): PeerState {
  if (status?.state !== 'running') return ''
  return status.observed === null ? status.peer || peerStateFromLog(log) : status.peer
}

/** Null unless a peer is connected now. */
export function peerFactsOf(status: ProgramStatus | null): PeerFacts | null {
  const isConnected = status?.state === 'running' && status.peer === 'connected'
  return isConnected ? (status.observed?.peerFacts ?? null) : null
}

/** '' when not reported. */
export function latencyText({ latencyMs, latencyOf }: PeerFacts): string {
  if (latencyMs === null) return ''
  return `${latencyMs} ms (negotiated${latencyOf === 'return' ? ', return direction' : ''})`
}

/** '' where there is nothing to explain. */
export function latencyHint({ latencyOf }: PeerFacts): string {
  return latencyOf === 'return'
    ? 'A calling sender knows only the latency of the return direction. The receiver shows the latency of the stream.'
    : ''
}

const ENCRYPTION_TEXT: Record<PeerFacts['encryption'], string> = {
  '': '',
  none: 'None',
  'AES-128': 'AES-128',
  'AES-192': 'AES-192',
  'AES-256': 'AES-256',
}

/** As negotiated, else the setting. */
export function encryptionText(status: ProgramStatus | null, setting: string): string {
  const negotiated = ENCRYPTION_TEXT[peerFactsOf(status)?.encryption ?? '']
  return negotiated === '' ? setting : `${negotiated} (negotiated)`
}
