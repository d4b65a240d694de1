/** What the breaks act on. A training site has all of these parts, another site may lack some. */
import type { Client } from '../api-client.ts'
import type { UdpRelay } from '../links/udp-relay.ts'
import type { TcpDoor } from '../tcp-door.ts'
import type { BreakName } from './break.ts'

/** Something outside the product that sends or receives. Both calls do nothing when it is so already. */
export interface Switchable {
  start: () => Promise<void>
  stop: () => Promise<void>
}

interface Titled {
  /** Of the object that an operator would name. */
  title: string
}

interface Hosted {
  /** Data folder of its host's agent. */
  agentDir: string
}

interface Targets extends Record<BreakName, Titled> {
  'encoder-killed': Titled & Hosted & { encoderId: string; encoderName: string }
  'source-black': Titled & { encoderId: string; coverFile: string }
  'feeder-stopped': Titled & Hosted & { encoderId: string; feederName: string }
  'wrong-passphrase': Titled & { inputId: string; feederName: string; passphrase: string }
  'port-blocked': Titled & { outputId: string; relay: UdpRelay }
  'host-away': Titled & { serverId: string; host: Switchable }
  'packet-loss': Titled & { outputId: string; inputId: string; relay: UdpRelay }
  /** `outputIds`: all that read that bus; the alarm of the first of them stands for it. */
  'bus-silent': Titled & { outputIds: readonly string[]; source: Switchable }
  'destination-away': Titled & { outputId: string; farEnd: Switchable }
  'channel-killed': Titled & Hosted & { channelId: string; serverId: string; streamName: string }
  'media-server-away': Titled & { serverId: string; door: TcpDoor }
  'agent-frozen': Titled & { serverId: string; agentPid: () => number }
}

export interface BreakParts {
  /** Of somebody who may change everything that is broken by a setting. */
  client: () => Promise<Client>
  /** When the site ends: nothing is killed any more. */
  ending: AbortSignal
  targets: Partial<Targets>
}

export type TargetOf<N extends BreakName> = Targets[N]
