/** Starting and stopping a program: commanded to supervisord, awaited by its events. */
import { unitOf } from '../commands/program.command.ts'
import type { Context } from '../context.ts'
import { makePicturesFolder } from '../supervisor/layout.ts'
import { dropSection, takeSection, writeScript, writeSection } from '../supervisor/program-file.ts'
import { FAULT, isFault } from '../supervisor/supervisor.client.ts'
import { fileTexts, hasScript } from '../supervisor/written-files.ts'
import { noteFilesWritten, isSectionOurs } from './manual-change.ts'
import { factsFor } from './program-facts.ts'
import { hasProcess, type Program } from './program.ts'
import { refuseStart, resolveNames } from './start-check.ts'

/** A process is 'running' after one second (startsecs); then some for a loaded machine. */
const START_LIMIT_MS = 4000
/** TERM, five seconds of grace (stopwaitsecs), KILL, and some. */
const STOP_LIMIT_MS = 10_000
/** What a tool takes to end; later looks may be the usual ones. */
const POLL_FAST_MS = 600
/** supervisord calls it running after a second, and says so only when its loop wakes. */
const POLL_FAST_START_MS = 1500
/**
 * supervisord's child swallows a TERM that comes between its fork and its exec: without a second
 * one it would be killed after all the grace.
 */
const SECOND_TERM_MS = 500
/** Between EXITED and the next STARTING supervisord takes no command. */
const BETWEEN_STATES_MS = 50

/** What is published meanwhile says that it starts, not that it is stopped although it should run. */
export async function asBeingStarted(
  ctx: Context,
  program: Program,
  start: () => Promise<void>,
): Promise<void> {
  program.startAskedAtMs = ctx.clock()
  try {
    await start()
  } finally {
    program.startAskedAtMs = null
    ctx.board.publish(program)
  }
}

/**
 * Resolves when it runs, or has failed for the first time, or after 4 s. Throws CommandRefused
 * when it must not be started: a port or a group is taken, a name unknown, a source missing.
 */
export async function startProcess(ctx: Context, program: Program): Promise<void> {
  await refuseStart(ctx, program)
  await startChecked(ctx, program)
}

/** The same for a program that was checked just now. */
export async function startChecked(ctx: Context, program: Program): Promise<void> {
  await freshFiles(ctx, program)
  makePicturesFolder(ctx.supervisor.layout)
  const leftState = program.state
  ctx.supervisor.pollFast(POLL_FAST_START_MS)
  await sendStart(ctx, program)
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

async function sendStart(ctx: Context, program: Program): Promise<void> {
  const { client } = ctx.supervisor
  await ctx.supervisor.refuseUnavailable('cut off')
  try {
    await client.startProcess(program.id)
  } catch (error) {
    if (isFault(error, FAULT.alreadyStarted)) return
    if (!isFault(error, FAULT.badName)) throw error
    // Somebody made supervisord forget it.
    await retakeSection(ctx, program)
    await client.startProcess(program.id)
  }
}

/** Script and section as they ought to be, whatever somebody made of them. */
async function freshFiles(ctx: Context, program: Program): Promise<void> {
  const { layout } = ctx.supervisor
  await freshUnit(ctx, program)
  const { script } = fileTexts(layout, program)
  if (!hasScript(layout, program.id, script)) await writeScript(layout, program.id, program.unit)
  if (program.isSectionSuspect || program.changedByHand !== '' || !isSectionOurs(ctx, program)) {
    ctx.log.warn({ programId: program.id }, 'manual changes are overwritten')
    await retakeSection(ctx, program)
  }
  noteFilesWritten(ctx, program)
}

/** A name may stand for another address than when the script was written. */
async function freshUnit(ctx: Context, program: Program): Promise<void> {
  if (!program.spec) return
  const spec = await resolveNames(program.spec, 'running')
  if (spec === program.spec) return
  program.unit = unitOf(spec, factsFor(ctx, program.id)).unit
}

/** Makes supervisord forget what it knows of the program and take our section. Nothing may run. */
async function retakeSection(ctx: Context, program: Program): Promise<void> {
  const { supervisor } = ctx
  await dropSection(supervisor, program.id)
  // Adding it must not start it: it is started once all is in place.
  await takeSection(supervisor, program.id, false)
  writeSection(supervisor.layout, program.id, program.wanted === 'running')
  program.isSectionSuspect = false
}

/** Resolves when no process is left. */
export async function stopProcess(ctx: Context, program: Program): Promise<void> {
  program.isStoppedByUs = true
  const sent = { isStop: false }
  try {
    await untilStopped(ctx, program, sent)
  } finally {
    // What supervisord has not done yet it may do late, and that is nobody else's stop.
    program.isStoppedByUs = sent.isStop && !isDown(program)
  }
}

async function untilStopped(
  ctx: Context,
  program: Program,
  sent: { isStop: boolean },
): Promise<void> {
  const deadline = performance.now() + STOP_LIMIT_MS
  while (!isDown(program) && performance.now() < deadline) {
    ctx.supervisor.pollFast(POLL_FAST_MS)
    const isSent = await sendStop(ctx, program, sent)
    if (!isSent) {
      await ctx.board.until(program, isDown, BETWEEN_STATES_MS)
    } else if (!(await ctx.board.until(program, isDown, SECOND_TERM_MS))) {
      await ctx.supervisor.refuseUnavailable('cut off')
      await ctx.supervisor.client.signalProcess(program.id, 'TERM').catch(ignoreNotRunning)
      await ctx.board.until(program, isDown, deadline - performance.now())
    }
  }
}

function ignoreNotRunning(error: unknown): void {
  if (!isFault(error, FAULT.notRunning)) throw error
}

/** False when supervisord says that nothing runs: true, or not yet. */
async function sendStop(
  ctx: Context,
  program: Program,
  sent: { isStop: boolean },
): Promise<boolean> {
  await ctx.supervisor.refuseUnavailable('cut off')
  try {
    sent.isStop = true
    await ctx.supervisor.client.stopProcess(program.id)
    return true
  } catch (error) {
    if (!isFault(error, FAULT.notRunning)) throw error
    sent.isStop = false
    await ctx.supervisor.refresh()
    return false
  }
}

function isDown(program: Program): boolean {
  return !hasProcess(program.state) && program.state !== 'backoff' && program.state !== 'exited'
}
