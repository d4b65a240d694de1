/**
 * Moves inputs with their outputs to another server, make before break: the old ones are not touched
 * before the new ones run, and stay as they are when these do not.
 */
import {
  type changeServer,
  KEEP_ON_OLD,
} from '@trunkline/contract/contributions/contribution.calls'
import type { LinkFailure } from '@trunkline/contract/contributions/link.schema'
import { isAlive } from '@trunkline/contract/program-state'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { AppError, conflict } from '../../errors.ts'
import { HostFault } from '../../hosts/host-fault.ts'
import * as programCopyService from '../../programs/program-copy.service.ts'
import * as sparedProgramService from '../../programs/spared-program.service.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import { groupScope, type Actor } from '../../security/actor.ts'
import * as serverService from '../../servers/server.service.ts'
import * as busService from '../bus/bus.service.ts'
import { onEach } from '../each-link.service.ts'
import * as inputService from '../inputs/input.service.ts'
import * as inputStore from '../inputs/input.store.ts'
import type { InputRecord } from '../inputs/input.store.ts'
import { named } from '../link-names.ts'
import * as outputStore from '../outputs/output.store.ts'
import { look, type Destination, type Plan } from './server-change-look.service.ts'
import { chosenAdapterIp, isUnchanged, moveNotes } from './server-change.rules.ts'
import * as serverChangeStore from './server-change.store.ts'

type Asked = BodyOf<typeof changeServer>
type Answer = ReplyOf<typeof changeServer>

interface Request {
  actor: Actor
  keeps: boolean
  destination: Destination
  /** The plan of one input, once those before it are made. */
  lookInTurn: (input: InputRecord) => Promise<Plan>
}

const CALL = 'links.changeServer'

/** 409 or 502 when none could be moved, with each one's reason. */
export async function change(ctx: Context, actor: Actor, asked: Asked): Promise<Answer> {
  const server = await inputService.loadServer(ctx, actor, asked.newServerId, 'newServerId')
  const adapterIp = chosenAdapterIp(server, asked)
  const found = await inputStore.listNamed(ctx.db, asked.contributions, groupScope(actor))
  const { links, failed: unknown } = named(asked.contributions, found, 'input')
  const destination = { server, adapterIp, reserved: new Map<number, string>() }
  const lookInTurn = inTurn(async (input: InputRecord) => look(ctx, actor, input, destination))
  const keeps = asked.keepOrDelete === KEEP_ON_OLD
  const request = { actor, keeps, destination, lookInTurn }
  const notes = new Map<string, string[]>()
  const faults: unknown[] = []
  const about = { actor, call: CALL, kind: 'input' } as const
  const { done, failed } = await onEach(ctx, about, links, async (input) => {
    try {
      notes.set(input.name, await moveInput(ctx, request, input))
    } catch (error) {
      faults.push(error)
      throw error
    }
  })
  if (done.length === 0) throw noneMoved(server.title, faults, [...failed, ...unknown])
  return {
    status: true,
    msg: 'Server changed successfully..',
    moved: done.map(({ name }) => name),
    failed: [...failed, ...unknown],
    notes: done.flatMap(({ name }) => (notes.get(name) ?? []).map((note) => ({ name, note }))),
  }
}

function inTurn<In, Out>(work: (item: In) => Promise<Out>): (item: In) => Promise<Out> {
  let before: Promise<unknown> = Promise.resolve()
  return async (item) => {
    const result = before.then(async () => work(item))
    before = result.catch(() => undefined)
    return result
  }
}

/** Each has a line of audit of its own already. */
function noneMoved(title: string, faults: readonly unknown[], failed: LinkFailure[]): AppError {
  const isOfHosts = faults.every((fault) => isOfHost(fault))
  const [first] = failed
  const sentence =
    failed.length === 1
      ? (first?.error ?? '')
      : `None of the ${failed.length} inputs was moved to ${title}. ${first?.name}: ${first?.error}`
  const failure = new AppError(isOfHosts ? 'host_unreachable' : 'conflict', sentence, { failed })
  auditService.markAudited(failure)
  return failure
}

function isOfHost(fault: unknown): boolean {
  return fault instanceof HostFault || (fault instanceof AppError && fault.code.startsWith('host_'))
}

/** Answers what to know of it. Throws when it stays where it is, as it is. */
async function moveInput(ctx: Context, request: Request, input: InputRecord): Promise<string[]> {
  const plan = await request.lookInTurn(input)
  {
    await using trial = await tryOut(ctx, plan)
    assertStillRunning(plan, trial)
    await ctx.db.transaction().execute(async (trx) => {
      await write(ctx, trx, request, plan)
      await trial.pass(trx)
    })
  }
  tell(ctx, plan)
  // The old host has it no longer in what is wanted there: it is ended now.
  await ctx.programs.refresh({ by: 'input', id: input.id })
  await ctx.programs.settle(plan.from)
  return notesOf(ctx, request, plan)
}

async function tryOut(ctx: Context, plan: Plan): Promise<programCopyService.Trial> {
  await announce(ctx, plan)
  try {
    return await programCopyService.tryOut(ctx, plan.to, plan.copies)
  } catch (error) {
    throw stayed(plan, error)
  }
}

