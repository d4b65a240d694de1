/** An encoder's status and its commands: start, stop, restart, tail. */
import { configName } from '@trunkline/contract/encoders/encoder-config.schema'
import type {
  controlEncoder,
  EncoderCommandResult,
  readEncoderStatus,
} from '@trunkline/contract/encoders/encoder.calls'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { toEncoderStatus, type EncoderStatusReply } from '@trunkline/contract/program-state'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import { forbidden, invalid, refused } from '../errors.ts'
import { runCommand, tailProgram } from '../programs/program-command.service.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import type { Actor } from '../security/actor.ts'
import { mayOperate } from './encoder.policy.ts'
import * as encoderService from './encoder.service.ts'
import type { LoadedEncoder } from './encoder.service.ts'
import * as encoderStateStore from './encoder-state.store.ts'

const NOT_CONFIGURED = 'This encoder is not yet configured.'

export async function readStatus(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof readEncoderStatus>> {
  const encoder = await encoderService.load(ctx, actor, id)
  const name = configuredName(encoder)
  return statusReply(ctx, name, ctx.board.program(programIdOf('encoder', id)))
}

export async function control(
  ctx: Context,
  actor: Actor,
  id: string,
  { data }: BodyOf<typeof controlEncoder>,
  ip: string,
): Promise<EncoderCommandResult> {
  const encoder = await encoderService.load(ctx, actor, id)
  if (data.command !== 'tail' && !mayOperate(actor)) throw forbidden()
  const name = configuredName(encoder)
  if (data.name !== name) {
    throw invalid('data.name', `must be '${name}', the name of this encoder's configuration.`)
  }
  const wanted = encoderService.programOf(ctx, encoder, 'encoder', id)
  if (data.command === 'tail') {
    return { status: true, results: await tailProgram(ctx, wanted) }
  }
  const { status, refusal } = await runCommand(ctx, {
    actor,
    ip,
    call: 'encoders.control',
    object: { kind: 'encoder', id },
    wanted,
    command: data.command,
    setWanted: async (trx, isWanted) => encoderStateStore.setWantedRunning(trx, id, isWanted),
  })
  return commandReply(statusReply(ctx, name, status), refusal)
}

function configuredName({ record }: LoadedEncoder): string {
  if (record.config === null) throw refused(NOT_CONFIGURED, { httpStatus: 400 })
  return configName(record.config['card-idx'])
}

/** Refused by its host: the words are the host's, the state is what it is. */
export function commandReply(reply: EncoderStatusReply, refusal: string): EncoderStatusReply {
  return refusal === '' ? reply : { ...reply, status: false, error: refusal }
}

/** null: the fleet has not read this program yet. */
export function statusReply(
  ctx: Context,
  name: string,
  status: ProgramStatus | null,
): EncoderStatusReply {
  return toEncoderStatus(name, status ?? UNREAD, ctx.clock())
}

const UNREAD = {
  state: 'unreachable',
  wanted: 'stopped',
  pid: null,
  startedAtMs: null,
  cause: 'Nothing is known of its host yet.',
} as const
