/** What ends a sign-in that asks for more than the password. Loaded with the step. */
import { passkeyStep, secondStep, setUpStep } from '@trunkline/contract/session/second-step.calls'
import type { PasskeyRequest } from '@trunkline/contract/users/passkey.schema'
import { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import { call } from '../lib/call.ts'
import { beginSession } from '../lib/session.ts'
import { storage } from '../lib/storage.ts'

/** Of a refused sign-in: what is asked for; undefined when it is nothing that this console knows. */
export function readAsked(secondFactor: unknown): SecondFactorAsked | undefined {
  return SecondFactorAsked.safeParse(secondFactor).data
}

/** @throws ApiError: 422 for a wrong code, 401 when the challenge is over */
export async function enterCode(challenge: string, code: string): Promise<void> {
  const { user, token } = await call(secondStep, { body: { challenge, code } })
  beginSession(user, token)
  storage.providerSignOut.clear()
}

export interface SetUpDone {
  /** Shown once. */
  recoveryCodes: readonly string[]
  /** Opens the console: the session is there already. */
  begin: () => void
}

/** @throws ApiError: 422 for a wrong code, 401 when the challenge is over */
export async function enterSetUp(challenge: string, code: string): Promise<SetUpDone> {
  const { user, token, recoveryCodes } = await call(setUpStep, { body: { challenge, code } })
  return {
    recoveryCodes,
    begin: () => {
      beginSession(user, token)
      storage.providerSignOut.clear()
    },
  }
}

/**
 * Asks the browser for a passkey of the account, which may take a minute.
 * @throws ApiError: 422 when it is not accepted, 401 when the challenge is over, 0 for the browser
 */
export async function enterPasskey(request: PasskeyRequest): Promise<void> {
  const { answerByPasskey } = await import('../shared/passkeys/passkeys.ts')
  const credential = await answerByPasskey(request)
  const body = { challenge: request.challenge, credential }
  const { user, token } = await call(passkeyStep, { body })
  beginSession(user, token)
  storage.providerSignOut.clear()
}
