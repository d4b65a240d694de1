/** A program as the database wants it: what the board shows and reconcile brings to its host. */
import { createHash } from 'node:crypto'
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import type { HostAddress } from '../hosts/host-address.ts'

export interface WantedProgram {
  programId: string
  kind: ProgramKind
  /** The object's id; a feeder's is its name. */
  id: string
  /** Whose change re-reads this program: an encoder for itself and its feeders, an input for its outputs too. */
  ownerKind: 'encoder' | 'input'
  ownerId: string
  /** Server that an input and its outputs run on; '' for an encoder. */
  serverId: string
  address: HostAddress
  groupId: string
  /** Who may see it by assignment (editors of an encoder and of its feeders). */
  editorIds: readonly string[]
  /** Disabled programs are taken off their host. */
  isEnabled: boolean
  wanted: 'running' | 'stopped'
  spec: ProgramSpec
  revision: string
}

/** A program with what follows from the rest of it. `isWanted`: somebody has started it. */
export function wantedProgram({
  isWanted,
  ...given
}: Omit<WantedProgram, 'programId' | 'wanted' | 'revision'> & {
  isWanted: boolean
}): WantedProgram {
  return {
    ...given,
    programId: programIdOf(given.kind, given.id),
    wanted: given.isEnabled && isWanted ? 'running' : 'stopped',
    revision: revisionOf(given.spec),
  }
}

export type ProgramPlace = Pick<WantedProgram, 'address' | 'programId'>

/** Which wanted programs to read again after a change. */
export type ProgramFilter =
  | { by: 'all' }
  /** An encoder with its feeders; an input with its outputs. */
  | { by: 'encoder'; id: string }
  | { by: 'input'; id: string }
  | { by: 'program'; kind: ProgramKind; id: string }
  | { by: 'server'; id: string }

const SEPARATOR = '-'

export function programIdOf(kind: ProgramKind, id: string): string {
  return `${kind}${SEPARATOR}${id}`
}

/** The other way; an id of another making has an id that no object has. */
export function kindAndId(programId: string): { kind: ProgramKind; id: string } {
  const at = programId.indexOf(SEPARATOR)
  const kind = ProgramKind.safeParse(programId.slice(0, at))
  return kind.success
    ? { kind: kind.data, id: programId.slice(at + 1) }
    : { kind: 'encoder', id: '' }
}

const REVISION_CHARACTERS = 32

/** Equal specs have equal revisions, whatever the order of their keys. */
export function revisionOf(spec: ProgramSpec): string {
  const digest = createHash('sha256').update(canonicalJson(spec)).digest('hex')
  return digest.slice(0, REVISION_CHARACTERS)
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([first], [second]) => (first < second ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`)
  return `{${entries.join(',')}}`
}
