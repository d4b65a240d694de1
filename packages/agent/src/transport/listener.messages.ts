/** Between the agent and the thread that reads its local buses. */
import type { UdpAddress } from '../host/free-port.ts'
import type { TransportWindow } from './transport-window.ts'

export type ListenerRequest =
  /** Reads that group until it is to stop, and says what it counted after each window. */
  | { type: 'listen'; key: string; leg: UdpAddress; windowMs: number; keepsPackets: boolean }
  | { type: 'stop'; key: string }

export type ListenerAnswer =
  | {
      type: 'window'
      key: string
      window: TransportWindow
      isWhole: boolean
      /** Its packets, where they were to be kept: of the first few megabytes. */
      packets: Uint8Array<ArrayBuffer> | null
    }
  /** It could not listen, or does no longer. */
  | { type: 'failed'; key: string; reason: string }