/**
 * Two operators at once, here or at another process: the later one is refused, and starts nothing.
 */
async function announce(ctx: Context, { input, copies }: Plan): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    if ((await outputStore.holdInput(trx, input.id)) === null) throw removedMeanwhile(input)
    if (await programCopyService.announce(ctx, trx, copies)) return
    throw conflict(
      `${input.title} is being moved already. Wait until that is done, then try again.`,
    )
  })
}

function assertStillRunning(plan: Plan, trial: programCopyService.Trial): void {
  try {
    trial.assertRunning()
  } catch (error) {
    throw stayed(plan, error)
  }
}

/** The host's words, and that nothing has changed. */
function stayed({ input, moved }: Plan, error: unknown): unknown {
  const sentence = (words: string) =>
    `${input.title} could not be started on ${moved.server.title}: ${words} It stays on ${input.server.title}.`
  if (error instanceof HostFault) return new HostFault(error.code, sentence(error.message))
  if (!(error instanceof AppError)) return error
  const { neutral } = error.more
  const more = neutral === undefined ? error.more : { ...error.more, neutral: sentence(neutral) }
  return new AppError(error.code, sentence(error.message), more)
}

async function write(ctx: Context, trx: Db, request: Request, plan: Plan): Promise<void> {
  const { actor, keeps, destination } = request
  const { input, moved, outputs, from, to } = plan
  await hold(trx, plan, destination)
  if (!(await serverChangeStore.move(trx, input, moved.server._id, moved.config))) {
    throw changedMeanwhile(input)
  }
  await busService.take(trx, actor, plan.place, input, plan.bus)
  for (const { id } of outputs) {
    const claims = plan.outputClaims.get(id) ?? []
    await portClaimService.claim(trx, actor, { kind: 'output', id }, claims)
  }
  const left = plan.programs.map(({ programId }) => ({ address: from, programId }))
  const arrived = plan.programs.map(({ programId }) => ({ address: to, programId }))
  await sparedProgramService.move(ctx, trx, { arrived, kept: keeps ? left : [] })
  await auditService.record(trx, {
    actor,
    call: CALL,
    object: { kind: 'input', id: input.id },
    before: inputService.wireInput(input),
    after: { ...inputService.wireInput(moved), keepOrDelete: keeps ? '0' : '1' },
  })
}

/** From here to the end of the transaction all is as it was looked at. */
async function hold(trx: Db, plan: Plan, { server }: Destination): Promise<void> {
  const { input, outputs } = plan
  const old = { id: input.server._id, hostKey: input.server.hostKey }
  // In one order for all, so that two moves in opposite directions do not wait for each other.
  for (const each of [old, server].toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    await serverService.hold(trx, each)
  }
  if ((await outputStore.holdInput(trx, input.id)) === null) throw removedMeanwhile(input)
  const now = await inputStore.find(trx, input.id, 'all')
  const outputsNow = await outputStore.listForFleet(trx, { inputId: input.id })
  const isSame =
    now !== null && isUnchanged({ input, outputs }, { input: now, outputs: outputsNow })
  if (!isSame) throw changedMeanwhile(input)
}

function changedMeanwhile({ title, server }: InputRecord): AppError {
  return conflict(
    `Another operator has just changed ${title} or its outputs. It stays on ${server.title}. Check it, then try again.`,
  )
}

function removedMeanwhile({ title }: InputRecord): AppError {
  return conflict(`Another operator has just removed ${title}. There is nothing left to move.`)
}

function tell(ctx: Context, { input, outputs }: Plan): void {
  const groupIds = [input.groupId]
  ctx.notices.tell({ kind: 'input', id: input.id, change: 'changed', groupIds })
  for (const { id } of outputs) {
    ctx.notices.tell({ kind: 'output', id, change: 'changed', groupIds })
  }
}

async function notesOf(ctx: Context, { actor }: Request, plan: Plan): Promise<string[]> {
  const { input, moved, copies } = plan
  const listens = input.inputType !== 'Local' && input.config.mode === 'Listen'
  const { countFeeders } = serverChangeStore
  const scope = groupScope(actor)
  const feeders = listens
    ? await countFeeders(ctx.db, input.server._id, input.config.port, scope)
    : 0
  return moveNotes({
    input,
    oldTitle: input.server.title,
    newTitle: moved.server.title,
    newHost: moved.config.host || moved.config.adapterIp || moved.server.host,
    wasRunning: copies.some(({ kind }) => kind === 'input'),
    feeders,
    old: oldState(ctx, plan),
  })
}

function oldState(ctx: Context, { from, programs, copies }: Plan): 'done' | 'away' | 'running' {
  if (ctx.hosts.status(from)?.online !== true) return copies.length > 0 ? 'away' : 'done'
  const isLeft = programs.some(({ programId }) => {
    const report = ctx.hosts.report({ address: from, programId })
    return report !== undefined && isAlive(report.state)
  })
  return isLeft ? 'running' : 'done'
}
