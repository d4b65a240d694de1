/** How often something went well or not since this process started, for its metrics. In memory alone. */
import type { RunOutcome } from '@trunkline/contract/schedules/schedule.schema'
import type { Context } from './context.ts'

export type BackupOutcome = 'done' | 'failed'

export class OutcomeCounts {
  readonly backups: Record<BackupOutcome, number> = { done: 0, failed: 0 }
  readonly scheduleRuns: Record<Exclude<RunOutcome, 'running'>, number> = {
    done: 0,
    failed: 0,
    refused: 0,
    missed: 0,
  }
  /** Of passwords and codes: at sign-in, of the second factor, of hosts that enrol. */
  readonly secrets = { tried: 0, right: 0 }
  /** Connections to the port for agents that were closed: without a right certificate, or one too many. */
  readonly agentPortRefusals = { certificate: 0, full: 0 }
}

const counts = new WeakMap<object, OutcomeCounts>()

/** The counts of this process. */
export function outcomesOf(ctx: Pick<Context, 'config'>): OutcomeCounts {
  const known = counts.get(ctx.config) ?? new OutcomeCounts()
  counts.set(ctx.config, known)
  return known
}
