/** Removing inputs: what runs is ended on its host first. One that has outputs stays (CON-IN-32). */
import type { removeInput, removeInputs } from '@trunkline/contract/contributions/input.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { AppError, notFound } from '../errors.ts'
import { removeProgram, settleAfterRemoval } from '../hosts/program-removal.service.ts'
import { programIdOf } from '../hosts/wanted-program.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import { onEach } from './each-link.service.ts'
import * as inputService from './inputs/input.service.ts'
import * as inputStore from './inputs/input.store.ts'
import type { InputRecord } from './inputs/input.store.ts'
import { named } from './link-names.ts'

const ENDED_LATER = 'Its host did not answer: what runs there is ended when it is back.'

/** ERR-45, word for word. */
class OutputsFirst extends AppError {
  readonly outputs: number
  constructor(outputs: number) {
    super(
      'conflict',
      `This input cannot be deleted because it has ${outputs} number of Outputs.`,
      {},
    )
    this.outputs = outputs
  }
}

interface Asked {
  actor: Actor
  ip: string
  call: 'inputs.remove' | 'inputs.removeSeveral'
}

export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
  ip: string,
): Promise<ReplyOf<typeof removeInput>> {
  const input = await inputService.load(ctx, actor, id)
  await removeOne(ctx, { actor, ip, call: 'inputs.remove' }, input)
  return { status: true, id }
}

/** Q142: the free ones go, those with outputs stay and are named. */
export async function removeSeveral(
  ctx: Context,
  actor: Actor,
  names: readonly string[],
  ip: string,
): Promise<ReplyOf<typeof removeInputs>> {
  const found = await inputStore.listNamed(ctx.db, names, groupScope(actor))
  const { links, failed: unknown } = named(names, found, 'input')
  const kept = new Map<string, OutputsFirst>()
  const request = { actor, ip, call: 'inputs.removeSeveral', kind: 'input' } as const
  const { done, failed } = await onEach(ctx, request, links, async (input) => {
    await removeOne(ctx, request, input).catch((error: unknown) => {
      if (error instanceof OutputsFirst) kept.set(input.name, error)
      throw error
    })
  })
  const [first] = kept.values()
  if (first !== undefined && kept.size === links.length && unknown.length === 0) {
    // Not a new one: the record of activity tells of this already.
    first.more.failed = [...kept].map(([name, { message }]) => ({ name, error: message }))
    throw first
  }
  return {
    status: true,
    msg: 'Input remove successfully..',
    deleted: done.map(({ name }) => name),
    refused: [...kept].map(([name, { outputs }]) => ({ name, outputs })),
    failed: [...failed.filter(({ name }) => !kept.has(name)), ...unknown],
  }
}

/** The record goes last, so that a host which cannot end the program keeps its input. */
async function removeOne(ctx: Context, asked: Asked, input: InputRecord): Promise<void> {
  const { id, groupId } = input
  if (input.outputIds.length > 0) throw new OutputsFirst(input.outputIds.length)
  const { address } = inputService.placeOf(input)
  const place = { address, programId: programIdOf('input', id) }
  let isInUse = false
  const write = async (trx: Db, isOff: boolean) => {
    isInUse = false
    isInUse = !(await removeRecord(trx, asked, id, isOff))
    // PostgreSQL has ended the transaction: they are counted outside of it.
    if (isInUse) throw new OutputsFirst(1)
  }
  const isEnded = await removeProgram(ctx, place, write).catch(async (error: unknown) => {
    if (!isInUse) throw error
    const { outputIds } = await inputService.load(ctx, asked.actor, id)
    throw new OutputsFirst(outputIds.length)
  })
  ctx.notices.tell({ kind: 'input', id, change: 'removed', groupIds: [groupId] })
  await settleAfterRemoval(ctx, place, { by: 'input', id }, isEnded)
}

/** Answers false when an output was added meanwhile. */
async function removeRecord(
  trx: Db,
  { actor, ip, call }: Asked,
  id: string,
  isOff: boolean,
): Promise<boolean> {
  const input = await inputService.loadFrom(trx, actor, id)
  const outcome = await inputStore.remove(trx, id)
  if (outcome === 'in use') return false
  if (outcome === 'gone') throw notFound('input')
  await portClaimService.release(trx, { kind: 'input', id })
  await auditService.record(trx, {
    actor,
    call,
    object: { kind: 'input', id },
    before: inputService.wireInput(input),
    result: 'done',
    ip,
    reason: isOff || input.inputType === 'Local' ? '' : ENDED_LATER,
  })
  return true
}
