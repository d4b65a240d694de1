/** Removing inputs or outputs: what runs is ended on its host first. An input that has outputs stays (CON-IN-32). */
import type { removeInputs } from '@trunkline/contract/contributions/input.calls'
import type { removeOutputs } from '@trunkline/contract/contributions/output.calls'
import type { LinkFailure } from '@trunkline/contract/contributions/link.schema'
import type { ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { AppError, notFound } from '../errors.ts'
import { removeProgram, settleAfterRemoval } from '../programs/program-removal.service.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import { onEach } from './each-link.service.ts'
import { INPUT } from './inputs/input-kind.service.ts'
import { outputsFirst } from './inputs/input-remove.rules.ts'
import { isLocal, type LinkKind, type LinkRecord, type LoadedLink } from './link-kind.service.ts'
import { named } from './link-names.ts'
import * as linkService from './link.service.ts'
import * as linkStore from './link.store.ts'
import { OUTPUT } from './outputs/output-kind.service.ts'

const ENDED_LATER = 'Its host did not answer: its program is stopped when the host is back.'

/** ERR-45. */
class OutputsFirst extends AppError {
  readonly outputs: number
  constructor(outputs: number) {
    super('conflict', outputsFirst(outputs), {})
    this.outputs = outputs
  }
}

export async function remove<Link extends LinkRecord>(
  ctx: Context,
  actor: Actor,
  kind: LinkKind<Link>,
  id: string,
): Promise<{ status: true; id: string }> {
  const loaded = await linkService.load(ctx.db, actor, kind, id)
  await removeLoaded(ctx, kind, loaded, { actor, call: `${kind.name}s.remove` })
  return { status: true, id }
}

/** Q142: the free ones go, those with outputs stay and are named. */
export async function removeInputsNamed(
  ctx: Context,
  actor: Actor,
  names: readonly string[],
): Promise<ReplyOf<typeof removeInputs>> {
  const { deleted, kept, failed } = await removeNamed(ctx, INPUT, names, { actor })
  const [first] = kept.values()
  if (first !== undefined && deleted.length === 0 && failed.length === 0) {
    // Not a new one: the record of activity tells of this already.
    first.more.failed = [...kept].map(([name, { message }]) => ({ name, error: message }))
    throw first
  }
  const refused = [...kept].map(([name, { outputs }]) => ({ name, outputs }))
  return { status: true, msg: 'Input remove successfully..', deleted, refused, failed }
}

export async function removeOutputsNamed(
  ctx: Context,
  actor: Actor,
  names: readonly string[],
): Promise<ReplyOf<typeof removeOutputs>> {
  const { deleted, failed } = await removeNamed(ctx, OUTPUT, names, { actor })
  const msg = deleted.length > 0 ? 'Output remove successfully..' : 'No output was removed.'
  return { status: true, msg, deleted, failed }
}

interface Removal {
  /** Names. */
  deleted: string[]
  /** By name: those that have outputs. */
  kept: Map<string, OutputsFirst>
  /** The others that are still there, and what names nothing. */
  failed: LinkFailure[]
}

async function removeNamed<Link extends LinkRecord>(
  ctx: Context,
  kind: LinkKind<Link>,
  names: readonly string[],
  by: Pick<Asked, 'actor'>,
): Promise<Removal> {
  const found = await kind.listNamed(ctx.db, names, groupScope(by.actor))
  const { links, failed: unknown } = named(names, found, kind.name)
  const kept = new Map<string, OutputsFirst>()
  const request = { ...by, call: `${kind.name}s.removeSeveral`, kind: kind.name }
  const { done, failed } = await onEach(ctx, request, links, async (link) => {
    try {
      await removeLoaded(ctx, kind, await kind.withInput(ctx.db, by.actor, link), request)
    } catch (error) {
      if (error instanceof OutputsFirst) kept.set(link.name, error)
      throw error
    }
  })
  return {
    deleted: done.map(({ name }) => name),
    kept,
    failed: [...failed.filter(({ name }) => !kept.has(name)), ...unknown],
  }
}

interface Asked {
  actor: Actor
  /** Of the line of audit. */
  call: string
}

/** The record goes last, so that a host which cannot end the program keeps its link. */
async function removeLoaded<Link extends LinkRecord>(
  ctx: Context,
  kind: LinkKind<Link>,
  { link, input }: LoadedLink<Link>,
  asked: Asked,
): Promise<void> {
  const { id } = link
  if (outputsOf(link) > 0) throw new OutputsFirst(outputsOf(link))
  const address = { host: input.server.hostKey, port: input.server.port }
  const place = { address, programId: programIdOf(kind.name, id) }
  let isInUse = false
  const write = async (trx: Db, isOff: boolean) => {
    isInUse = false
    isInUse = !(await removeRecord(trx, kind, id, isOff, asked))
    // PostgreSQL has ended the transaction: they are counted outside of it.
    if (isInUse) throw new OutputsFirst(1)
  }
  const isEnded = await removeProgram(ctx, place, write).catch(async (error: unknown) => {
    if (!isInUse) throw error
    const now = await linkService.load(ctx.db, asked.actor, kind, id)
    throw new OutputsFirst(outputsOf(now.link))
  })
  ctx.notices.tell({ kind: kind.name, id, change: 'removed', groupIds: [input.groupId] })
  await settleAfterRemoval(ctx, place, kind.programsOf(id), isEnded)
}

function outputsOf(link: LinkRecord): number {
  return 'outputIds' in link ? link.outputIds.length : 0
}

/** Answers false when an output was added meanwhile. */
async function removeRecord<Link extends LinkRecord>(
  trx: Db,
  kind: LinkKind<Link>,
  id: string,
  isOff: boolean,
  { actor, call }: Asked,
): Promise<boolean> {
  const loaded = await linkService.load(trx, actor, kind, id)
  const outcome = await linkStore.remove(trx, kind.name, id)
  if (outcome === 'in use') return false
  if (outcome === 'gone') throw notFound(kind.name)
  await portClaimService.release(trx, { kind: kind.name, id })
  await auditService.record(trx, {
    actor,
    call,
    object: { kind: kind.name, id },
    before: kind.wire(loaded, actor),
    reason: isOff || isLocal(loaded.link) ? '' : ENDED_LATER,
  })
  return true
}
