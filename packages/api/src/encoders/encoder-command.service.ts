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
import { runCommand, tailProgram, type LoadedProgram } from '../programs/program-command.service.ts'
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
): Promise<EncoderCommandResult> {
  const { name, command } = data
  const load = async (): Promise<LoadedProgram> => {
    const encoder = await encoderService.load(ctx, actor, id)
    if (command !== 'tail' && !mayOperate(actor)) throw forbidden()
    const configured = configuredName(encoder)
    if (name !== configured) {
      const sentence = `must be '${configured}', the name of this encoder's configuration.`
      throw invalid('data.name', sentence)
    }
    const wanted = encoderService.programOf(ctx, encoder, 'encoder', id)
    return { wanted, title: encoder.record.title }
  }
  if (command === 'tail') {
    const { wanted } = await load()
    return { status: true, results: await tailProgram(ctx, wanted) }
  }
  const { status, refusal } = await runCommand(ctx, {
    actor,
    call: 'encoders.control',
    object: { kind: 'encoder', id },
    programId: programIdOf('encoder', id),
    load,
    command,
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
  cause: 'Its host has not answered yet.',
} as const
