/** From the claims of a provider to a person of ours: role, groups, names, address. */
import { ROLES, type Role } from '@trunkline/contract/roles'
import { Email } from '@trunkline/contract/text.schema'
import { z } from 'zod'
import type { OidcConfig } from '../../security/oidc-settings.ts'
import type { ProviderPerson } from '../../users/provider/provider-person.service.ts'

const NAME_CHARACTERS = 100

const Texts = z.union([z.string().transform((text) => [text]), z.array(z.string())]).catch([])
const Name = z
  .string()
  .transform((text) => text.trim().slice(0, NAME_CHARACTERS))
  .catch('')
const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: Email.optional().catch(undefined),
  // Some send it as text.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(false),
  name: Name,
  given_name: Name,
  family_name: Name,
})

/** A sentence with cause and fix when the claims make nobody who may sign in here. */
export function personOf(
  oidc: OidcConfig,
  given: Readonly<Record<string, unknown>>,
): ProviderPerson | string {
  const claims = Claims.safeParse(given).data
  if (claims === undefined) return `${oidc.name} does not say who you are. Ask its admin.`
  const role = roleOf(oidc, Texts.parse(given[oidc.roleClaim]))
  if (role === null) {
    return `Your account at ${oidc.name} has no role here. Ask an admin to give it one there (claim '${oidc.roleClaim}').`
  }
  if (claims.email === undefined || claims.email_verified === false) {
    return `${oidc.name} names no confirmed e-mail address of yours. Confirm one there, then sign in again.`
  }
  const [first = '', ...others] = claims.name.split(/\s+/)
  const groups = given[oidc.groupClaim]
  return {
    provider: { issuer: oidc.issuer, subject: claims.sub },
    providerName: oidc.name,
    email: claims.email,
    firstName: claims.given_name || first || (claims.email.split('@')[0] ?? ''),
    lastName: claims.family_name || others.join(' '),
    role,
    groupTitles: groups === undefined ? null : titlesOf(oidc, Texts.parse(groups)),
  }
}

const AuthTime = z.number().int().min(0).optional().catch(undefined)

/** When they proved to the provider who they are, ISO, at most now; null where it does not say. */
export function authenticatedAtOf(
  { auth_time: authTime }: Readonly<Record<string, unknown>>,
  nowMs: number,
): string | null {
  const seconds = AuthTime.parse(authTime)
  return seconds === undefined ? null : new Date(Math.min(seconds * 1000, nowMs)).toISOString()
}

/** Of several the highest. */
function roleOf({ roles }: OidcConfig, values: readonly string[]): Role | null {
  const found = values.map((value) => roles.get(value))
  return ROLES.find((role) => found.includes(role)) ?? null
}

function titlesOf({ groups }: OidcConfig, values: readonly string[]): string[] {
  return values.map((value) => groups.get(value) ?? value)
}
