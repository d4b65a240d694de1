/** What ends a sign-in that asks for more than the password. Loaded with the step. */
import type { AnswerOf } from '@trunkline/contract/route'
import {
  passkeySetUpStep,
  passkeyStep,
  secondStep,
  setUpStep,
} from '@trunkline/contract/session/second-step.calls'
import type { PasskeyCreation, PasskeyRequest } from '@trunkline/contract/users/passkey.schema'
import { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import { call } from '../lib/call.ts'
import { beginSession } from '../lib/session.ts'
import { forgetSignOutUrl } from './provider-sign-out.ts'

/** Of a refused sign-in: what is asked for; undefined when it is nothing that this console knows. */
export function readAsked(secondFactor: unknown): SecondFactorAsked | undefined {
  return SecondFactorAsked.safeParse(secondFactor).data
}

/** @throws ApiError: 422 for a wrong code, 401 when the challenge is over */
export async function enterCode(challenge: string, code: string): Promise<void> {
  begin(await call(secondStep, { body: { challenge, code } }))
}

export interface SetUpDone {
  /** Shown once. */
  recoveryCodes: readonly string[]
  /** Opens the console: the session is there already. */
  begin: () => void
}

/** @throws ApiError: 422 for a wrong code, 401 when the challenge is over */
export async function enterSetUp(challenge: string, code: string): Promise<SetUpDone> {
  return setUpBy(await call(setUpStep, { body: { challenge, code } }))
}

/**
 * Asks the browser to make a passkey, which may take a minute.
 * @throws ApiError: 422 when it is not accepted, 401 when the challenge is over, 0 for the browser
 */
export async function enterNewPasskey(creation: PasskeyCreation, name: string): Promise<SetUpDone> {
  const { createPasskey } = await import('../shared/passkeys/passkeys.ts')
  const credential = await createPasskey(creation)
  const body = { challenge: creation.challenge, name, credential }
  return setUpBy(await call(passkeySetUpStep, { body }))
}

function setUpBy(answer: AnswerOf<typeof setUpStep>): SetUpDone {
  return { recoveryCodes: answer.recoveryCodes, begin: () => begin(answer) }
}

/**
 * Asks the browser for a passkey of the account, which may take a minute.
 * @throws ApiError: 422 when it is not accepted, 401 when the challenge is over, 0 for the browser
 */
export async function enterPasskey(request: PasskeyRequest): Promise<void> {
  const { answerByPasskey } = await import('../shared/passkeys/passkeys.ts')
  const credential = await answerByPasskey(request)
  const body = { challenge: request.challenge, credential }
  begin(await call(passkeyStep, { body }))
}

function begin({ user, token }: AnswerOf<typeof secondStep>): void {
  beginSession(user, token)
  forgetSignOutUrl()
}
