/** What the commands must know of the host that they build for. They look nothing up themselves. */
import type { SourceConfig } from '@trunkline/contract/agent/agent-config.schema'

export interface HostFacts {
  /** The agent's configured sources: which card index is which device (decisions.md 8). */
  sources: readonly SourceConfig[]
  /** Device name and address of every network adapter; RIST wants the name, SRT the address. */
  adapters: readonly { name: string; ip: string }[]
  /** Multicast on the loopback interface, as tried at start (decisions.md 2). */
  localBusWorks: boolean
  /** ffmpeg encoders that this host has: libx264, libtwolame, aac, libfdk_aac … */
  encoders: readonly string[]
  /** A TrueType file for the burnt-in clock, such as DejaVuSansMono.ttf. */
  fontFile: string
  /** Where an encoder's small picture goes, relative to the folder it runs in; '' for nowhere. */
  pictureFile: string
  /** Certificate authorities for far ends with TLS, a PEM file; '' for those that the system trusts. */
  caFile: string
}
