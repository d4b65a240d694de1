import { z } from 'zod'
import { GroupRef, RoleName } from '../session/session.schema.ts'
import { Id, oneLine, wholeNumber } from '../text.schema.ts'
import { TOKEN_SCOPES } from './token-scope.rules.ts'

/** Secret scanners find tokens by it; a token is this and 48 hexadecimal digits. */
export const API_TOKEN_PREFIX = 'trk_'
const TOKEN_DAYS_AT_MOST = 365

const TokenScope = z.enum(TOKEN_SCOPES)

/** Editors see what they are assigned to, which a service is not; nobody gives superadmin. */
export const SERVICE_ROLES = ['admin', 'manager', 'monitor'] as const
export const ServiceRole = z.enum(SERVICE_ROLES)
export type ServiceRole = z.infer<typeof ServiceRole>

/** Of a person it does at most what they may do; a service has a role and groups of its own. */
const ApiTokenOwner = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person'), id: z.string(), fullName: z.string(), role: RoleName }),
  z.object({ kind: z.literal('service'), role: RoleName, groups: z.array(GroupRef) }),
])

/** Without the token itself, which is shown once and kept nowhere. */
export const ApiToken = z.object({
  id: z.string(),
  title: z.string(),
  scope: TokenScope,
  /** 'trk_1a2b': its first characters. */
  start: z.string(),
  owner: ApiTokenOwner,
  /** ISO, like the next two. */
  createdAt: z.string(),
  /** Full name of who made it. */
  createdBy: z.string(),
  expiresAt: z.string(),
  /** To within a minute; null: never. */
  usedAt: z.string().nullable(),
  /** From where it was used last; '' for never. */
  usedAddress: z.string(),
})
export type ApiToken = z.infer<typeof ApiToken>

const TokenFields = {
  title: oneLine(80),
  scope: TokenScope,
  /** Until it expires. */
  days: wholeNumber(1, TOKEN_DAYS_AT_MOST, `must be 1 to ${TOKEN_DAYS_AT_MOST} days.`),
  /**
   * Of who makes it: an open session alone must not become a token. Left out by people of the sign-in
   * provider, who have just signed in there in its place.
   */
  currentPassword: z.string().min(1, 'must not be empty.').max(1024).optional(),
} as const

export const ApiTokenDraft = z.strictObject(TokenFields)
export type ApiTokenDraft = z.output<typeof ApiTokenDraft>

export const ServiceTokenDraft = z.strictObject({
  ...TokenFields,
  role: ServiceRole,
  /** None for an admin, who has all; at least 1 for the others. */
  groupIds: z.array(Id).max(50, 'must be at most 50 groups.'),
})
export type ServiceTokenDraft = z.output<typeof ServiceTokenDraft>
