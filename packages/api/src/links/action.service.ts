/**
 * Start, stop, restart and tail of inputs, outputs and feeders: one call, distinguished by type
 * (CONST-14).
 */
import {
  ACTION_TYPE,
  type contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { mayDo } from '@trunkline/contract/role-table'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import * as feederService from '../encoders/feeders/feeder.service.ts'
import { AppError, forbidden, invalid, refused } from '../errors.ts'
import { runCommand, tailProgram, type LoadedProgram } from '../programs/program-command.service.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import type { Actor } from '../security/actor.ts'
import { INPUT } from './inputs/input-kind.service.ts'
import type { LinkKind, LinkRecord } from './link-kind.service.ts'
import { linkStatus, type LinkStatusReply } from './link-status.service.ts'
import * as linkService from './link.service.ts'
import * as linkStore from './link.store.ts'
import { OUTPUT } from './outputs/output-kind.service.ts'

type Asked = BodyOf<typeof contributionAction>
type Answer = ReplyOf<typeof contributionAction>

export async function act(ctx: Context, actor: Actor, asked: Asked): Promise<Answer> {
  if (asked.type === ACTION_TYPE.feeder) return actOnFeeder(ctx, actor, asked)
  if (!mayDo(actor.role, 'controlInputs')) throw forbidden()
  if (asked.type === ACTION_TYPE.tailLog && asked.actionType !== 'tail') {
    throw invalid('actionType', 'must be tail for type 12. Use type 1 or 2 for commands.')
  }
  if (asked.actionType === 'tail') {
    const { wanted } = await linkOf(ctx, actor, asked)
    return { status: true, results: await tailProgram(ctx, wanted) }
  }
  const kind = asked.type === ACTION_TYPE.output ? 'output' : 'input'
  const { refusal, loaded } = await runCommand(ctx, {
    actor,
    call: 'contributions.action',
    object: { kind, id: asked.id },
    programId: programIdOf(kind, asked.id),
    load: async () => linkOf(ctx, actor, asked),
    command: asked.actionType,
    setWanted: async (trx, isWanted) => linkStore.setWantedRunning(trx, kind, asked.id, isWanted),
  })
  const { results } = loaded.status()
  if (refusal !== '') return { status: false, error: refusal, results }
  return { status: true, results }
}

/** Q40: by right on the encoder, whose id stands in `id`. */
async function actOnFeeder(ctx: Context, actor: Actor, asked: Asked): Promise<Answer> {
  const { id: encoderId, feederName: name, actionType: action } = asked
  if (name === undefined) throw invalid('feederName', 'must name the feeder.')
  return feederService.act(ctx, actor, { encoderId, name, action })
}

interface Commanded extends LoadedProgram {
  status: () => LinkStatusReply
}

/** Type 12 takes the id of either (Q143). */
async function linkOf(ctx: Context, actor: Actor, asked: Asked): Promise<Commanded> {
  if (asked.type === ACTION_TYPE.input) return commanded(ctx, actor, INPUT, asked.id)
  if (asked.type === ACTION_TYPE.output) return commanded(ctx, actor, OUTPUT, asked.id)
  try {
    return await commanded(ctx, actor, INPUT, asked.id)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    return commanded(ctx, actor, OUTPUT, asked.id)
  }
}

async function commanded<Link extends LinkRecord>(
  ctx: Context,
  actor: Actor,
  kind: LinkKind<Link>,
  id: string,
): Promise<Commanded> {
  const loaded = await linkService.load(ctx.db, actor, kind, id)
  const wanted = kind.wantedProgram(ctx, loaded)
  if (wanted === null) {
    throw refused('A Local input runs no program: its stream is on the network already.', {
      httpStatus: 400,
    })
  }
  const { link } = loaded
  return { wanted, title: link.title, status: () => linkStatus(ctx, kind.name, link) }
}
