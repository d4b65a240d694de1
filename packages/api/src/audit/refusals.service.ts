/**
 * Refused calls in the record of activity. Of one person and one call the first few of a minute have
 * a line each; the rest of that minute has one line together, so that whoever goes on and on fills no
 * disk. That line is written when the minute is over, or when the API ends.
 */
import { MINUTE_MS } from '@trunkline/contract/durations'
import type { FailureCode } from '@trunkline/contract/failure.schema'
import type { Route } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { isChange, subjectOf } from '../http/call-subject.ts'
import type { Actor } from '../security/actor.ts'
import * as auditService from './audit.service.ts'
import type { AuditEntry } from './audit.service.ts'

/** What a person tries in a minute; a program tries more. */
const OWN_LINES = 10
/** Minutes that are under way, for one API; past them every refusal has its own line again. */
const MINUTES_LIMIT = 10_000

/** A call as somebody made it. */
export interface Attempt {
  call: Route
  request: { params: unknown; body: unknown }
  actor: Actor
}

interface Minute {
  count: number
  /** The last refusal that has no line of its own. */
  last: AuditEntry | null
  timer: NodeJS.Timeout
}

const minutesOf = new WeakMap<Context, Map<string, Minute>>()

/**
 * Records a refused attempt: 403 whatever was asked; of a change also what was not there for the caller
 * (another group's id looks like that), met a newer version or a rule, or failed on its host. Typing
 * errors leave no line, and what the service has recorded is not recorded again.
 */
export async function recordIfRefused(
  ctx: Context,
  { call, request: { params, body }, actor }: Attempt,
  error: unknown,
): Promise<void> {
  if (!(error instanceof AppError) || auditService.isAudited(error)) return
  const result = resultOf(error.code)
  const isWorthALine = error.code === 'forbidden' || isChange(call, body)
  if (result === null || !isWorthALine) return
  await recordRefusal(ctx, {
    actor,
    call: call.name,
    object: subjectOf(call, params, body),
    result,
    reason: error.message,
  })
}

function resultOf(code: FailureCode): 'refused' | 'failed' | null {
  switch (code) {
    case 'forbidden':
    case 'not_found':
    case 'conflict':
    case 'on_air':
    case 'refused':
      return 'refused'
    case 'host_unreachable':
    case 'host_timeout':
    case 'unavailable':
      return 'failed'
    case 'invalid':
    case 'unauthenticated':
    case 'second_factor':
    case 'too_large':
    case 'too_many':
    case 'internal':
      return null
  }
}

/** With room for it or not: the refusal itself does not fail. A command that failed always has its own line. */
export async function recordRefusal(ctx: Context, entry: AuditEntry): Promise<void> {
  if (entry.result !== 'refused') return auditService.recordIfRoom(ctx, entry)
  const minutes = minutesOf.get(ctx) ?? new Map<string, Minute>()
  minutesOf.set(ctx, minutes)
  const key = [entry.actor?.id, entry.call].join(' ')
  const minute = minutes.get(key) ?? beginMinute(ctx, minutes, key)
  minute.count += 1
  if (minute.count <= OWN_LINES || minutes.size > MINUTES_LIMIT) {
    return auditService.recordIfRoom(ctx, entry)
  }
  minute.last = entry
  if (entry.failure !== undefined) auditService.markAudited(entry.failure)
}

/** Writes what is counted and not written yet. */
export async function flushRefusals(ctx: Context): Promise<void> {
  for (const key of minutesOf.get(ctx)?.keys() ?? []) await endMinute(ctx, key)
}

function beginMinute(ctx: Context, minutes: Map<string, Minute>, key: string): Minute {
  const timer = setTimeout(() => {
    endMinute(ctx, key).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'Refused calls are missing in the record of activity.'),
    )
  }, MINUTE_MS)
  timer.unref()
  const minute: Minute = { count: 0, last: null, timer }
  minutes.set(key, minute)
  return minute
}

async function endMinute(ctx: Context, key: string): Promise<void> {
  const minute = minutesOf.get(ctx)?.get(key)
  if (minute === undefined) return
  clearTimeout(minute.timer)
  minutesOf.get(ctx)?.delete(key)
  const { last, count } = minute
  if (last === null) return
  const more = count - OWN_LINES
  await auditService.recordIfRoom(ctx, {
    ...last,
    object: null,
    reason: `${more} more ${more === 1 ? 'call' : 'calls'} like this within a minute. The last: ${last.reason ?? ''}`,
  })
}
