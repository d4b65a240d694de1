/** For tests: links of this host to itself. */
import type { RistLeg, SrtLeg } from '@trunkline/contract/agent/program.messages'

export function srtLeg(mode: SrtLeg['mode'], port: number, more: Partial<SrtLeg> = {}): SrtLeg {
  return {
    protocol: 'srt',
    ...endOf(mode, port),
    latencyMs: 120,
    maxBandwidthBytes: 0,
    advanced: [],
    ...more,
  }
}

export function ristLeg(mode: RistLeg['mode'], port: number, more: Partial<RistLeg> = {}): RistLeg {
  return {
    protocol: 'rist',
    ...endOf(mode, port),
    profile: 'main',
    bufferMs: 120,
    bandwidthKbps: 0,
    reorderBufferMs: null,
    rttMinMs: null,
    statIntervalMs: 500,
    ...more,
  }
}

function endOf(mode: 'call' | 'listen', port: number) {
  return { mode, host: mode === 'call' ? '127.0.0.1' : '', port, adapterIp: '', key: null }
}
