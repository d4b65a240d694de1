/** Who may touch a template that they see: one of all groups is an admin's to change. */
import { isAdminLevel } from '@trunkline/contract/roles'
import { forbidden } from '../../errors.ts'
import { groupScope, type Actor, type GroupScope } from '../../security/actor.ts'

/** Those of all groups are seen by everybody who may see templates at all. */
export function templateScope(actor: Actor): GroupScope {
  const scope = groupScope(actor)
  return scope === 'all' ? scope : [...scope, '']
}

/** `groupId`: '' for all groups. */
export function assertMayChange(actor: Actor, groupId: string): void {
  if (groupId !== '' || isAdminLevel(actor.role)) return
  throw forbidden(
    'Only an admin may save or change a template of all groups. Save one for a group of yours, or ask an admin.',
  )
}
