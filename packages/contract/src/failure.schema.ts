/** The one body of every failing call. `error` and `msg` carry the same sentence (Q184). */
import { z } from 'zod'
import { Sentence } from './sentence.schema.ts'

export const FailureCode = z.enum([
  'invalid',
  'unauthenticated',
  'second_factor',
  'forbidden',
  'not_found',
  'conflict',
  'on_air',
  'refused',
  'too_large',
  'too_many',
  'host_unreachable',
  'host_timeout',
  'unavailable',
  'internal',
])
export type FailureCode = z.infer<typeof FailureCode>

export const FailureIssue = z.object({ field: z.string(), message: Sentence })
export type FailureIssue = z.infer<typeof FailureIssue>

export const Failure = z.object({
  status: z.literal(false),
  error: Sentence,
  msg: z.string(),
  code: FailureCode.optional(),
  /** Dotted path of the first field at fault, where there is one. */
  field: z.string().optional(),
  issues: z.array(FailureIssue).optional(),
  /** On a version conflict: the object as it is now, and which fields the other operator changed. */
  current: z.unknown().optional(),
  changed: z.array(z.string()).optional(),
  /** On a version conflict: the name of who has saved it; absent where that is not known. */
  savedBy: z.string().optional(),
  /** Of several objects, each that was refused, and why. */
  failed: z.array(z.object({ name: z.string(), error: Sentence })).optional(),
  /** With the code 'on_air': an OnAirRefusal, what is on air and would be interrupted. */
  onAir: z.unknown().optional(),
  /** With the code 'second_factor': a SecondFactorAsked, the challenge of the second step. */
  secondFactor: z.unknown().optional(),
})
export type Failure = z.infer<typeof Failure>
