import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'

/** Of an input that listens on this port. */
export function receiverSpec(port: number): ProgramSpec {
  return {
    kind: 'receiver',
    local: { ip: '239.255.0.1', port: 20_000, ttl: 1 },
    outer: {
      protocol: 'srt',
      mode: 'listen',
      host: '',
      port,
      adapterIp: '',
      key: null,
      latencyMs: 3000,
      maxBandwidthBytes: 625_000,
      advanced: [],
    },
  }
}
