/** Start, stop, restart and tail of inputs, outputs and feeders: one call, told apart by type (CONST-14). */
import {
  ACTION_TYPE,
  type contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { ERROR_DISABLED } from '@trunkline/contract/program-state'
import { mayDo } from '@trunkline/contract/role-table'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { Context, Db } from '../context.ts'
import { OVERTAKEN } from '../encoders/encoder-command.service.ts'
import * as feederService from '../encoders/feeder.service.ts'
import { AppError, conflict, forbidden, invalid, refused } from '../errors.ts'
import { runCommand, TAIL_LINES, tailProgram } from '../hosts/program-command.service.ts'
import type { WantedProgram } from '../hosts/wanted-program.ts'
import type { Actor } from '../security/actor.ts'
import * as inputService from './inputs/input.service.ts'
import * as inputStore from './inputs/input.store.ts'
import type { LinkStatusReply } from './link-status.service.ts'
import * as outputService from './outputs/output.service.ts'
import * as outputStateStore from './outputs/output-state.store.ts'

type Asked = BodyOf<typeof contributionAction>
type Answer = ReplyOf<typeof contributionAction>

export async function act(ctx: Context, actor: Actor, asked: Asked, ip: string): Promise<Answer> {
  if (asked.type === ACTION_TYPE.feeder) return actOnFeeder(ctx, actor, asked, ip)
  if (!mayDo(actor.role, 'controlInputs')) throw forbidden()
  if (asked.type === ACTION_TYPE.tailLog && asked.actionType !== 'tail') {
    throw invalid('actionType', 'must be tail for type 12. Use type 1 or 2 for commands.')
  }
  const link = await linkOf(ctx, actor, asked)
  if (asked.actionType === 'tail') {
    return { status: true, results: await tailProgram(ctx, link.wanted, TAIL_LINES) }
  }
  if (!link.wanted.isEnabled) throw conflict(ERROR_DISABLED)
  const { refusal } = await runCommand(ctx, {
    actor,
    ip,
    call: 'contributions.action',
    object: { kind: link.kind, id: asked.id },
    wanted: link.wanted,
    command: asked.actionType,
    setWanted: link.setWanted,
  })
  const { results } = link.status()
  if (refusal !== '') return { status: false, error: refusal, results }
  return { status: true, results }
}

/** Q40: by right on the encoder, whose id stands in `id`. */
async function actOnFeeder(ctx: Context, actor: Actor, asked: Asked, ip: string): Promise<Answer> {
  const { id: encoderId, feederName: name, actionType: action } = asked
  if (name === undefined) throw invalid('feederName', 'must name the feeder.')
  return feederService.act(ctx, actor, { encoderId, name, action }, ip)
}

interface Link {
  kind: 'input' | 'output'
  wanted: WantedProgram
  setWanted: (trx: Db, isWanted: boolean) => Promise<void>
  status: () => LinkStatusReply
}

/** Type 12 takes the id of either (Q143). */
async function linkOf(ctx: Context, actor: Actor, asked: Asked): Promise<Link> {
  if (asked.type === ACTION_TYPE.input) return inputLink(ctx, actor, asked.id)
  if (asked.type === ACTION_TYPE.output) return outputLink(ctx, actor, asked.id)
  try {
    return await inputLink(ctx, actor, asked.id)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    return outputLink(ctx, actor, asked.id)
  }
}

async function inputLink(ctx: Context, actor: Actor, id: string): Promise<Link> {
  const input = await inputService.load(ctx, actor, id)
  const wanted = inputService.wantedProgram(ctx, input)
  if (wanted === null) {
    throw refused('A Local input runs no program: its stream is on the network already.', {
      httpStatus: 400,
    })
  }
  return {
    kind: 'input',
    wanted,
    setWanted: async (trx, isWanted) => {
      if (!(await inputStore.setWantedRunning(trx, id, isWanted))) throw conflict(OVERTAKEN)
    },
    status: () => inputService.statusOf(ctx, input),
  }
}

async function outputLink(ctx: Context, actor: Actor, id: string): Promise<Link> {
  const loaded = await outputService.load(ctx, actor, id)
  return {
    kind: 'output',
    wanted: outputService.wantedProgram(ctx, loaded),
    setWanted: async (trx, isWanted) => {
      if (!(await outputStateStore.setWantedRunning(trx, id, isWanted))) throw conflict(OVERTAKEN)
    },
    status: () => outputService.statusOf(ctx, loaded.output),
  }
}
