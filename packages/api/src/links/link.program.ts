/** Inputs and outputs as the programs that their server runs. Pure: what changes here changes a revision. */
import type { Leg, LocalLeg, ProgramSpec } from '@trunkline/contract/agent/program.messages'
import type { InputConfig, InputType } from '@trunkline/contract/contributions/input.schema'
import {
  RIST_SIMPLE,
  type AdvancedParameter,
  type Encryption,
} from '@trunkline/contract/contributions/link.schema'
import type { OutputConfig, OutputType } from '@trunkline/contract/contributions/output.schema'

export interface LinkSettings<Type, Config> {
  type: Type
  config: Config
  encryption: Encryption
  /** In clear, '' for none. */
  passphrase: string
  advanced: readonly AdvancedParameter[]
}

/** The bus stays on the machine; a reader needs no more than that. */
const READER_TTL = 1

/** null for a Local input: its stream is on the network already, nothing runs. */
export function inputSpec(input: LinkSettings<InputType, InputConfig>): ProgramSpec | null {
  if (input.type === 'Local') return null
  const { config } = input
  return {
    kind: 'receiver',
    local: { ...busOf(input.type, config), ttl: config.ttl },
    outer: outerLeg(input.type === 'RIST' ? 'RIST' : 'SRT', input, {}),
  }
}

export function outputSpec(
  output: LinkSettings<OutputType, OutputConfig>,
  input: { type: InputType; config: InputConfig },
): ProgramSpec {
  return {
    kind: 'sender',
    local: { ...busOf(input.type, input.config), ttl: READER_TTL },
    outer: outerLeg(output.type, output, output.config),
  }
}

/** Where outputs read: the local bus, or the group and port that a Local stream comes on. */
function busOf(type: InputType, config: InputConfig): Omit<LocalLeg, 'ttl'> {
  const port = type === 'Local' ? config.port : (config.multicastPort ?? config.port)
  return { ip: config.multicast, port }
}

type Common = Pick<
  OutputConfig,
  | 'mode'
  | 'host'
  | 'port'
  | 'adapterIp'
  | 'latency'
  | 'maxBandWidth'
  | 'bandWidth'
  | 'bufferMin'
  | 'profile'
  | 'statInterval'
>

function outerLeg(
  protocol: OutputType,
  { config, encryption, passphrase, advanced }: Omit<LinkSettings<unknown, Common>, 'type'>,
  more: Partial<Pick<OutputConfig, 'reorderBuffer' | 'rtl' | 'secondPath'>>,
): Leg {
  const hasKey = encryption.selection === 'yes' && passphrase !== ''
  const shared = {
    mode: config.mode === 'Listen' ? ('listen' as const) : ('call' as const),
    host: config.host,
    port: config.port,
    adapterIp: config.adapterIp,
    key: hasKey ? { passphrase, bits: encryption.type } : null,
  }
  if (protocol === 'SRT') {
    return {
      ...shared,
      protocol: 'srt',
      latencyMs: config.latency,
      maxBandwidthBytes: config.maxBandWidth,
      advanced: [...advanced],
    }
  }
  return {
    ...shared,
    protocol: 'rist',
    profile: config.profile === RIST_SIMPLE ? 'simple' : 'main',
    bufferMs: config.bufferMin ?? config.latency,
    bandwidthKbps: config.bandWidth,
    reorderBufferMs: more.reorderBuffer ?? null,
    rttMinMs: more.rtl ?? null,
    statIntervalMs: config.statInterval,
    // A listener's ways are its callers' to choose.
    ...(more.secondPath && shared.mode === 'call' ? { secondPath: more.secondPath } : {}),
  }
}
