import { z } from 'zod'
import { PasskeyCreation, PasskeyRequest } from './passkey.schema.ts'

export const OwnPassword = z.string().min(1, 'must not be empty.').max(1024)

/** Six digits of the app, or a recovery code; people type both with spaces or hyphens between. */
export const FactorCode = z
  .string()
  .max(64, 'must be at most 64 characters long.')
  .transform((text) => text.replaceAll(/[\s-]/g, '').toLowerCase())
  .pipe(z.string().min(1, 'must not be empty.'))

/** Of a failure with the code 'second_factor': the password was right, and one more step is asked for. */
export const SecondFactorAsked = z.object({
  /** For `secondStep` or `passkeyStep`, once and within five minutes. It opens nothing else. */
  challenge: z.string(),
  /** Whether codes of an app are taken; recovery codes always are. */
  hasApp: z.boolean(),
  /** Null when the account has no passkey that works at this address. */
  passkey: PasskeyRequest.nullable(),
  /**
   * The account has no second factor and needs one: for `setUpStep` or `passkeySetUpStep`, in place of
   * the others. Else null.
   */
  setUp: z
    .object({
      /** In base32, to be typed into an app. */
      secret: z.string(),
      /** An otpauth:// address, to be shown as a QR code. */
      uri: z.string(),
      /** For a passkey in place of the app; null where none works, such as at an IP address. */
      passkey: PasskeyCreation.nullable(),
    })
    .nullable(),
})
export type SecondFactorAsked = z.infer<typeof SecondFactorAsked>
