/**
 * What the alarms of the console itself are judged by. All of it but the disk is read from the database,
 * so that every API process finds the same.
 */
import { CONSOLE_PARTS, type ConsolePart } from '@trunkline/contract/alarms/console-parts'
import { DAY_MS, MINUTE_MS } from '@trunkline/contract/durations'
import * as auditStore from '../../audit/audit.store.ts'
import * as backupStore from '../../backup/backup.store.ts'
import type { Context, Db } from '../../context.ts'
import { diskSpaceOf } from '../../disk-space.ts'
import { ENROL_CALL } from '../../enrolment/enrol-host.service.ts'
import { keyOf } from '../../fleet/object-key.ts'
import * as scheduleStore from '../../schedules/schedule.store.ts'
import { SIGN_IN_CALLS } from '../../users/known-address.service.ts'
import * as alarmStore from '../alarm.store.ts'
import { conditionOfConsole, type ConsoleFacts } from './console.rules.ts'
import type { Condition } from '../finding.rules.ts'

export interface ConsoleWatchContext extends Pick<Context, 'db' | 'log' | 'clock'> {
  config: Pick<Context['config'], 'dataDir' | 'databaseUrl'>
}

/** Nothing of it is a matter of seconds. */
const LOOK_MS = 20_000
const SECRET_CALLS = [...SIGN_IN_CALLS, ENROL_CALL]
const WRONG_SECRETS_WITHIN_MS = 10 * MINUTE_MS
/** As schedules are marked on their objects. */
const NOT_RUN_WITHIN_MS = DAY_MS

export const PARTS = Object.keys(CONSOLE_PARTS) as ConsolePart[]

export class ConsoleWatch implements AsyncDisposable {
  readonly #ctx: ConsoleWatchContext
  readonly #onLooked: () => void
  #facts: ConsoleFacts | null = null
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()

  /** `onLooked`: each part may be judged anew. */
  constructor(ctx: ConsoleWatchContext, onLooked: () => void) {
    this.#ctx = ctx
    this.#onLooked = onLooked
  }

  /** Looks now, and every so often until it is disposed. */
  begin(): void {
    this.look()
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref()
  }

  look(): void {
    this.#looking = this.#looking.then(async () => this.#look())
  }

  /** Resolves when the looks that were begun have ended. */
  async looked(): Promise<void> {
    await this.#looking
  }

  /** `threshold`: of free space, in percent. */
  conditionOf(part: ConsolePart, threshold: number): Condition {
    return conditionOfConsole(part, this.#facts, this.#ctx.clock(), threshold)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** What could not be read stays as it was. */
  async #look(): Promise<void> {
    try {
      this.#facts = await readFacts(this.#ctx)
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'What the console watches of itself could not be read.')
      return
    }
    this.#onLooked()
  }
}

async function readFacts(ctx: ConsoleWatchContext): Promise<ConsoleFacts> {
  const { db, config, clock } = ctx
  const since = (withinMs: number) => new Date(clock() - withinMs).toISOString()
  const backup = await backupStore.lastEnded(db)
  const { total: tries, address } = await auditStore.refusalsOf(db, {
    calls: SECRET_CALLS,
    since: since(WRONG_SECRETS_WITHIN_MS),
  })
  return {
    backup: backup && { fault: backup.fault, endedAtMs: Date.parse(backup.endedAt ?? '') },
    notRun: await readNotRun(db, since(NOT_RUN_WITHIN_MS)),
    wrongSecrets: { tries, address },
    disk:
      config.databaseUrl === null
        ? { path: config.dataDir, ...(await diskSpaceOf(config.dataDir)) }
        : null,
  }
}

async function readNotRun(db: Db, since: string): Promise<ConsoleFacts['notRun']> {
  const problems = await scheduleStore.problemsSince(db, since)
  const [newest] = problems.toSorted((a, b) => (a.run.dueAt < b.run.dueAt ? 1 : -1))
  if (newest === undefined) return null
  const { run, schedule } = newest
  const titles = await alarmStore.titlesOfAll(db, [schedule.object])
  return {
    schedules: problems.length,
    title: titles.get(keyOf(schedule.object)) ?? schedule.object.id,
    sentence: run.sentence,
    atMs: Date.parse(run.dueAt),
  }
}
