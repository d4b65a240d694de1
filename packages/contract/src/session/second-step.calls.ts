/** The second step of a sign-in: apart from `login`, as most people never take it. */
import { z } from 'zod'
import { route } from '../route.ts'
import { CredentialAnswer, NewCredential, PasskeyName } from '../users/passkey.schema.ts'
import { FactorCode } from '../users/second-factor.schema.ts'
import { SessionReply } from './session.calls.ts'

/**
 * Ends a sign-in to an account with a second factor: there `login` answers 401 with the code
 * 'second_factor' and the challenge. 422 for a wrong code, 401 for a challenge that is over.
 */
export const secondStep = route({
  name: 'session.secondStep',
  method: 'POST',
  path: '/api/users/loginCode',
  action: 'anyone',
  body: z.strictObject({ challenge: z.string().max(100), code: FactorCode }),
  reply: SessionReply,
})

/**
 * Ends such a sign-in by a passkey of the account: the challenge is what it signs. 422 for one that is
 * not of this account or did not sign it here, 401 for a challenge that is over.
 */
export const passkeyStep = route({
  name: 'session.passkeyStep',
  method: 'POST',
  path: '/api/users/loginPasskey',
  action: 'anyone',
  body: z.strictObject({ challenge: z.string().max(100), credential: CredentialAnswer }),
  reply: SessionReply,
})

const SetUpReply = SessionReply.extend({
  /** Each takes the place of a code once. Answered this once. */
  recoveryCodes: z.array(z.string()),
})

/**
 * Turns the app on and ends a sign-in to an account that needs a second factor and has none: there
 * the failure of `login` has `setUp`. 422 for a wrong code, 401 for a challenge that is over.
 */
export const setUpStep = route({
  name: 'session.setUpStep',
  method: 'POST',
  path: '/api/users/loginSetUp',
  action: 'anyone',
  body: z.strictObject({ challenge: z.string().max(100), code: FactorCode }),
  reply: SetUpReply,
})

/**
 * Adds a passkey and ends such a sign-in: `setUp.passkey` is what the browser makes it from. 422 for
 * what it did not make for this challenge here, 401 for a challenge that is over.
 */
export const passkeySetUpStep = route({
  name: 'session.passkeySetUpStep',
  method: 'POST',
  path: '/api/users/loginSetUpPasskey',
  action: 'anyone',
  body: z.strictObject({
    challenge: z.string().max(100),
    name: PasskeyName,
    credential: NewCredential,
  }),
  reply: SetUpReply,
})
