/**
 * What may be done with programs. Each program has a queue of its own: commands to it go one after
 * the other, commands to others do not wait. `owner` is the seat that asks, or 'media'.
 */
import type {
  ApplyProgram,
  ControlProgram,
  ProgramReport,
  ReadThumbnail,
  ThumbnailAnswer,
} from '@trunkline/contract/agent/program.messages'
import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { boundPorts, unitOf } from '../commands/program.command.ts'
import { CommandRefused } from '../commands/refused.ts'
import type { Context } from '../context.ts'
import { isDiskFull } from '../host/disk.ts'
import { redact } from '../logs/redact.ts'
import { missingFolder } from '../supervisor/layout.ts'
import {
  dropSection,
  removeProgramFiles,
  takeSection,
  writeScript,
  writeSection,
} from '../supervisor/program-file.ts'
import { SupervisorUnavailable } from '../supervisor/supervisor.silence.ts'
import { digestsOf, fileTexts } from '../supervisor/written-files.ts'
import { NO_CONFIRMATION, type Confirm } from './confirm.ts'
import { noteFilesWritten, isSectionOurs } from './manual-change.ts'
import { factsFor } from './program-facts.ts'
import * as programStore from './program.store.ts'
import {
  hasProcess,
  newProgram,
  reportOf,
  type NewProgram,
  type Program,
  type Wanted,
} from './program.ts'
import { refuseUnableAgent, refuseStart, resolveNames } from './start-check.ts'
import { thumbnailOf } from './thumbnail.ts'
import { asBeingStarted, startChecked, startProcess, stopProcess } from './transition.ts'

/** decisions.md 15. */
const ANSWER_LIMIT_MS = 2000
/** While supervisord owes an answer: its state is awaited, within what the API waits for ours. */
const LATEST_ANSWER_MS = 4000
const SLOW_ANSWER_MS = 1000
const LOOK_MS = 50
/** supervisord takes up a new section within one look. */
const TAKE_UP_MS = 500
export const STREAMS_OWNER = 'media'

export class ProgramUnknown extends Error {
  override readonly name = 'ProgramUnknown'
  constructor(programId: string) {
    super(`This host has no program '${programId}'.`)
  }
}

export function list(ctx: Context, owner: string): ProgramReport[] {
  return ctx.board
    .all()
    .filter((program) => program.owner === owner)
    .map(reportOf)
}

/** Null when there is none. */
export function report(ctx: Context, programId: string): ProgramReport | null {
  const program = ctx.board.find(programId)
  return program ? reportOf(program) : null
}

/** Builds the unit of a specification and brings it to what is wanted. Throws CommandRefused, CallExpired. */
export async function apply(
  ctx: Context,
  owner: string,
  asked: z.output<typeof ApplyProgram>,
  confirm: Confirm = NO_CONFIRMATION,
): Promise<ProgramReport> {
  const facts = factsFor(ctx, asked.programId)
  const spec = await resolveNames(asked.spec, asked.wanted)
  const { unit, warnings } = unitOf(spec, facts)
  if (warnings.length > 0) ctx.log.warn({ programId: asked.programId, warnings }, 'program applied')
  const ports = boundPorts(spec, facts)
  const { programId, revision, wanted } = asked
  const owned = { owner, programId, revision, unit, wanted, ports, bus: null, spec: asked.spec }
  return applyOwned(ctx, owned, confirm)
}

type ApplyUnit = Pick<NewProgram, 'programId' | 'revision' | 'unit' | 'wanted'> &
  Partial<Pick<NewProgram, 'ports' | 'bus'>>

/** For streams, which build their own units. Throws CommandRefused. */
export async function applyUnit(ctx: Context, asked: ApplyUnit): Promise<ProgramReport> {
  const owned = { owner: STREAMS_OWNER, spec: null, ports: [], bus: null, ...asked }
  return applyOwned(ctx, owned, NO_CONFIRMATION)
}

/**
 * Answers when the final state is reached, or after 2 s with the state on the way there. Throws
 * ProgramUnknown, CallExpired, and CommandRefused with the reason when it cannot be started.
 */
