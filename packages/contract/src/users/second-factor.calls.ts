/** TOTP (RFC 6238) as a second factor of an account: on, off, and reset by somebody else (ADR 0066). Passkeys: passkey.calls.ts. */
import { z } from 'zod'
import { ById } from '../by-id.ts'
import { route } from '../route.ts'
import { Sentence } from '../sentence.schema.ts'
import { FactorCode, OwnPassword } from './second-factor.schema.ts'
import { success } from '../reply.schema.ts'

const Done = success({})

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** ISO. */
  createdAt: z.string(),
  /** ISO; null before its first sign-in. */
  lastUsedAt: z.string().nullable(),
  /** Where browsers use it: the name in the address of the console when it was added. */
  site: z.string(),
})
export type Passkey = z.infer<typeof Passkey>

/** Oneself; of others those whom the caller may change. */
export const readSecondFactor = route({
  name: 'users.secondFactor',
  method: 'GET',
  path: '/api/users/secondFactor/:id',
  action: 'endOwnSession',
  params: ById,
  reply: success({
    data: z.object({
      /** Whether sign-in asks for a code of an app. */
      isOn: z.boolean(),
      /** ISO; null while it is off. */
      since: z.string().nullable(),
      /** Not used yet. */
      recoveryCodesLeft: z.number(),
      /** In the order in which they were added. */
      passkeys: z.array(Passkey),
      /** Why none can be added at this address of the console; null where one can. */
      passkeysRefused: Sentence.nullable(),
    }),
  }),
})

/** A new secret of the caller's account. It counts once `confirmSecondFactor` has had a code of it. */
export const beginSecondFactor = route({
  name: 'users.beginSecondFactor',
  method: 'POST',
  path: '/api/users/secondFactor/begin',
  action: 'endOwnSession',
  body: z.strictObject({ currentPassword: OwnPassword }),
  reply: success({
    /** In base32, to be typed into an app. Answered this once. */
    secret: z.string(),
    /** An otpauth:// address, to be shown as a QR code. */
    uri: z.string(),
  }),
})

export const confirmSecondFactor = route({
  name: 'users.confirmSecondFactor',
  method: 'POST',
  path: '/api/users/secondFactor/confirm',
  action: 'endOwnSession',
  body: z.strictObject({ code: FactorCode }),
  reply: success({
    /** Each takes the place of a code once. Answered this once; the API keeps their SHA-256. */
    recoveryCodes: z.array(z.string()),
  }),
})

/** `code`: of the app, or a recovery code. */
export const turnOffSecondFactor = route({
  name: 'users.turnOffSecondFactor',
  method: 'POST',
  path: '/api/users/secondFactor/turnOff',
  action: 'endOwnSession',
  body: z.strictObject({ currentPassword: OwnPassword, code: FactorCode }),
  reply: Done,
})

/** Of somebody else, who has lost app, passkeys and recovery codes: all of them go. */
export const resetSecondFactor = route({
  name: 'users.resetSecondFactor',
  method: 'DELETE',
  path: '/api/users/secondFactor/:id',
  action: 'editUser',
  params: ById,
  reply: Done,
})
