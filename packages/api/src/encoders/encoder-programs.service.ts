/** What is wanted of the hosts of encoders, for the fleet: without a scope. */
import type { Context } from '../context.ts'
import { inPartsById } from '../in-slices.ts'
import {
  idsOfKind,
  PROGRAMS_AT_ONCE,
  type SomePrograms,
  type WantedProgram,
} from '../programs/wanted-program.ts'
import * as encoderService from './encoder.service.ts'
import * as encoderStore from './encoder.store.ts'
import type { EncoderRecord } from './encoder.store.ts'
import * as feederStore from './feeders/feeder.store.ts'

/** The programs of the encoders that the filter names. */
export async function wantedPrograms(ctx: Context, filter: SomePrograms): Promise<WantedProgram[]> {
  const encoderIds = await encoderIdsOf(ctx, filter)
  if (encoderIds.length === 0) return []
  const programs = await programsOf(
    ctx,
    await encoderStore.listByIds(ctx.db, encoderIds, { by: 'all' }),
  )
  switch (filter.by) {
    case 'program':
      return programs.filter((each) => each.kind === filter.kind && each.id === filter.id)
    case 'programs': {
      const asked = new Set(filter.programIds)
      return programs.filter(({ programId }) => asked.has(programId))
    }
    case 'encoder':
    case 'input':
    case 'server':
      return programs
  }
}

/** Those of all encoders. */
export async function* allPrograms(ctx: Context): AsyncGenerator<WantedProgram[]> {
  const parts = inPartsById(
    async (behindId, limit) => encoderStore.listConfigured(ctx.db, behindId, limit),
    PROGRAMS_AT_ONCE,
  )
  for await (const records of parts) yield programsOf(ctx, records)
}

async function programsOf(
  ctx: Context,
  records: readonly EncoderRecord[],
): Promise<WantedProgram[]> {
  const ids = records.map((record) => record.id)
  const feeders = Map.groupBy(
    await feederStore.listByEncoders(ctx.db, ids),
    (feeder) => feeder.encoderId,
  )
  return records.flatMap((record) =>
    encoderService.programsOf(ctx, { record, feeders: feeders.get(record.id) ?? [] }),
  )
}

async function encoderIdsOf(ctx: Context, filter: SomePrograms): Promise<string[]> {
  switch (filter.by) {
    case 'encoder':
      return [filter.id]
    case 'program':
      if (filter.kind === 'encoder') return [filter.id]
      return filter.kind === 'feeder' ? feederStore.encoderIdsOf(ctx.db, [filter.id]) : []
    case 'programs': {
      const { programIds } = filter
      const feeders = idsOfKind(programIds, 'feeder')
      const owners = await feederStore.encoderIdsOf(ctx.db, feeders)
      return [...new Set([...idsOfKind(programIds, 'encoder'), ...owners])]
    }
    case 'input':
    case 'server':
      return []
  }
}
