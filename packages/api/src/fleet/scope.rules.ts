/** Who gets which live events: the same rights as for the lists (ROLE-11). */
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { isAdminLevel, isManagerLevel } from '@trunkline/contract/roles'
import type { HostRecord } from '../hosts/host-record.ts'
import type { KnownProgram } from '../programs/wanted-program.ts'
import type { ObjectNotice } from '../notices.ts'
import type { Actor } from '../security/actor.ts'

export function maySeeProgram(
  actor: Actor,
  wanted: Pick<KnownProgram, 'kind' | 'groupId' | 'editorIds'>,
): boolean {
  if (isAdminLevel(actor.role)) return true
  if (CONTRIBUTIONS.has(wanted.kind) && !isManagerLevel(actor.role)) return false
  return maySeeEncoderOrLink(actor, wanted.groupId, wanted.editorIds)
}

const CONTRIBUTIONS: ReadonlySet<ProgramKind> = new Set(['input', 'output'])

/** Editors see the encoders they are assigned to, across groups (Q32); the others their groups'. */
function maySeeEncoderOrLink(actor: Actor, groupId: string, editorIds: readonly string[]): boolean {
  if (actor.role === 'editor') return editorIds.includes(actor.id)
  return actor.groupIds.includes(groupId)
}

export function maySeeHost(actor: Actor, record: HostRecord): boolean {
  if (isAdminLevel(actor.role)) return true
  if (record.kind === 'encoder' && actor.role === 'editor')
    return record.editorIds.includes(actor.id)
  return shareGroup(actor, record.groupIds)
}

export function maySeeStream(actor: Actor, groupIds: readonly string[]): boolean {
  return isAdminLevel(actor.role) || shareGroup(actor, groupIds)
}

const MANAGERS_ONLY: ReadonlySet<ObjectNotice['kind']> = new Set(['input', 'output', 'destination'])

/** An editor hears of every encoder of their groups: being assigned or not is itself such news. */
export function maySeeNotice(actor: Actor, notice: ObjectNotice): boolean {
  if (isAdminLevel(actor.role)) return true
  if (notice.kind === 'notificationRule') return false
  if (MANAGERS_ONLY.has(notice.kind) && !isManagerLevel(actor.role)) return false
  if (notice.kind === 'encoderTemplate') return maySeeTemplate(actor, notice.groupIds)
  return shareGroup(actor, notice.groupIds) || (notice.kind === 'user' && notice.id === actor.id)
}

/** A template of all groups has '' for its group. */
function maySeeTemplate(actor: Actor, groupIds: readonly string[]): boolean {
  if (!mayDo(actor.role, 'seeTemplates')) return false
  return groupIds.includes('') || shareGroup(actor, groupIds)
}

function shareGroup(actor: Actor, groupIds: readonly string[]): boolean {
  return groupIds.some((id) => actor.groupIds.includes(id))
}
