/** Passkeys (WebAuthn) as a second factor of the own account (ADR 0070). */
import { z } from 'zod'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import { NewCredential, PasskeyCreation, PasskeyName } from './passkey.schema.ts'
import { OwnPassword } from './second-factor.schema.ts'
import { success } from '../reply.schema.ts'

/** Options for the browser, with a challenge of one use that is over after five minutes. */
export const beginPasskey = route({
  name: 'users.beginPasskey',
  method: 'POST',
  path: '/api/users/passkeys/begin',
  action: 'endOwnSession',
  body: z.strictObject({ currentPassword: OwnPassword }),
  reply: success({ creation: PasskeyCreation }),
})

/** From then on sign-in asks for it. 422 for what the browser did not make for this challenge here. */
export const addPasskey = route({
  name: 'users.addPasskey',
  method: 'POST',
  path: '/api/users/passkeys/add',
  action: 'endOwnSession',
  body: z.strictObject({
    challenge: z.string().max(100),
    name: PasskeyName,
    credential: NewCredential,
  }),
  reply: success({
    /** Made when the account has none left; null while it has. Answered this once. */
    recoveryCodes: z.array(z.string()).nullable(),
  }),
})

/** Names need not differ, as those of API tokens need not: site, age and last use stand beside them. */
export const renamePasskey = route({
  name: 'users.renamePasskey',
  method: 'POST',
  path: '/api/users/passkeys/rename',
  action: 'endOwnSession',
  body: z.strictObject({ passkeyId: Id, name: PasskeyName }),
  reply: success({}),
})

export const removePasskey = route({
  name: 'users.removePasskey',
  method: 'POST',
  path: '/api/users/passkeys/remove',
  action: 'endOwnSession',
  body: z.strictObject({ passkeyId: Id, currentPassword: OwnPassword }),
  reply: success({}),
})
