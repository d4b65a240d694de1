/** What a call is about, as far as its name, path and body say; for the audit line of a refusal. */
import { ACTION_TYPE } from '@trunkline/contract/contributions/contribution.calls'
import { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import type { Route } from '@trunkline/contract/route'
import { Id } from '@trunkline/contract/text.schema'
import { z } from 'zod'

/** POSTs that only read: their questions are too long for an address, or foreign clients ask so. */
const READS_BY_POST: ReadonlySet<string> = new Set([
  'encoders.all',
  'encoders.askTaken',
  'channels.list',
  'feeders.askNextPort',
  'fleet.watch',
  'inputs.askNextMulticast',
  'onAir.ask',
  // Who signs in is known at its end.
  'session.beginOidc',
  'session.check',
])

const Asked = z.object({
  _id: z.string().max(64).optional(),
  id: z.string().max(64).optional(),
  serverId: z.string().max(64).optional(),
  type: z.union([z.number(), z.string()]).optional(),
  actionType: z.string().optional(),
  inputId: z.string().max(64).optional(),
  data: z.object({ command: z.string().optional() }).optional().catch(undefined),
})
type Asked = z.infer<typeof Asked>

function askedIn(body: unknown): Asked {
  return Asked.safeParse(body).data ?? {}
}

/** Whether the call as made would change something: reading a log goes through a command's call. */
export function isChange(call: Route, body: unknown): boolean {
  if (call.method === 'GET' || READS_BY_POST.has(call.name)) return false
  const { actionType, data } = askedIn(body)
  return actionType !== 'tail' && data?.command !== 'tail'
}

/** 'encoders.control' with {id: 'x'} in its path is about encoder x; null when nothing names one. */
export function subjectOf(
  call: Route,
  params: unknown,
  body: unknown,
): { kind: ObjectKind; id: string } | null {
  const asked = askedIn(body)
  if (call.name === 'contributions.action') return subjectOfAction(asked)
  if (call.name === 'links.rename') return subjectOfRename(asked)
  // A stream is named by its server; a feeder is a part of its encoder.
  if (asked.serverId !== undefined && call.name.startsWith('channels.')) {
    return { kind: 'server', id: asked.serverId }
  }
  const feature = call.name.split('.')[0] ?? ''
  const kind = ObjectKind.safeParse(feature === 'feeders' ? 'encoder' : feature.replace(/s$/, ''))
  // The path decides: a body may echo any _id beside it.
  const id = idIn(params) ?? asked._id
  return kind.success && id !== undefined ? { kind: kind.data, id } : null
}

function subjectOfAction({ type, id }: Asked): { kind: ObjectKind; id: string } | null {
  if (id === undefined) return null
  switch (Number(type)) {
    case ACTION_TYPE.input:
      return { kind: 'input', id }
    case ACTION_TYPE.output:
      return { kind: 'output', id }
    case ACTION_TYPE.feeder:
      return { kind: 'encoder', id }
    default:
      return null
  }
}

/** The type names the kind: input, output or destination. */
function subjectOfRename({ type, inputId }: Asked): { kind: ObjectKind; id: string } | null {
  const kind = ObjectKind.safeParse(type)
  return kind.success && inputId !== undefined ? { kind: kind.data, id: inputId } : null
}

/**
 * The first that is an id: a path may name the kind of feeder, too. Of a refused role nothing was
 * parsed before, and what is no id of ours is not kept: PostgreSQL takes no NUL.
 */
function idIn(params: unknown): string | undefined {
  const entries = Object.entries((params ?? {}) as Record<string, string>)
  const id = entries.find(([name]) => name === 'id' || name.endsWith('Id'))?.[1]
  return Id.safeParse(id).success && id?.includes('\0') === false ? id : undefined
}
