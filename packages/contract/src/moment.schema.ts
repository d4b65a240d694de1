import { z } from 'zod'

/**
 * A moment in ISO 8601 UTC, such as 2026-11-20T08:00:00Z; with milliseconds once it is read, as what is
 * stored has them. '' for any.
 */
export const Moment = z
  .union([
    z.iso
      .datetime('must be a time such as 2026-11-20T08:00:00Z.')
      .transform((typed) => new Date(typed).toISOString()),
    z.literal(''),
  ])
  .default('')
