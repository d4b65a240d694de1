import { z } from 'zod'

/** Six digits of the app, or a recovery code; people type both with spaces or hyphens between. */
export const FactorCode = z
  .string()
  .max(64, 'must be at most 64 characters long.')
  .transform((text) => text.replaceAll(/[\s-]/g, '').toLowerCase())
  .pipe(z.string().min(1, 'must not be empty.'))

/** Of a failure with the code 'second_factor': the password was right, and a code is asked for. */
export const SecondFactorAsked = z.object({
  /** For `secondStep`, once and within five minutes. It opens nothing else. */
  challenge: z.string(),
})
export type SecondFactorAsked = z.infer<typeof SecondFactorAsked>
