/** One piece of work on several objects: each is done or fails by itself, and says why. */
import type { LinkFailure } from '@trunkline/contract/contributions/link.schema'
import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import { mayDo } from '@trunkline/contract/role-table'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { HostFault } from '../hosts/host-fault.ts'
import type { Actor } from '../security/actor.ts'

export interface BulkRequest {
  actor: Actor
  /** The call's name, for the audit lines of those that fail. */
  call: string
  kind: ObjectKind
}

export interface BulkOutcome<Link> {
  /** In the order given. */
  done: Link[]
  failed: LinkFailure[]
}

/** Work may wait for a host that is silent; more at once would only queue there. */
const AT_ONCE = 4

const NEUTRAL = 'Something went wrong on our side. It was noted. Please try again.'

/**
 * Never throws: what `work` throws becomes a sentence beside the object's name, and a line of audit.
 * `work` writes the line of what it has done itself, in its own transaction.
 */
export async function onEach<Link extends { id: string; name: string }>(
  ctx: Context,
  request: BulkRequest,
  links: readonly Link[],
  work: (link: Link) => Promise<void>,
): Promise<BulkOutcome<Link>> {
  const errors = new Map<string, string>()
  const waiting = [...links]
  const worker = async () => {
    for (let link = waiting.shift(); link !== undefined; link = waiting.shift()) {
      try {
        await work(link)
      } catch (error) {
        errors.set(link.id, await noted(ctx, request, link, error))
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, links.length) }, worker))
  return {
    done: links.filter(({ id }) => !errors.has(id)),
    failed: links.flatMap(({ id, name }) => {
      const error = errors.get(id)
      return error === undefined ? [] : [{ name, error }]
    }),
  }
}

/** The sentence for the caller; what happened stands in the record of activity, or in our own log. */
async function noted(
  ctx: Context,
  { actor, call, kind }: BulkRequest,
  { id }: { id: string },
  error: unknown,
): Promise<string> {
  if (!(error instanceof AppError) && !(error instanceof HostFault)) {
    ctx.log.error({ err: error, call, id }, 'one of several objects failed')
    return NEUTRAL
  }
  const isOfHost = error instanceof HostFault || error.code.startsWith('host_')
  await auditService
    .record(ctx, {
      actor,
      call,
      object: { kind, id },
      result: isOfHost ? 'failed' : 'refused',
      reason: error.message,
      failure: error,
    })
    .catch((fault: unknown) => ctx.log.error({ err: fault, call, id }, 'a line of audit was lost'))
  const neutral = error instanceof AppError ? error.more.neutral : undefined
  return mayDo(actor.role, 'readFault') ? error.message : (neutral ?? error.message)
}
