import { useQuery } from '@tanstack/react-query'
import type { Role } from '@trunkline/contract/roles'
import { offeredRoles } from '@trunkline/contract/users/user.rules'
import { rolesQuery } from '../user.queries.ts'
import { ROLES_FAILED } from '../user.messages.ts'

/** USER-18 to USER-23: what the role selector offers that viewer, and why it offers nothing. */
export function useOfferedRoles(viewer: Role) {
  const { data, isError } = useQuery(rolesQuery())
  return {
    offered: offeredRoles(viewer, data?.map((item) => item.name) ?? []),
    trouble: isError && data === undefined ? ROLES_FAILED : '',
  }
}
