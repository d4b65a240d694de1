/** Sign-in by an OpenID Connect provider of the site, beside e-mail and password (ADR 0069). */
import { z } from 'zod'
import { route } from '../route.ts'
import { SessionReply } from './session.calls.ts'
import { WebAddress } from './session.schema.ts'
import { success } from '../reply.schema.ts'

/** How people sign in here; for the sign-in page. */
export const signInWays = route({
  name: 'session.ways',
  method: 'GET',
  path: '/api/users/signInWays',
  action: 'anyone',
  reply: success({
    /** Null: by e-mail and password alone. `name` is what the button says: 'Sign in with <name>'. */
    provider: z.object({ name: z.string() }).nullable(),
  }),
})

/** 503 while the provider is away. */
export const beginOidc = route({
  name: 'session.beginOidc',
  method: 'POST',
  path: '/api/users/oidc/begin',
  action: 'anyone',
  body: z
    .strictObject({
      /** The provider asks for the password, or whatever it has, also of somebody who is signed in there. */
      again: z.boolean().default(false),
    })
    .prefault({}),
  reply: success({
    /** Of the provider: the browser goes there, and comes back to the sign-in page. */
    url: WebAddress,
    /** Kept by the browser that began, and sent to `endOidc`: no other browser ends this sign-in. */
    binding: z.string(),
  }),
})

/** Once per `beginOidc`, within ten minutes. 401 with cause and fix for whatever cannot sign in. */
export const endOidc = route({
  name: 'session.endOidc',
  method: 'POST',
  path: '/api/users/oidc/end',
  action: 'anyone',
  body: z.strictObject({
    /** What the provider added to the address of the sign-in page: 'code=…&state=…'. */
    answer: z.string().max(8000),
    binding: z.string().max(100),
  }),
  reply: SessionReply.extend({
    /** Where the session at the provider is ended, which may ask first; null when it names no such page. */
    signOutUrl: WebAddress.nullable(),
  }),
})
