/** What of a host's own description is kept: an honest one is within all of it. */
import type { Capabilities } from '@trunkline/contract/agent/capability.schema'

/** Card indexes go from 0 to 63. */
const MAX_SOURCES = 64
const MAX_ENTRIES = 200
const MAX_NAME_CHARACTERS = 100
/** A sentence, or the label of a source with the longest path that an agent takes. */
const MAX_SENTENCE_CHARACTERS = 1000

/** A broken host must fill neither our memory nor the form of whoever configures an encoder of it. */
export function keptCapabilities(capabilities: Capabilities): Capabilities {
  const tools = Object.entries(capabilities.tools).slice(0, MAX_ENTRIES)
  return {
    agentVersion: name(capabilities.agentVersion),
    cpuCores: capabilities.cpuCores,
    tools: Object.fromEntries(tools.map(([tool, version]) => [name(tool), name(version)])),
    encoders: capabilities.encoders.slice(0, MAX_ENTRIES).map(name),
    sources: capabilities.sources.slice(0, MAX_SOURCES).map((source) => ({
      ...source,
      label: sentence(source.label),
      unusable: sentence(source.unusable),
    })),
    adapters: capabilities.adapters
      .slice(0, MAX_ENTRIES)
      .map((adapter) => ({ name: name(adapter.name), ip: name(adapter.ip) })),
    localBus: {
      works: capabilities.localBus.works,
      reason: sentence(capabilities.localBus.reason),
    },
    checksTransports: capabilities.checksTransports === true,
    countsTransports: capabilities.countsTransports === true,
    testsLinks: capabilities.testsLinks === true,
  }
}

function name(text: string): string {
  return text.slice(0, MAX_NAME_CHARACTERS)
}

function sentence(text: string): string {
  return text.slice(0, MAX_SENTENCE_CHARACTERS)
}
