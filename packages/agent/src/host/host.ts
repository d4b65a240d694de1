/** What this host can do, found at the agent's start; adapters and sources are looked at anew. */
import { availableParallelism, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { AgentConfig, SourceConfig } from '@trunkline/contract/agent/agent-config.schema'
import type { Capabilities } from '@trunkline/contract/agent/capability.schema'
import { PRODUCT_VERSION } from '@trunkline/contract/product'
import type { HostFacts } from '../commands/host-facts.ts'
import { probeLocalBus, type LocalBus } from './local-bus.ts'
import { SourceLook } from './source-look.ts'
import { ToolAnswers } from './tool-answers.ts'
import { findFont, inputDevices, toolVersions, usefulEncoders } from './tools.ts'

export const AGENT_VERSION = PRODUCT_VERSION

export interface Host {
  readonly sources: readonly SourceConfig[]
  readonly sourceLook: SourceLook
  readonly tools: Readonly<Record<string, string>>
  readonly encoders: readonly string[]
  readonly localBus: LocalBus
  readonly fontFile: string
  readonly caFile: string
}

export async function lookAtHost(config: AgentConfig): Promise<Host> {
  const answers = new ToolAnswers(join(config.dataDir, 'tools.json'))
  const { ask } = answers
  const [tools, encoders, localBus, fontFile, devices] = await Promise.all([
    toolVersions(ask),
    usefulEncoders(ask),
    probeLocalBus(),
    findFont(ask),
    inputDevices(ask),
  ])
  answers.save()
  const { sources, caFile = '' } = config
  const needs = { hasFfmpeg: 'ffmpeg' in tools, inputDevices: devices, fontFile }
  const sourceLook = new SourceLook(sources, needs)
  await sourceLook.look()
  return { sources, sourceLook, tools, encoders, localBus, fontFile, caFile }
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
    caFile: host.caFile,
  }
}

/** Every IPv4 address of this host with its device's name; the tools know no IPv6. */
export function adapters(): HostFacts['adapters'][number][] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter((address) => address.family === 'IPv4')
      .map((address) => ({ name, ip: address.address })),
  )
}

/** The sources as last looked at. */
export function capabilitiesOf(host: Host): Capabilities {
  return {
    agentVersion: AGENT_VERSION,
    cpuCores: availableParallelism(),
    tools: { ...host.tools },
    encoders: [...host.encoders],
    sources: host.sourceLook.list(),
    adapters: adapters(),
    localBus: host.localBus,
    checksTransports: true,
    countsTransports: true,
    testsLinks: true,
  }
}
