import { z } from 'zod'
import { route } from '../route.ts'
import { Credentials, SessionUser, WebAddress } from './session.schema.ts'
import { success } from '../reply.schema.ts'

export const SessionReply = success({ user: SessionUser, token: z.string() })

export const login = route({
  name: 'session.login',
  method: 'POST',
  path: '/api/users/login',
  action: 'anyone',
  body: Credentials,
  reply: SessionReply,
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
  reply: success({
    /** Where the session at the sign-in provider is ended that it came by, without a question; null: there is none. */
    signOutUrl: WebAddress.nullable(),
  }),
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
  reply: success({}),
})
