/**
 * Inputs and outputs are two kinds of one thing. What is done to both is written once, in the
 * services beside this file; a kind says where they differ: INPUT in inputs/input-kind.service.ts,
 * OUTPUT in outputs/output-kind.service.ts.
 */
import type { Context, Db } from '../context.ts'
import type { ProgramFilter, WantedProgram } from '../programs/wanted-program.ts'
import type { Actor, GroupScope } from '../security/actor.ts'
import type { InputRecord } from './inputs/input.store.ts'
import type { LinkName } from './link.store.ts'
import type { OutputRecord } from './outputs/output.store.ts'

export type LinkRecord = InputRecord | OutputRecord

/** A Local input runs no program: its stream is on the network already. */
export function isLocal(link: LinkRecord): boolean {
  return 'inputType' in link && link.inputType === 'Local'
}

/** With the input whose server and group it has: an input has its own. */
export interface LoadedLink<Link extends LinkRecord = LinkRecord> {
  link: Link
  input: InputRecord
}

/** What is read of a link, and what runs of it. */
export interface LinkKind<Link extends LinkRecord = LinkRecord, Wire = unknown> {
  readonly name: LinkName
  find(db: Db, id: string, scope: GroupScope): Promise<Link | null>
  /** By name or id, of both alike (Q137). */
  listNamed(db: Db, names: readonly string[], scope: GroupScope): Promise<Link[]>
  withInput(db: Db, actor: Actor, link: Link): Promise<LoadedLink<Link>>
  /** As this actor may see it. */
  wire(loaded: LoadedLink<Link>, actor: Actor): Wire
  /** Null for a Local input: it runs nothing. */
  wantedProgram(ctx: Context, loaded: LoadedLink<Link>): WantedProgram | null
  /** What the fleet reads again once it was changed. */
  programsOf(id: string): ProgramFilter
  /** The servers that these are on. */
  serverIdsOf(ctx: Context, links: readonly Link[]): Promise<string[]>
}

/** What a look before the transaction has found. */
export interface Prepared {
  /** What the audit line says that was asked. */
  recorded: unknown
}

/** How a link is saved, by the steps of link.service.ts and link-update.service.ts. */
export interface SavedLinkKind<
  Link extends LinkRecord,
  Wire,
  Draft,
  Found extends Prepared,
> extends LinkKind<Link, Wire> {
  /** Without the read-only fields that a client may echo back. */
  draftOf(edit: Draft): Draft
  /** Before the transaction, as it may ask hosts. Refuses by field what cannot work. `stored`: null for a new link. */
  prepare(ctx: Context, actor: Actor, draft: Draft, stored: LoadedLink<Link> | null): Promise<Found>
  /** From here to the end of the transaction its place is as it was found. */
  hold(trx: Db, found: Found): Promise<void>
  /** With its ports. */
  insert(ctx: Context, trx: Db, actor: Actor, found: Found, id: string): Promise<void>
  /** With its ports. Answers false when somebody has saved or removed it since it was read. */
  update(
    ctx: Context,
    trx: Db,
    actor: Actor,
    found: Found,
    current: LoadedLink<Link>,
  ): Promise<boolean>
  /** As dotted paths; what never comes back, such as a key, is no difference. */
  differences(draft: Draft, current: Wire): string[]
}