export async function control(
  ctx: Context,
  owner: string,
  asked: z.output<typeof ControlProgram>,
  confirm: Confirm = NO_CONFIRMATION,
): Promise<ProgramReport> {
  const askedAtMs = performance.now()
  const program = ownProgram(ctx, owner, asked.programId)
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const done = ctx.board.enqueue(program.id, async () => {
    await confirm()
    await ctx.supervisor.refuseUnavailable('not begun')
    begin()
    await obey(ctx, program, asked.command)
  })
  // Not answered before: what waits behind another command may still come to nothing.
  await Promise.race([begun, done])
  await withinAnswerLimit(ctx, program, done, askedAtMs)
  return reportOf(program)
}

/** Ends it and forgets it, with its logs. Throws CallExpired. */
export async function remove(
  ctx: Context,
  owner: string,
  programId: string,
  confirm: Confirm = NO_CONFIRMATION,
): Promise<{ removed: boolean }> {
  const program = ctx.board.find(programId)
  if (program?.owner !== owner) return { removed: false }
  await ctx.board.enqueue(programId, async () => {
    await confirm()
    await ctx.supervisor.refuseUnavailable('not begun')
    await stopProcess(ctx, program)
    await dropSection(ctx.supervisor, programId)
    ctx.watch.forget(program)
    removeProgramFiles(ctx.supervisor.layout, programId)
    programStore.remove(ctx.supervisor.layout, programId)
    ctx.board.drop(program)
  })
  return { removed: true }
}

/** The last lines of its log, oldest first: with their time, redacted, RIST's made readable. */
export function tail(ctx: Context, owner: string, programId: string, lines: number): string[] {
  const program = ownProgram(ctx, owner, programId)
  return ctx.logs.tail(program, lines).map((line) => redact(line, program.unit.secrets))
}

/** What an encoder of this seat sees. Throws ProgramUnknown. */
export function thumbnail(
  ctx: Context,
  owner: string,
  asked: z.output<typeof ReadThumbnail>,
): z.output<typeof ThumbnailAnswer> {
  const program = ownProgram(ctx, owner, asked.programId)
  return { picture: thumbnailOf(ctx.supervisor.layout, program, asked.newerThanMs) }
}

/** A start that nobody asks for now: it is wanted running and is not. */
export async function startAgain(ctx: Context, program: Program): Promise<void> {
  await ctx.board.enqueue(program.id, async () => {
    if (program.wanted === 'running' && !hasProcess(program.state)) await startProcess(ctx, program)
  })
}

async function applyOwned(
  ctx: Context,
  asked: NewProgram,
  confirm: Confirm,
): Promise<ProgramReport> {
  return ctx.board.enqueue(asked.programId, async () => {
    refuseUnableAgent(ctx.supervisor.layout)
    const known = ctx.board.find(asked.programId)
    if (known && known.owner !== asked.owner) {
      throw new CommandRefused(
        'Another seat of this host runs this program. Remove it there before it is moved here.',
      )
    }
    const isUp = known !== null && hasProcess(known.state)
    if (asked.wanted === 'running' && !isUp)
      await refuseStart(ctx, { ...asked, id: asked.programId })
    await confirm()
    await ctx.supervisor.refuseUnavailable('not begun')
    const program = known ?? (await add(ctx, asked))
    if (known && asked.wanted === 'running' && !isUp) {
      await asBeingStarted(ctx, known, async () => {
        await change(ctx, known, asked)
        await startChecked(ctx, known)
      })
    } else if (known) await change(ctx, known, asked)
    if (asked.wanted === 'stopped') await stopProcess(ctx, program)
    ctx.board.publish(program)
    return reportOf(program)
  })
}

async function add(ctx: Context, asked: NewProgram): Promise<Program> {
  const { layout } = ctx.supervisor
  const program = newProgram(asked, ctx.clock())
  await writeScript(layout, program.id, asked.unit)
  ctx.board.add(program)
  ctx.watch.follow(program, null)
  try {
    await takeSection(ctx.supervisor, program.id, asked.wanted === 'running')
  } catch (error) {
    ctx.watch.forget(program)
    ctx.board.drop(program)
    removeProgramFiles(layout, program.id)
    throw error
  }
  noteFilesWritten(ctx, program)
  ctx.records.save(program)
  if (asked.wanted === 'running') {
    ctx.supervisor.pollFast(TAKE_UP_MS)
    await ctx.board.until(program, (changed) => changed.state !== 'stopped', TAKE_UP_MS)
  }
  return program
}

