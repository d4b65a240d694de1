/** What was counted in a part of a transport stream, as its reader counts it. */
import type { PcrTiming } from '@trunkline/contract/fleet/transport.schema'
import type { TakenProgram } from './program-tables.ts'

export interface CountedPid {
  pid: number
  packets: number
  continuityErrors: number
  scrambledPackets: number
}

export interface TransportWindow {
  startMs: number
  endMs: number
  packets: number
  longestSilenceMs: number
  syncByteErrors: number
  syncLosses: number
  transportErrors: number
  crcErrors: number
  pat: { sections: number; longestGapMs: number }
  programs: readonly TakenProgram[]
  pcrs: readonly PcrTiming[]
  pids: readonly CountedPid[]
  pidCount: number
}
