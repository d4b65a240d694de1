import type { HostAddress } from '../hosts/host-address.ts'
import type { RecordSource } from '../hosts/host-directory.ts'
import type { Retained } from './spared-program.service.ts'
import type { SomePrograms, ProgramPlace, WantedProgram } from './wanted-program.ts'

/** Where hosts and wanted programs come from: the database, read by the stores. */
export interface FleetSource extends RecordSource {
  readPrograms(filter: SomePrograms): Promise<WantedProgram[]>
  /** Part by part: those of a large site are never held with all their settings. */
  readAllPrograms(): AsyncIterable<readonly WantedProgram[]>
  /** Nothing of ours runs there any more. */
  forgetLeftHost(address: HostAddress): Promise<void>
  /** Why a program that nobody wants there is not taken off; null: it is. */
  retainedAt(place: ProgramPlace): Promise<Retained | null>
  /** Forgets kept definitions that nobody needs; answers the hosts that still have them. */
  dropOutdated(): Promise<HostAddress[]>
}
