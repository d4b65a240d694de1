/** A person's command to one program: asked of its host, written down when taken, audited either way. */
import { ERROR_DISABLED, isAlive } from '@trunkline/contract/program-state'
import type { ObjectKind, ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { AppError, conflict } from '../errors.ts'
import type { Actor } from '../security/actor.ts'
import { HostFault } from '../hosts/host-fault.ts'
import type { ProgramCommand } from './reconcile.ts'
import type { ProgramPlace, WantedProgram } from './wanted-program.ts'

export interface CommandRequest {
  actor: Actor
  ip: string
  /** The call's name, for the audit line. */
  call: string
  object: { kind: ObjectKind; id: string }
  wanted: WantedProgram
  command: ProgramCommand
  /** Writes the wanted state of the object; answers false when it was disabled or removed meanwhile. */
  setWanted: (trx: Db, isWanted: boolean) => Promise<boolean>
}

/** `refusal`: why it did not work, in the host's words; '' when it did. */
export interface CommandOutcome {
  status: ProgramStatus | null
  refusal: string
}

/** By whoever disabled or removed it between our first look and the host's answer. */
const OVERTAKEN =
  'Somebody else has just disabled or removed this, so it does not run. Look at it, then try again.'

/**
 * Conflict when it is disabled. Throws HostUnreachable and HostTimeout: then nothing is changed, and
 * nothing is run later.
 */
export async function runCommand(ctx: Context, request: CommandRequest): Promise<CommandOutcome> {
  const { wanted, command } = request
  if (!wanted.isEnabled) throw conflict(ERROR_DISABLED)
  try {
    await ctx.programs.command(wanted, command, async () => {
      await ctx.db.transaction().execute(async (trx) => {
        if (!(await request.setWanted(trx, command !== 'stop'))) throw conflict(OVERTAKEN)
        await audit(trx, request, 'done', '')
      })
    })
  } catch (error) {
    if (error instanceof HostFault) {
      await audit(ctx, request, 'failed', error.message)
      return { status: ctx.board.program(wanted.programId), refusal: error.message }
    }
    if (error instanceof AppError) await audit(ctx, request, 'failed', error.message, error)
    throw error
  }
  const status = ctx.board.program(wanted.programId)
  return { status, refusal: command === 'stop' ? '' : notRunning(status) }
}

/** The host took the command, but what it started has died again already. */
function notRunning(status: ProgramStatus | null): string {
  if (status === null || isAliveAndWell(status)) return ''
  return status.cause || `It was started and is ${status.state.toUpperCase()} now. Look at its log.`
}

function isAliveAndWell({ state }: ProgramStatus): boolean {
  return isAlive(state) && state !== 'backoff'
}

/** Q75. */
const TAIL_LINES = 100
/** More than a tool says in one line. */
const MAX_LINE_CHARACTERS = 4000

/** The last lines of a program's log, redacted by its host. */
export async function tailProgram(
  ctx: Context,
  { address, programId }: ProgramPlace,
): Promise<string> {
  try {
    const params = { programId, lines: TAIL_LINES }
    const answer = await ctx.hosts.call(address, 'tailProgram', params)
    // A broken host may send more than was asked for.
    const asked = answer.lines.slice(-TAIL_LINES)
    return asked.map((line) => line.slice(0, MAX_LINE_CHARACTERS)).join('\n')
  } catch (error) {
    // Never applied there yet, so there is no log either.
    if (error instanceof HostFault && error.code === 'not_found') return ''
    throw error
  }
}

async function audit(
  ctxOrTrx: Context | Db,
  request: CommandRequest,
  result: 'done' | 'failed',
  reason: string,
  failure?: Error,
): Promise<void> {
  const { actor, ip, call, object, command } = request
  const about = reason === '' ? command : `${command}: ${reason}`
  const entry = { actor, call, object, result, ip, reason: about }
  await auditService.record(ctxOrTrx, failure === undefined ? entry : { ...entry, failure })
}
