/** What SRT and RIST links share: modes, encryption, advanced parameters by name. */
import { z } from 'zod'
import { ProgramState } from '../program-state.ts'
import { Id, numberChoice, Passphrase, RemotePort, Title, unlessEmpty } from '../text.schema.ts'
import { SRT_ADVANCED_KEYS, srtParameterFault } from './srt-parameter.rules.ts'
import { Sentence } from '../sentence.schema.ts'
import { success } from '../reply.schema.ts'

const LINK_MODES = ['Listen', 'Push'] as const
export const LinkMode = z.enum(LINK_MODES)
export type LinkMode = z.infer<typeof LinkMode>

/** RIST profile numbers as the wire has them (IN-FORM-09); the tool counts one lower (Q170). */
export const RIST_MAIN = 2
export const RIST_SIMPLE = 1

/** Size of a key. */
export const KeyBits = numberChoice([128, 256], 'must be 128 or 256.')

/**
 * `passphrase` is write-only (decisions.md 17): empty in every reply, with `passphraseSet` beside
 * it. On save empty keeps the stored one; selection 'no' clears it.
 */
export const Encryption = z.strictObject({
  selection: z.enum(['yes', 'no']).default('no'),
  passphrase: z.union([z.literal(''), Passphrase]).default(''),
  type: unlessEmpty(KeyBits.default(128)),
  passphraseSet: z.boolean().optional(),
})
export type Encryption = z.output<typeof Encryption>

/** SRT only: a key out of the table, and a value within its limits. */
export const AdvancedParameter = z
  .strictObject({
    key: z.string().trim().toLowerCase().pipe(z.enum(SRT_ADVANCED_KEYS, 'cannot be set here.')),
    value: z
      .string()
      .trim()
      .regex(
        /^[A-Za-z0-9._~:,/#!=+-]{1,200}$/,
        'must be 1 to 200 characters: letters, digits and . _ ~ : , / # ! = + -',
      ),
  })
  .superRefine(({ key, value }, context) => {
    const fault = srtParameterFault(key, value)
    if (fault !== null) context.addIssue({ code: 'custom', path: ['value'], message: fault })
  })
export const AdvancedParameters = z
  .array(AdvancedParameter)
  .max(32)
  .refine(
    (list) => new Set(list.map((item) => item.key)).size === list.length,
    'must name each key once.',
  )
export type AdvancedParameter = z.output<typeof AdvancedParameter>

/** Of a copy of an input or output: what differs from the original. */
export const LinkCopy = z.strictObject({
  title: Title,
  /** Absent: a free one where the copy listens, that of the original where it calls. */
  port: unlessEmpty(RemotePort.optional()),
})
export type LinkCopy = z.output<typeof LinkCopy>

/** Most objects that one call changes. */
export const BULK_LIMIT = 1000
/** Inputs and outputs are named by `name` or by id, in any mixture (Q137). */
export const LinkNames = z.array(z.string().min(1).max(160)).min(1).max(BULK_LIMIT)
/** One of several that stayed as it was, and why: a whole sentence. */
export const LinkFailure = z.object({ name: z.string(), error: Sentence })
export type LinkFailure = z.infer<typeof LinkFailure>

export const BulkStatusReply = success({
  msg: z.string(),
  updated: z.number(),
  failed: z.array(LinkFailure),
})

/** What an action of several asks of each: whether it is enabled, runs nothing of its own, or is in which state. */
export const MatchedState = z.enum([...ProgramState.options, 'disabled', 'local'])
export type MatchedState = z.infer<typeof MatchedState>

/**
 * Of all that match a filter, on whatever page, ids and names alone, by state; no more than a list of 'all'
 * has. `total`: of all that match.
 */
export const MatchingLinks = z.object({
  total: z.number(),
  states: z.array(
    z.object({
      state: MatchedState,
      ids: z.array(Id),
      /** In the order of the ids: what a bulk call answers with. */
      names: z.array(z.string()),
      /** How many outputs each input has, in the order of the ids; empty of outputs. */
      outputs: z.array(z.number()),
    }),
  ),
})
export type MatchingLinks = z.infer<typeof MatchingLinks>
