import { z } from 'zod'
import { ObjectKind } from '../fleet/fleet.schema.ts'
import { RoleName } from '../session/session.schema.ts'
import { CommandSentence } from '../sentence.schema.ts'

export const AUDIT_RESULTS = ['done', 'refused', 'failed'] as const
export const AuditResult = z.enum(AUDIT_RESULTS)
export type AuditResult = z.infer<typeof AuditResult>

/** One line of the record of activity: who did what, to what, from where, with which result. */
export const AuditEntry = z.object({
  _id: z.string(),
  id: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** Null: nobody was signed in, or the product or its command line did it. */
  actor: z.object({ _id: z.string(), fullName: z.string(), role: RoleName.nullable() }).nullable(),
  /** Title of the API token that it was done with; '' without one. */
  token: z.string(),
  /** Where it came from; '' for the product itself. */
  ip: z.string(),
  /** The call's name, such as 'encoders.update'. */
  call: z.string(),
  object: z
    .object({
      kind: ObjectKind,
      _id: z.string(),
      /** As it was called then; '' when unknown. */ title: z.string(),
    })
    .nullable(),
  result: AuditResult,
  /** Why it was refused or failed, or what was asked. */
  reason: CommandSentence,
  /** The object before and after, without secrets; null where there is none. */
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.infer<typeof AuditEntry>
