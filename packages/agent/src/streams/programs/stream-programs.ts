/** The programs of a stream on this host, brought to what the stream wants. */
import { createHash } from 'node:crypto'
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import { CommandRefused } from '../../commands/refused.ts'
import type { Unit } from '../../commands/unit.ts'
import type { Context } from '../../context.ts'
import * as programService from '../../programs/program.service.ts'
import { STREAMS_OWNER } from '../../programs/program.service.ts'
import { belongsTo, type Refusal, type StreamProgram } from './stream.units.ts'

/** Null when there is none. */
export function report(ctx: Context, programId: string): ProgramReport | null {
  return programService.report(ctx, programId)
}

/**
 * Those that are no longer wanted go first: their ports may be wanted by others. Then each is
 * applied, and restarted when it runs with another command than the present one, or when all are
 * to be restarted. Answers those that the host refused; the others run.
 */
export async function applyPrograms(
  ctx: Context,
  name: string,
  programs: readonly StreamProgram[],
  why: 'change' | 'restart',
): Promise<Refusal[]> {
  const kept = new Set(programs.map((program) => program.programId))
  await dropWhere(ctx, (programId) => belongsTo(programId, name) && !kept.has(programId))
  return applySome(ctx, programs, why)
}

/** The same for some of a stream's programs, the others left as they are. */
export async function applySome(
  ctx: Context,
  programs: readonly StreamProgram[],
  why: 'change' | 'restart' = 'change',
): Promise<Refusal[]> {
  const refusals = await Promise.all(
    programs.map(async (program) => applyProgram(ctx, program, why)),
  )
  return refusals.filter((refusal) => refusal !== null)
}

export async function restart(ctx: Context, programId: string): Promise<void> {
  await programService.control(ctx, STREAMS_OWNER, { programId, command: 'restart' })
}

/** Programs of streams that are no longer kept: a removal was cut in the middle. */
export async function dropOrphans(ctx: Context, names: readonly string[]): Promise<void> {
  await dropWhere(ctx, (programId) => !names.some((name) => belongsTo(programId, name)))
}

export async function dropAll(ctx: Context, name: string): Promise<void> {
  await dropWhere(ctx, (programId) => belongsTo(programId, name))
}

async function dropWhere(ctx: Context, isUnwanted: (programId: string) => boolean): Promise<void> {
  const unwanted = programService
    .list(ctx, STREAMS_OWNER)
    .filter((program) => isUnwanted(program.programId))
  await Promise.all(
    unwanted.map(async (program) => programService.remove(ctx, STREAMS_OWNER, program.programId)),
  )
}

async function applyProgram(
  ctx: Context,
  program: StreamProgram,
  why: 'change' | 'restart',
): Promise<Refusal | null> {
  const { programId, unit, wanted, ports, bus } = program
  const revision = revisionOf(unit)
  const wasUp = isUp(report(ctx, programId))
  try {
    const now = await programService.applyUnit(ctx, {
      programId,
      unit,
      wanted,
      ports,
      bus,
      revision,
    })
    const isStale = now.runningRevision !== revision
    if (wanted === 'running' && wasUp && (why === 'restart' || isStale)) {
      await restart(ctx, programId)
    }
    return null
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error
    return { field: programId, sentence: error.message }
  }
}

function isUp(known: ProgramReport | null): boolean {
  return known !== null && ['running', 'starting'].includes(known.state)
}

function revisionOf(unit: Unit): string {
  return createHash('sha256').update(JSON.stringify(unit)).digest('hex').slice(0, 16)
}
