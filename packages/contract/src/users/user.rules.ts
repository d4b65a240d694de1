/** Who may do what to whom: the rules of people, decided from two roles and the groups they share. */
import { mayDo } from '../role-table.ts'
import { isAdminLevel, ROLES, type Role } from '../roles.ts'

/** What the rules need to know of the one who acts. */
export interface Acting {
  readonly id: string
  readonly role: Role
  readonly groupIds: readonly string[]
}

/** What they need to know of the one acted upon. */
export interface ActedUpon {
  readonly id: string
  readonly role: Role
  /** That they belong to or manage; to the console only those that the viewer shares. */
  readonly groupIds: readonly string[]
  /** See `hasGroupBeyond`; the console gets it from the API, which knows every group. */
  readonly hasGroupBeyond: boolean
}

const GRANTABLE: Readonly<Record<Role, readonly Role[]>> = {
  superadmin: ROLES,
  admin: ['admin', 'manager'],
  manager: ['editor', 'monitor'],
  editor: [],
  monitor: [],
}

/** Who may make whom (Q22, Q24), in a stable order: editor first for a manager (Q25). */
export function grantableRoles(granter: Role): readonly Role[] {
  return GRANTABLE[granter]
}

/** What the role selector offers of what getRoles delivered: a superadmin's leaves out monitor and editor (USER-21). */
export function offeredRoles(viewer: Role, delivered: readonly Role[]): readonly Role[] {
  const isLeftOut = (role: Role) =>
    isAdminLevel(viewer) && (role === 'monitor' || role === 'editor')
  return delivered.filter((role) => !isLeftOut(role))
}

/** Superadmins and admins see every group, so they belong to none. */
export function belongsToGroups(role: Role): boolean {
  return !isAdminLevel(role)
}

/** Row S: superadmins see all, admins all but superadmins, the others whom they share a group with. */
export function seesUser(actor: Acting, user: ActedUpon): boolean {
  if (user.id === actor.id || actor.role === 'superadmin') return true
  if (actor.role === 'admin') return user.role !== 'superadmin'
  return user.groupIds.some((id) => actor.groupIds.includes(id))
}

/**
 * Whether somebody reaches a group that this manager does not have. A manager who set the password of
 * such a person could sign in as them and be in that group too. `everyGroupId`: the groups they belong
 * to or manage, and those of the encoders assigned to them, since an assignment reaches across groups
 * (Q32). False for all other roles: superadmins and admins have every group, the rest change nobody.
 */
export function hasGroupBeyond(
  actor: Pick<Acting, 'role' | 'groupIds'>,
  everyGroupId: readonly string[],
): boolean {
  return actor.role === 'manager' && everyGroupId.some((id) => !actor.groupIds.includes(id))
}

/** Rows V and W. A manager's rows of managers are read-only (Q27). */
export function mayEditUser(actor: Acting, user: ActedUpon): boolean {
  if (user.id === actor.id) return true
  return mayDo(actor.role, 'editUser') && isBelow(actor, user)
}

/** Row U; nobody deletes oneself. */
export function mayRemoveUser(actor: Acting, user: ActedUpon): boolean {
  if (user.id === actor.id) return false
  return mayDo(actor.role, 'removeUser') && isBelow(actor, user)
}

function isBelow(actor: Acting, user: ActedUpon): boolean {
  if (!seesUser(actor, user)) return false
  return actor.role !== 'manager' || (isMember(user.role) && !user.hasGroupBeyond)
}

/** Whether a manager may not edit or delete this user only because of another group. */
export function isSharedBeyond(actor: Acting, user: ActedUpon): boolean {
  return actor.role === 'manager' && isMember(user.role) && user.hasGroupBeyond
}

function isMember(role: Role): boolean {
  return role === 'editor' || role === 'monitor'
}

/** Rows X and Y: USER-19, USER-20. */
export function mayChooseRole(actor: Acting, user: ActedUpon): boolean {
  return user.id !== actor.id && mayDo(actor.role, 'giveRole') && mayEditUser(actor, user)
}

/** Row Z: USER-25. */
export function mayChooseGroup(actor: Pick<Acting, 'role'>, role: Role): boolean {
  return mayDo(actor.role, 'chooseUserGroup') && role === 'manager'
}

/** Rows AA and AB: USER-07. */
export function mayAddToGroup(actor: Acting, user: ActedUpon): boolean {
  return isMember(user.role) && mayDo(actor.role, 'addToGroup') && seesUser(actor, user)
}

/** Whom somebody may take out of a group of theirs, also people who reach groups beyond it. */
export function mayRemoveFromGroup(actor: Acting, user: ActedUpon): boolean {
  return isMember(user.role) && mayDo(actor.role, 'removeFromGroup') && seesUser(actor, user)
}
