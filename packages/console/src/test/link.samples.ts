/** Valid inputs, outputs and their statuses for tests; each test changes what it is about. */
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { type Input, InputConfig } from '@trunkline/contract/contributions/input.schema'
import { type Output, OutputConfig } from '@trunkline/contract/contributions/output.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { statusOf } from './samples.ts'

const NO_KEY = { selection: 'no', passphrase: '', type: 128, passphraseSet: false } as const

export function inputOf(id: string, parts: Partial<Input> = {}): Input {
  return {
    _id: id,
    id,
    name: `input-${id}`,
    title: `Input ${id}`,
    inputType: 'aCANFeeder',
    serverId: 'gw-west',
    groupId: 'north',
    serverInfo: { _id: 'gw-west', title: 'gw-west-02', host: '203.0.113.20' },
    outputIds: [],
    isEnabled: true,
    config: {
      ...InputConfig.parse({ port: 6002, multicast: '239.77.2.1', multicastPort: 20_604 }),
      port: '6002',
      latency: 300,
      statInterval: 2000,
    },
    encryption: { ...NO_KEY },
    advanced: [],
    version: 1,
    ...parts,
  }
}

export function outputOf(id: string, parts: Partial<Output> = {}): Output {
  return {
    _id: id,
    id,
    name: `output-${id}`,
    title: `Output ${id}`,
    inputType: 'SRT',
    contributionId: 'i',
    contributionInfo: {
      _id: 'i',
      title: 'Input i',
      serverId: 'gw-west',
      config: { multicast: '239.77.2.1', port: '6002' },
    },
    destinationId: null,
    destinationInfo: null,
    isEnabled: true,
    config: {
      ...OutputConfig.parse({ host: '203.0.113.80', port: 7016 }),
      port: '7016',
      latency: 300,
      statInterval: 2000,
    },
    encryption: { ...NO_KEY },
    advanced: [],
    version: 1,
    ...parts,
  }
}

export function destinationOf(id: string, parts: Partial<Destination> = {}): Destination {
  return {
    _id: id,
    id,
    title: `Destination ${id}`,
    ip: '203.0.113.80',
    groupId: 'north',
    encryption: { ...NO_KEY },
    outputs: 0,
    linkable: 0,
    version: 1,
    ...parts,
  }
}

/** A sending end knows nothing of losses. */
export function linkReadingOf(parts: Partial<LinkReading> = {}): LinkReading {
  const sends = parts.direction === 'send'
  return {
    kind: 'link',
    protocol: 'srt',
    direction: 'receive',
    atMs: Date.now(),
    bitrateKbps: 4488,
    rttMs: 18,
    packets: 10_000,
    lostPackets: sends ? null : 200,
    retransmittedPackets: 200,
    droppedPackets: sends ? null : 10,
    ...parts,
  }
}

/** Running, the other end there, media moving. */
export function linkStatusOf(
  kind: 'input' | 'output',
  id: string,
  parts: Partial<ProgramStatus> = {},
): ProgramStatus {
  return statusOf(id, { kind, peer: 'connected', reading: linkReadingOf(), ...parts })
}

export const STOPPED: Partial<ProgramStatus> = {
  state: 'stopped',
  wanted: 'stopped',
  startedAtMs: null,
  pid: null,
  peer: '',
  reading: null,
}
