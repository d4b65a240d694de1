/** Reading and saving which roles need a second factor. */
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Role } from '@trunkline/contract/roles'
import {
  readRequiredFactor,
  saveRequiredFactor,
} from '@trunkline/contract/users/required-factor.calls'
import { call } from '../../lib/call.ts'
import { showToast } from '../../lib/toast.ts'
import { NOBODY, SAVED } from './required-factor.messages.ts'

/** With the version that a change is made from, so it is never taken from the cache. */
export function requiredFactorQuery() {
  return queryOptions({
    queryKey: ['user', 'required factor'],
    queryFn: async ({ signal }) => (await call(readRequiredFactor, { signal })).data,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
}

/** @returns saves and says so; throws ApiError */
export function useSaveRequired() {
  const client = useQueryClient()
  return async (roles: Role[], version: number | null): Promise<void> => {
    const body = version === null ? { roles } : { roles, version }
    await call(saveRequiredFactor, { body })
    showToast('success', SAVED, roles.length === 0 ? NOBODY : roles.join(', '))
    void client.invalidateQueries({ queryKey: requiredFactorQuery().queryKey })
  }
}
