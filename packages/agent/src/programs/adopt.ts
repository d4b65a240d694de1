/** At the agent's start: everything that was there before is known again, and nothing is touched. */
import { existsSync } from 'node:fs'
import type { Context } from '../context.ts'
import { NO_PEER_YET } from '../logs/peer-state.ts'
import { sectionFile, scriptFile } from '../supervisor/layout.ts'
import {
  dropSection,
  removeProgramFiles,
  takeSection,
  writeScript,
} from '../supervisor/program-file.ts'
import type { SupervisorClient } from '../supervisor/supervisor.client.ts'
import { digestsOnDisk } from '../supervisor/written-files.ts'
import { findManualChanges } from './manual-change.ts'
import * as programStore from './program.store.ts'
import type { StoredProgram } from './program.store.ts'
import { newLastLook, type Program } from './program.ts'

/** TERM, five seconds of grace (stopwaitsecs), KILL, and some. */
const STRANGER_LIMIT_MS = 10_000
const LOOK_MS = 25

export async function adoptPrograms(ctx: Context): Promise<void> {
  for (const stored of programStore.list(ctx.supervisor.layout, ctx.log)) {
    const program = asProgram(ctx, stored)
    ctx.board.add(program)
    ctx.watch.follow(program, stored)
  }
  await ctx.supervisor.watch(ctx.watch)
  await Promise.all([...ctx.watch.strangers].map(async (name) => dropStranger(ctx, name)))
  for (const programId of ctx.watch.unlisted) {
    await restoreSection(ctx, programId).catch((error: unknown) => {
      ctx.log.error({ programId, reason: String(error) }, 'a lost section cannot be restored')
    })
  }
  await findManualChanges(ctx)
  ctx.log.info({ programs: ctx.board.all().length }, 'programs are known')
}

/** As it was when last written; supervisord's list corrects it at once. */
function asProgram(ctx: Context, stored: StoredProgram): Program {
  const { running, counted, sinceMs, ...same } = stored
  return {
    ...same,
    state: running ? 'running' : 'stopped',
    sinceMs: running?.startedAtMs ?? sinceMs,
    startedAtMs: running?.startedAtMs ?? null,
    pid: running?.pid ?? null,
    runningRevision: running?.revision ?? '',
    written: stored.written ?? digestsOnDisk(ctx.supervisor.layout, stored.id),
    isSectionSuspect: false,
    isStoppedByUs: false,
    startAskedAtMs: null,
    isPaused: false,
    peer: NO_PEER_YET,
    observed: running ? stored.observed : null,
    lastLook: newLastLook(ctx.clock()),
    reading: counted?.reading ?? null,
  }
}

/** A section without a file of ours: an add or a remove was cut in the middle. */
async function dropStranger(ctx: Context, name: string): Promise<void> {
  const { layout, client } = ctx.supervisor
  ctx.log.warn({ programId: name }, 'an unknown program is ended')
  try {
    await client.stopProcess(name).catch(() => undefined)
    await untilDown(client, name)
    await dropSection(ctx.supervisor, name)
    removeProgramFiles(layout, name)
  } catch (error) {
    ctx.log.warn({ programId: name, reason: String(error) }, 'it could not be ended yet')
  }
}

/** Its events are nobody's, so it is asked; each question wakes supervisord. */
async function untilDown(client: SupervisorClient, name: string): Promise<void> {
  const deadline = performance.now() + STRANGER_LIMIT_MS
  while ((await client.getProcessInfo(name)).pid !== 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** A program of ours that supervisord does not know: its section is written anew. */
async function restoreSection(ctx: Context, programId: string): Promise<void> {
  const program = ctx.board.find(programId)
  const { layout } = ctx.supervisor
  if (!program) return
  if (!existsSync(scriptFile(layout, programId))) await writeScript(layout, programId, program.unit)
  ctx.log.warn({ programId, file: sectionFile(layout, programId) }, 'a lost section is restored')
  await takeSection(ctx.supervisor, programId, program.wanted === 'running')
}
