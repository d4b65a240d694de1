/** A person's command to one program: asked of its host, written down when taken, audited either way. */
import { ERROR_DISABLED, ERROR_STOPPED_MEANWHILE, isAlive } from '@trunkline/contract/program-state'
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { ObjectKind, ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { AppError, conflict } from '../errors.ts'
import { NOT_DONE } from '../hosts/host-calls.ts'
import { HostFault } from '../hosts/host-fault.ts'
import type { LinkedHost } from '../hosts/linked-host.ts'
import type { Actor } from '../security/actor.ts'
import type { ProgramPlace, WantedProgram } from './wanted-program.ts'

type ProgramCommand = 'start' | 'stop' | 'restart'

export interface LoadedProgram {
  wanted: WantedProgram
  /** Of the object that the audit line names. */
  title: string
}

export interface CommandRequest<Loaded extends LoadedProgram> {
  actor: Actor
  /** The call's name, for the audit line. */
  call: string
  object: { kind: ObjectKind; id: string }
  programId: string
  /** Reads the program, once nothing else is done to it. Throws what whoever may not command it is answered. */
  load: () => Promise<Loaded>
  command: ProgramCommand
  /** Writes the wanted state of the object; answers false when it was disabled or removed meanwhile. */
  setWanted: (trx: Db, isWanted: boolean) => Promise<boolean>
}

type NamedRequest = CommandRequest<LoadedProgram> & { object: { title: string } }

/** `refusal`: why it did not work, in the host's words; '' when it did. */
export interface CommandOutcome<Loaded> {
  loaded: Loaded
  status: ProgramStatus | null
  refusal: string
}

/** By whoever disabled or removed it between our first look and the host's answer. */
const OVERTAKEN =
  'Somebody else has just disabled or removed this, so it does not run. Check it, then try again.'

/**
 * Conflict when it is disabled, or was stopped before its restart came. Throws HostUnreachable and
 * HostTimeout: then nothing is changed, and nothing is run later (decisions.md 9).
 */
export async function runCommand<Loaded extends LoadedProgram>(
  ctx: Context,
  request: CommandRequest<Loaded>,
): Promise<CommandOutcome<Loaded>> {
  if (request.command !== 'stop') return carryOut(ctx, request)
  return ctx.programs.whileStopIsAsked(request.programId, async () => carryOut(ctx, request))
}

async function carryOut<Loaded extends LoadedProgram>(
  ctx: Context,
  request: CommandRequest<Loaded>,
): Promise<CommandOutcome<Loaded>> {
  const { programId } = request
  const before = processOf(ctx, programId)
  return ctx.programs.exclusive(programId, async () => {
    const loaded = await ctx.programs.take(request.load)
    const { wanted, title } = loaded
    if (!wanted.isEnabled) throw conflict(ERROR_DISABLED)
    if (request.command === 'restart' && wasStopped(before, wanted)) {
      throw conflict(ERROR_STOPPED_MEANWHILE)
    }
    const named = { ...request, object: { ...request.object, title } }
    try {
      const link = await ctx.hosts.onlineLink(wanted.address, NOT_DONE)
      const isDone = request.command === 'restart' && hasRestarted(before, link, wanted)
      if (!isDone) await perform(ctx, link, wanted, request.command)
      await ctx.programs.writeDown(wanted.address, async () => writeDown(ctx, named))
    } catch (error) {
      if (error instanceof HostFault) {
        await audit(ctx, named, 'failed', error.message)
        return { loaded, status: ctx.board.program(programId), refusal: error.message }
      }
      if (error instanceof AppError) await audit(ctx, named, 'failed', error.message, error)
      throw error
    }
    const status = ctx.board.program(programId)
    if (request.command === 'stop') return { loaded, status, refusal: '' }
    // It comes next: whoever reads 'restarted' would take a stopped program for one that runs.
    const isStoppedNext = ctx.programs.isStopAsked(programId)
    return { loaded, status, refusal: isStoppedNext ? ERROR_STOPPED_MEANWHILE : notRunning(status) }
  })
}

type Process = Pick<ProgramReport, 'pid' | 'state'>

/** As it was when the command was asked for; null where nothing is known of it. */
function processOf({ programs, hosts }: Context, programId: string): Process | null {
  const address = programs.wanted(programId)?.address
  const report = address && hosts.link(address)?.reports.get(programId)
  return report === undefined ? null : { pid: report.pid, state: report.state }
}

/**
 * Somebody else's restart was under way when this one was asked for, and has brought the saved settings: a
 * second one would only interrupt the stream again.
 */
function hasRestarted(before: Process | null, link: LinkedHost, wanted: WantedProgram): boolean {
  const now = link.reports.get(wanted.programId)
  if (before === null || now?.state !== 'running') return false
  if (now.runningRevision !== wanted.revision || now.wanted !== 'running') return false
  return before.state !== 'running' || before.pid !== now.pid
}

/** It was alive when its restart was asked for, and somebody's stop has been carried out since. */
function wasStopped(before: Process | null, { wanted }: WantedProgram): boolean {
  return before !== null && isAlive(before.state) && wanted === 'stopped'
}

/** The saved settings are brought along on start and restart. */
async function perform(
  ctx: Context,
  link: LinkedHost,
  wanted: WantedProgram,
  command: ProgramCommand,
): Promise<void> {
  const { programId, revision } = wanted
  const report = link.reports.get(programId)
  if (command === 'stop') {
    if (report === undefined) await ctx.programs.apply(link, { ...wanted, wanted: 'stopped' })
    else await link.call('controlProgram', { programId, command })
    return
  }
  const isFresh = report?.appliedRevision === revision && report.wanted === 'running'
  const wasAlive = report !== undefined && isAlive(report.state)
  if (!isFresh) await ctx.programs.apply(link, { ...wanted, wanted: 'running' })
  await link.call('controlProgram', { programId, command: wasAlive ? command : 'start' })
}

async function writeDown(ctx: Context, request: NamedRequest): Promise<void> {
  const isWanted = request.command !== 'stop'
  await ctx.db.transaction().execute(async (trx) => {
    if (!(await request.setWanted(trx, isWanted))) throw conflict(OVERTAKEN)
    await audit(trx, request, 'done', '')
  })
  await ctx.programs.noteCommand(request.programId, isWanted)
}

/** The host took the command, but what it started has died again already. */
function notRunning(status: ProgramStatus | null): string {
  if (status === null || isAliveAndWell(status)) return ''
  return status.cause || `It was started and is ${status.state.toUpperCase()} now. Check its log.`
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
  request: NamedRequest,
  result: 'done' | 'failed',
  reason: string,
  failure?: Error,
): Promise<void> {
  const { actor, call, object, command } = request
  const about = reason === '' ? command : `${command}: ${reason}`
  const entry = { actor, call, object, result, reason: about }
  await auditService.record(ctxOrTrx, failure === undefined ? entry : { ...entry, failure })
}
