/** Turning on and off the own second factor, and resetting that of somebody else. */
import { useQueryClient } from '@tanstack/react-query'
import {
  beginSecondFactor,
  confirmSecondFactor,
  resetSecondFactor,
  turnOffSecondFactor,
} from '@trunkline/contract/users/second-factor.calls'
import type { AnswerOf } from '@trunkline/contract/route'
import type { User } from '@trunkline/contract/users/user.schema'
import { call } from '../../lib/call.ts'
import { useConfirmedCall } from '../../lib/confirmed-call.hook.ts'
import { showToast } from '../../lib/toast.ts'
import {
  FACTOR_RESET,
  RESET_FAILED,
  resetFactorSentences,
  TURNED_OFF,
  TURNED_OFF_MORE,
} from '../user.messages.ts'
import { secondFactorKey } from '../user.queries.ts'

/** Secret and otpauth address, to be shown once. */
export type BegunFactor = Pick<AnswerOf<typeof beginSecondFactor>, 'secret' | 'uri'>

/** @throws ApiError when the password is wrong, or it is on already */
export async function beginFactor(currentPassword: string): Promise<BegunFactor> {
  return call(beginSecondFactor, { body: { currentPassword } })
}

/** @returns turns it on and answers the recovery codes; throws ApiError for a wrong code */
export function useConfirmFactor(userId: string) {
  const client = useQueryClient()
  return async (code: string): Promise<readonly string[]> => {
    const { recoveryCodes } = await call(confirmSecondFactor, { body: { code } })
    void client.invalidateQueries({ queryKey: secondFactorKey(userId) })
    return recoveryCodes
  }
}

/** @returns turns it off and says so; throws ApiError for a wrong password or code */
export function useTurnOffFactor(userId: string) {
  const client = useQueryClient()
  return async (currentPassword: string, code: string): Promise<void> => {
    await call(turnOffSecondFactor, { body: { currentPassword, code } })
    showToast('success', TURNED_OFF, TURNED_OFF_MORE)
    await client.invalidateQueries({ queryKey: secondFactorKey(userId) })
  }
}

/** @returns asks, resets, and says how it went; never throws */
export function useResetFactor(user: User) {
  const confirmed = useConfirmedCall(
    ['secondFactor', 'reset', user._id],
    (client) => void client.invalidateQueries({ queryKey: secondFactorKey(user._id) }),
  )
  return async (): Promise<void> =>
    confirmed({
      sentences: resetFactorSentences(user),
      doLabel: 'Reset second factor',
      keepLabel: 'Keep second factor',
      interrupts: null,
      send: async () => call(resetSecondFactor, { params: { id: user._id } }),
      done: FACTOR_RESET,
      failed: RESET_FAILED,
      title: user.fullName,
    })
}
