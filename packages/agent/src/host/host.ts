/** What this host can do, found once at the agent's start; adapters are looked up anew each time. */
import { availableParallelism } from 'node:os'
import type { AgentConfig, SourceConfig } from '@trunkline/contract/agent/agent-config.schema'
import type { Capabilities, HostSource } from '@trunkline/contract/agent/capability.schema'
import type { HostFacts } from '../commands/host-facts.ts'
import { adapters } from './adapters.ts'
import { probeLocalBus, type LocalBus } from './local-bus.ts'
import { findFont, toolVersions, usefulEncoders } from './tools.ts'

export const AGENT_VERSION = '0.1.0'

export interface Host {
  readonly sources: readonly SourceConfig[]
  readonly tools: Readonly<Record<string, string>>
  readonly encoders: readonly string[]
  readonly localBus: LocalBus
  readonly fontFile: string
}

export async function lookAtHost(config: AgentConfig): Promise<Host> {
  const [tools, encoders, localBus, fontFile] = await Promise.all([
    toolVersions(),
    usefulEncoders(),
    probeLocalBus(),
    findFont(),
  ])
  return { sources: config.sources, tools, encoders, localBus, fontFile }
}

/** What the commands build from. */
export function factsOf(host: Host): HostFacts {
  return {
    sources: host.sources,
    adapters: adapters(),
    localBusWorks: host.localBus.works,
    encoders: host.encoders,
    fontFile: host.fontFile,
    pictureFile: '',
  }
}

export function capabilitiesOf(host: Host): Capabilities {
  return {
    agentVersion: AGENT_VERSION,
    cpuCores: availableParallelism(),
    tools: { ...host.tools },
    encoders: [...host.encoders],
    sources: host.sources.map(describeSource),
    adapters: adapters(),
    localBus: host.localBus,
  }
}

function describeSource(source: SourceConfig): HostSource {
  const { cardIdx, kind, device } = source
  const label = kind === 'test-pattern' ? `Test pattern ${cardIdx}` : `${kind} ${device}`.trim()
  return { cardIdx, kind, label, unusable: '' }
}
