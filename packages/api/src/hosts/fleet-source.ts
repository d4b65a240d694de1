import type { LookupFunction } from 'node:net'
import type { HostAddress } from './host-address.ts'
import type { HostRecord, LeftHost } from './host-record.ts'
import type { ProgramFilter, WantedProgram } from './wanted-program.ts'

/** Where hosts and wanted programs come from: the database, read by the stores. */
export interface FleetSource {
  readRecords(): Promise<HostRecord[]>
  readPrograms(filter: ProgramFilter): Promise<WantedProgram[]>
  readLeftHosts(): Promise<LeftHost[]>
  /** Nothing of ours runs there any more. */
  forgetLeftHost(address: HostAddress): Promise<void>
  /** Resolves names of hosts, and refuses those that are out of bounds. */
  readonly lookup: LookupFunction
}
