import { z } from 'zod'
import { route } from '../route.ts'
import { CredentialAnswer } from '../users/passkey.schema.ts'
import { FactorCode } from '../users/second-factor.schema.ts'
import { Credentials, SessionUser } from './session.schema.ts'

export const SessionReply = z.object({
  status: z.literal(true),
  user: SessionUser,
  token: z.string(),
})

export const login = route({
  name: 'session.login',
  method: 'POST',
  path: '/api/users/login',
  action: 'anyone',
  body: Credentials,
  reply: SessionReply,
})

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
  reply: SessionReply.extend({
    /** Each takes the place of a code once. Answered this once. */
    recoveryCodes: z.array(z.string()),
  }),
})

/** Checks the session and slides it: the answer carries a fresh token (Q12). */
export const jwtLogin = route({
  name: 'session.check',
  method: 'POST',
  path: '/api/users/jwtLogin',
  action: 'signIn',
  reply: SessionReply,
})

/**
 * Ends the caller's session at the server: its token and every copy of it is refused from then on,
 * and its open live streams end. Other sessions of the account go on.
 */
export const signOut = route({
  name: 'session.signOut',
  method: 'POST',
  path: '/api/users/signOut',
  action: 'signIn',
  reply: z.object({ status: z.literal(true) }),
})

/**
 * Ends every session of the caller's account, on every machine, the caller's own included: open
 * browsers are notified at once, and every token given out before is refused from then on.
 */
export const signOutEverywhere = route({
  name: 'session.signOutEverywhere',
  method: 'POST',
  path: '/api/users/signOutEverywhere',
  action: 'signIn',
  reply: z.object({ status: z.literal(true) }),
})
