/** A program as the database wants it: what the board shows and reconcile brings to its host. */
import { hash } from 'node:crypto'
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
  /** Of a feeder its encoder's: lists stand in this order. */
  createdAtMs: number
  /** Disabled programs are taken off their host. */
  isEnabled: boolean
  wanted: 'running' | 'stopped'
  revision: string
  spec: ProgramSpec
}

/**
 * What is kept in memory of each: all but the settings, which are read when they are to be brought to
 * the host.
 */
export type KnownProgram = Omit<WantedProgram, 'spec'>

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
    wanted: wantedState(given, isWanted),
    revision: revisionOf(given.spec),
  }
}

export function wantedState(
  { isEnabled }: Pick<WantedProgram, 'isEnabled'>,
  isWanted: boolean,
): WantedProgram['wanted'] {
  return isEnabled && isWanted ? 'running' : 'stopped'
}

export type ProgramPlace = Pick<WantedProgram, 'address' | 'programId'>

/** Of a site with very many so many are read together: some milliseconds. */
export const PROGRAMS_AT_ONCE = 100

/** Which wanted programs to read again after a change. */
export type ProgramFilter = { by: 'all' } | SomePrograms

export type SomePrograms =
  /** An encoder with its feeders; an input with its outputs. */
  | { by: 'encoder'; id: string }
  | { by: 'input'; id: string }
  | { by: 'program'; kind: ProgramKind; id: string }
  | { by: 'server'; id: string }
  | { by: 'programs'; programIds: readonly string[] }

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

/** Of those of this kind. */
export function idsOfKind(programIds: readonly string[], kind: ProgramKind): string[] {
  return programIds
    .map(kindAndId)
    .filter((each) => each.kind === kind)
    .map(({ id }) => id)
}

/** 32 characters. */
const REVISION_BYTES = 16

/** Equal specs have equal revisions, whatever the order of their keys. */
export function revisionOf(spec: ProgramSpec): string {
  // A part of the whole digest's text would hold all of it in memory.
  const text = JSON.stringify(withSortedKeys(spec))
  return hash('sha256', text, 'buffer').toString('hex', 0, REVISION_BYTES)
}

/** Written out in one go: a start does this for each program of the site. */
function withSortedKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(withSortedKeys)
  const fields = value as Readonly<Record<string, unknown>>
  const sorted: Record<string, unknown> = {}
  for (const key of Object.keys(fields).toSorted()) sorted[key] = withSortedKeys(fields[key])
  return sorted
}
