/** Whose programs are counted for somebody: the same right of sight as `maySeeProgram`. */
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { isAdminLevel, isManagerLevel } from '@trunkline/contract/roles'
import type { Actor } from '../../security/actor.ts'
import type { Reader } from './family-index.ts'

/** Null: this role sees none of that kind. */
export function readerOf(actor: Actor, kind: ProgramKind): Reader | null {
  if (isAdminLevel(actor.role)) return { by: 'all' }
  const isContribution = kind === 'input' || kind === 'output'
  if (isContribution && !isManagerLevel(actor.role)) return null
  if (actor.role === 'editor') return { by: 'editor', userId: actor.id }
  return readerByGroups(actor)
}

/** Of servers and streams. */
export function readerByGroups(actor: Actor): Reader {
  if (isAdminLevel(actor.role)) return { by: 'all' }
  return { by: 'groups', groupIds: actor.groupIds }
}

/** Alike for people who see the same. */
export function visibleTo(actor: Actor): string {
  if (isAdminLevel(actor.role)) return 'all'
  const groups = actor.groupIds.join(' ')
  if (actor.role === 'editor') return `editor ${actor.id} ${groups}`
  return `${isManagerLevel(actor.role) ? 'manager' : 'monitor'} ${groups}`
}
