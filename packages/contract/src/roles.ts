/** The five roles and what follows from a role alone; who may do what is the role table's. */
export const ROLES = ['superadmin', 'admin', 'manager', 'editor', 'monitor'] as const
export type Role = (typeof ROLES)[number]

const ADMIN_LEVEL: readonly Role[] = ['superadmin', 'admin']
const MANAGER_LEVEL: readonly Role[] = ['superadmin', 'admin', 'manager']

/** AUTH-22: an unknown or missing name is no role at all and gets no privileged control. */
export function roleFromName(name: unknown): Role | null {
  return ROLES.find((role) => role === name) ?? null
}

export function isAdminLevel(role: Role | null): boolean {
  return role !== null && ADMIN_LEVEL.includes(role)
}

export function isManagerLevel(role: Role | null): boolean {
  return role !== null && MANAGER_LEVEL.includes(role)
}

export function mayCall(role: Role | null, call: { may: 'anyone' | readonly Role[] }): boolean {
  return call.may === 'anyone' || (role !== null && call.may.includes(role))
}

export const NOT_AUTHORIZED = 'You are not authorized to perform this action!'