async function change(ctx: Context, program: Program, asked: NewProgram): Promise<void> {
  await writeScript(ctx.supervisor.layout, program.id, asked.unit)
  program.spec = asked.spec
  program.unit = asked.unit
  program.ports = asked.ports
  program.bus = asked.bus
  program.revision = asked.revision
  setWanted(ctx, program, asked.wanted)
  noteFilesWritten(ctx, program)
  ctx.records.save(program)
}

function setWanted(ctx: Context, program: Program, wanted: Wanted): void {
  if (!isSectionOurs(ctx, program)) program.isSectionSuspect = true
  program.wanted = wanted
  ctx.records.save(program)
  keepWanted(ctx, program)
  ctx.board.publish(program)
}

/**
 * Writes autostart as wanted. On a full disk, or where the folder was deleted, this is done later; the
 * command itself is not held up.
 */
function keepWanted(ctx: Context, program: Program): void {
  const { layout } = ctx.supervisor
  try {
    writeSection(layout, program.id, program.wanted === 'running')
  } catch (error) {
    if (!isDiskFull(error) && missingFolder(layout) === null) throw error
    return ctx.records.noteUnsaved(program, error)
  }
  program.written = { ...program.written, section: digestsOf(fileTexts(layout, program)).section }
  ctx.records.save(program)
}

/** What a full disk did not take, tried again. */
export async function saveUnsaved(ctx: Context): Promise<void> {
  for (const program of ctx.records.unsaved()) {
    await ctx.board.enqueue(program.id, async () => {
      if (ctx.board.find(program.id) !== program) return
      if (isSectionOurs(ctx, program)) keepWanted(ctx, program)
      else ctx.records.save(program)
    })
  }
}

async function obey(
  ctx: Context,
  program: Program,
  command: 'start' | 'stop' | 'restart',
): Promise<void> {
  program.restarts = 0
  program.deathCause = ''
  if (command === 'stop') {
    setWanted(ctx, program, 'stopped')
    return stopProcess(ctx, program)
  }
  refuseUnableAgent(ctx.supervisor.layout)
  const isUp = program.state === 'running' || program.state === 'starting'
  if (command === 'start' && isUp) return setWanted(ctx, program, 'running')
  await asBeingStarted(ctx, program, async () => {
    await stopProcess(ctx, program)
    try {
      await startProcess(ctx, program)
    } catch (error) {
      program.deathCause = error instanceof Error ? error.message : String(error)
      throw error
    }
  })
  setWanted(ctx, program, 'running')
}

/** What follows the answer comes as events; a failure after it is logged. */
async function withinAnswerLimit(
  ctx: Context,
  program: Program,
  done: Promise<void>,
  askedAtMs: number,
): Promise<void> {
  // A slow supervisord may have taken some of it before the command began.
  const leftMs = () => Math.max(0, askedAtMs + LATEST_ANSWER_MS - performance.now())
  let isAnswered = false
  let isDone = false
  const watched = done
    .then(() => (isDone = true))
    .catch((error: unknown) => {
      if (!isAnswered) throw error
      ctx.log.error({ programId: program.id, reason: String(error) }, 'a command failed late')
    })
  const isOwed = () => !isDone && ctx.supervisor.silentMs > SLOW_ANSWER_MS
  try {
    const limitMs = Math.min(ANSWER_LIMIT_MS, leftMs())
    await Promise.race([watched, pause(limitMs, undefined, { ref: false })])
    // What is known of the program is old then: it may neither run nor be what it was.
    while (isOwed() && leftMs() > 0) {
      await Promise.race([watched, pause(LOOK_MS, undefined, { ref: false })])
    }
    if (isOwed()) throw new SupervisorUnavailable('silent', 'cut off')
  } finally {
    isAnswered = true
  }
}

function ownProgram(ctx: Context, owner: string, programId: string): Program {
  const program = ctx.board.find(programId)
  if (program?.owner !== owner) throw new ProgramUnknown(programId)
  return program
}
