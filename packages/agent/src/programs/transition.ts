/** Starting and stopping one program: told to supervisord, awaited by its events. */
import { CommandRefused } from '../commands/refused.ts'
import { unitOf } from '../commands/program.command.ts'
import type { Context } from '../context.ts'
import { makePicturesFolder } from '../supervisor/layout.ts'
import { writeScript } from '../supervisor/program-file.ts'
import { FAULT, isFault } from '../supervisor/supervisor.client.ts'
import { factsFor } from './program-facts.ts'
import { hasProcess, type Program } from './program.ts'
import { portTaken, refuseUnusableSource, resolveNames } from './start-check.ts'

/** A process is 'running' after one second (startsecs); then some for a loaded machine. */
const START_LIMIT_MS = 4000
/** TERM, five seconds of grace (stopwaitsecs), KILL, and some. */
const STOP_LIMIT_MS = 10_000
/** What a tool takes to end or to fail at once; later looks may be the usual ones. */
const HURRY_MS = 600
/**
 * supervisord's child swallows a TERM that comes between its fork and its exec: without a second
 * one it would be killed after all the grace.
 */
const SECOND_TERM_MS = 500
/** Between EXITED and the next STARTING supervisord takes no command. */
const BETWEEN_STATES_MS = 50

/**
 * Resolves when it runs, or has failed for the first time, or after 4 s. Throws CommandRefused
 * when it must not be started: a port is taken, a name unknown, a source missing.
 */
export async function startProcess(ctx: Context, program: Program): Promise<void> {
  const sentence = portTaken(program.id, program.ports)
  if (sentence !== '') throw new CommandRefused(sentence)
  await refuseUnusableSource(program.spec, ctx.host.sourceLook)
  await freshScript(ctx, program)
  makePicturesFolder(ctx.supervisor.layout)
  const leftState = program.state
  ctx.supervisor.hurry(HURRY_MS)
  try {
    await ctx.supervisor.client.startProcess(program.id)
  } catch (error) {
    if (!isFault(error, FAULT.alreadyStarted)) throw error
  }
  // 'fatal' may be where it stood before: it counts once it has been left.
  let hasMoved = false
  await ctx.board.until(
    program,
    ({ state }) => {
      hasMoved ||= state !== leftState
      return hasMoved && state !== 'starting' && state !== 'stopped'
    },
    START_LIMIT_MS,
  )
}

/** A name may stand for another address than when the script was written. */
async function freshScript(ctx: Context, program: Program): Promise<void> {
  if (!program.spec) return
  const spec = await resolveNames(program.spec, 'running')
  if (spec === program.spec) return
  const { unit } = unitOf(spec, factsFor(ctx, program.id))
  program.unit = unit
  await writeScript(ctx.supervisor.layout, program.id, unit)
}

/** Resolves when no process is left. */
export async function stopProcess(ctx: Context, program: Program): Promise<void> {
  const deadline = performance.now() + STOP_LIMIT_MS
  while (!isDown(program) && performance.now() < deadline) {
    ctx.supervisor.hurry(HURRY_MS)
    const isTold = await tellToStop(ctx, program)
    if (!isTold) {
      await ctx.board.until(program, isDown, BETWEEN_STATES_MS)
    } else if (!(await ctx.board.until(program, isDown, SECOND_TERM_MS))) {
      await ctx.supervisor.client.signalProcess(program.id, 'TERM').catch(ignoreNotRunning)
      await ctx.board.until(program, isDown, deadline - performance.now())
    }
  }
}

function ignoreNotRunning(error: unknown): void {
  if (!isFault(error, FAULT.notRunning)) throw error
}

/** False when supervisord says that nothing runs: true, or not yet. */
async function tellToStop(ctx: Context, program: Program): Promise<boolean> {
  try {
    await ctx.supervisor.client.stopProcess(program.id)
    return true
  } catch (error) {
    if (!isFault(error, FAULT.notRunning)) throw error
    await ctx.supervisor.refresh()
    return false
  }
}

function isDown(program: Program): boolean {
  return !hasProcess(program.state) && program.state !== 'backoff' && program.state !== 'exited'
}
