/** TOTP (RFC 6238) as a second factor of an account: on, off, and reset by somebody else (ADR 0066). */
import { z } from 'zod'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import { FactorCode } from './second-factor.schema.ts'

const OwnPassword = z.string().min(1, 'must not be empty.').max(1024)
const Done = z.object({ status: z.literal(true) })

/** Oneself; of others those whom the caller may change. */
export const readSecondFactor = route({
  name: 'users.secondFactor',
  method: 'GET',
  path: '/api/users/secondFactor/:id',
  action: 'endOwnSession',
  params: z.object({ id: Id }),
  reply: z.object({
    status: z.literal(true),
    data: z.object({
      /** Whether sign-in asks for a code. */
      isOn: z.boolean(),
      /** ISO; null while it is off. */
      since: z.string().nullable(),
      /** Not used yet. */
      recoveryCodesLeft: z.number(),
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
  reply: z.object({
    status: z.literal(true),
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
  reply: z.object({
    status: z.literal(true),
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

/** Of somebody else, who has lost app and recovery codes. */
export const resetSecondFactor = route({
  name: 'users.resetSecondFactor',
  method: 'DELETE',
  path: '/api/users/secondFactor/:id',
  action: 'editUser',
  params: z.object({ id: Id }),
  reply: Done,
})
