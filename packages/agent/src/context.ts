/** What the folders of the agent share. Made once by app.ts. */
import type { AgentConfig } from '@trunkline/contract/agent/agent-config.schema'
import type { Logger } from 'pino'
import type { HealthWatch } from './host/health-watch.ts'
import type { Host } from './host/host.ts'
import type { SeatIdentities } from './identity/seat-identities.ts'
import type { LinkTests } from './link-test/link-tests.ts'
import type { ProgramBoard } from './programs/program-board.ts'
import type { ProgramLogs } from './programs/program-logs.ts'
import type { ProgramRecords } from './programs/program-records.ts'
import type { ProgramWatch } from './programs/program-watch.ts'
import type { Supervisor } from './supervisor/supervisor.ts'
import type { TransportChecks } from './transport/transport-checks.ts'

export interface Context {
  readonly config: AgentConfig
  readonly log: Logger
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly host: Host
  /** The state of the host itself: its disk, its supervisord. */
  readonly health: HealthWatch
  readonly supervisor: Supervisor
  readonly board: ProgramBoard
  /** Follows the state changes of the programs on the board, and what their logs say. */
  readonly watch: ProgramWatch
  readonly logs: ProgramLogs
  /** What a restarted agent must know of each program. */
  readonly records: ProgramRecords
  /** Of the transport streams of links. */
  readonly transports: TransportChecks
  readonly linkTests: LinkTests
  /** By what the seats are known over TLS. */
  readonly identities: SeatIdentities
}
