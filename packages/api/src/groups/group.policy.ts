/** Whom a manager-level user may put into a group (matrix rows Z, AA and AB), and take out of one. */
import { isAdminLevel, type Role } from '@trunkline/contract/roles'
import {
  mayAddToGroup,
  mayChooseGroup,
  mayRemoveFromGroup,
  type ActedUpon,
} from '@trunkline/contract/users/user.rules'
import type { Actor } from '../security/actor.ts'

/** Editors and monitors; admin-level may also give a manager a group (USER-25). */
export function mayAddMember(actor: Actor, user: ActedUpon): boolean {
  return mayAddToGroup(actor, user) || mayChooseGroup(actor, user.role)
}

export function membersSentence(by: Role): string {
  return isAdminLevel(by)
    ? 'Superadmins and admins belong to no group: they see every one. Choose a manager, an editor or a monitor.'
    : 'You may add editors and monitors to a group. Choose one of them.'
}

/** Editors and monitors; admin-level also a manager who belongs to a group without managing it. */
export function mayRemoveMember(actor: Actor, user: ActedUpon): boolean {
  return mayRemoveFromGroup(actor, user) || mayChooseGroup(actor, user.role)
}

export function removalSentence(by: Role): string {
  return isAdminLevel(by)
    ? 'Superadmins and admins belong to no group. Choose a manager, an editor or a monitor.'
    : 'You may remove editors and monitors from a group. Choose one of them.'
}
