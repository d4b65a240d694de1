/** Adding, renaming and removing a passkey of the own account. */
import { useQueryClient } from '@tanstack/react-query'
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from '@trunkline/contract/users/passkey.calls'
import type { Passkey } from '@trunkline/contract/users/second-factor.calls'
import { call } from '../../lib/call.ts'
import { showToast } from '../../lib/toast.ts'
import { createPasskey } from '../../shared/passkeys/passkeys.ts'
import { PASSKEY_ADDED, PASSKEY_REMOVED, PASSKEY_RENAMED } from '../user.messages.ts'
import { secondFactorKey } from '../user.queries.ts'

/** @returns adds it, and answers new recovery codes or null; throws ApiError, also for the browser */
export function useAddPasskey(userId: string) {
  const client = useQueryClient()
  return async (name: string, currentPassword: string): Promise<readonly string[] | null> => {
    const { creation } = await call(beginPasskey, { body: { currentPassword } })
    const credential = await createPasskey(creation)
    const body = { challenge: creation.challenge, name, credential }
    const { recoveryCodes } = await call(addPasskey, { body })
    const reread = client.invalidateQueries({ queryKey: secondFactorKey(userId) })
    // The codes are not shown again: they wait for nothing.
    if (recoveryCodes !== null) return recoveryCodes
    showToast('success', PASSKEY_ADDED, name)
    await reread
    return null
  }
}

/** @returns renames it and says so; throws ApiError */
export function useRenamePasskey(userId: string) {
  const client = useQueryClient()
  return async ({ id }: Passkey, name: string): Promise<void> => {
    await call(renamePasskey, { body: { passkeyId: id, name } })
    showToast('success', PASSKEY_RENAMED, name)
    await client.invalidateQueries({ queryKey: secondFactorKey(userId) })
  }
}

/** @returns removes it and says so; throws ApiError for a wrong password */
export function useRemovePasskey(userId: string) {
  const client = useQueryClient()
  return async ({ id, name }: Passkey, currentPassword: string): Promise<void> => {
    await call(removePasskey, { body: { passkeyId: id, currentPassword } })
    showToast('success', PASSKEY_REMOVED, name)
    await client.invalidateQueries({ queryKey: secondFactorKey(userId) })
  }
}
