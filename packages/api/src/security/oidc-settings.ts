/** The settings of sign-in by an OpenID Connect provider, checked and made into one value. */
import { ROLES, type Role } from '@trunkline/contract/roles'
import { z } from 'zod'

export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  /** Null: a public client, which PKCE alone protects. */
  readonly clientSecretFile: string | null
  /** What the button says: 'Sign in with <name>'. */
  readonly name: string
  /** Of the console, without a slash at its end; the provider sends people back to it. */
  readonly publicUrl: string
  readonly scopes: string
  /** The claim whose values `roles` maps. */
  readonly roleClaim: string
  readonly roles: ReadonlyMap<string, Role>
  readonly groupClaim: string
  /** Titles of groups by values of the claim; a value that is not in it is the title itself. */
  readonly groups: ReadonlyMap<string, string>
}

const ADDRESS = 'must be an address such as https://login.example; http only on this machine.'
const PAIRS = 'must be pairs with commas between them'

export const OIDC_SETTINGS = {
  TRUNKLINE_OIDC_ISSUER: z.string().refine(isSafeAddress, ADDRESS).optional(),
  TRUNKLINE_OIDC_CLIENT_ID: z.string().optional(),
  TRUNKLINE_OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  TRUNKLINE_OIDC_NAME: z.string().max(40, 'must be at most 40 characters long.').default('SSO'),
  TRUNKLINE_OIDC_SCOPES: z
    .string()
    .regex(/^openid( \S+)*$/, "must begin with 'openid'.")
    .default('openid email profile'),
  TRUNKLINE_OIDC_ROLE_CLAIM: z.string().default('roles'),
  TRUNKLINE_OIDC_ROLES: z
    .string()
    .transform(readRoles)
    .refine(
      (roles) => roles !== null,
      `${PAIRS}: noc=monitor, it=admin. Roles: ${ROLES.join(', ')}.`,
    )
    .optional(),
  TRUNKLINE_OIDC_GROUP_CLAIM: z.string().default('groups'),
  TRUNKLINE_OIDC_GROUPS: z
    .string()
    .transform(readPairs)
    .refine((groups) => groups !== null, `${PAIRS}: sports=Sports North, news=News.`)
    .optional(),
  TRUNKLINE_PUBLIC_URL: z
    .string()
    .refine(isSafeAddress, ADDRESS)
    .transform((text) => text.replace(/\/$/, ''))
    .optional(),
}

type Settings = z.output<z.ZodObject<typeof OIDC_SETTINGS>>

const NEEDED = [
  'TRUNKLINE_OIDC_ISSUER',
  'TRUNKLINE_OIDC_CLIENT_ID',
  'TRUNKLINE_OIDC_ROLES',
  'TRUNKLINE_PUBLIC_URL',
] as const

/** Sentences; none when nothing of it is set, or all that is needed. */
export function oidcFaults(given: Readonly<Record<string, string | undefined>>): string[] {
  const { TRUNKLINE_PUBLIC_URL: _, ...ofProvider } = OIDC_SETTINGS
  if (!Object.keys(ofProvider).some((name) => given[name] !== undefined)) return []
  const missing = NEEDED.filter((name) => given[name] === undefined)
  if (missing.length === 0) return []
  return [`Sign-in by a provider also needs ${missing.join(', ')}.`]
}

/** Null: people sign in by password alone. */
export function oidcConfigOf(settings: Settings): OidcConfig | null {
  const { TRUNKLINE_OIDC_ISSUER: issuer, TRUNKLINE_OIDC_CLIENT_ID: clientId } = settings
  const { TRUNKLINE_OIDC_ROLES: roles, TRUNKLINE_PUBLIC_URL: publicUrl } = settings
  if (!issuer || !clientId || !roles || !publicUrl) return null
  return {
    issuer,
    clientId,
    clientSecretFile: settings.TRUNKLINE_OIDC_CLIENT_SECRET_FILE ?? null,
    name: settings.TRUNKLINE_OIDC_NAME,
    publicUrl,
    scopes: settings.TRUNKLINE_OIDC_SCOPES,
    roleClaim: settings.TRUNKLINE_OIDC_ROLE_CLAIM,
    roles,
    groupClaim: settings.TRUNKLINE_OIDC_GROUP_CLAIM,
    groups: settings.TRUNKLINE_OIDC_GROUPS ?? new Map<string, string>(),
  }
}

/** Codes and tokens cross a network by TLS only. */
function isSafeAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.search !== '' || url.hash !== '') return false
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere)
}

function readRoles(text: string): ReadonlyMap<string, Role> | null {
  const pairs = readPairs(text)
  if (pairs === null) return null
  const roles = [...pairs].map(([value, name]) => [value, ROLES.find((r) => r === name)] as const)
  return roles.every((pair): pair is readonly [string, Role] => pair[1] !== undefined)
    ? new Map(roles)
    : null
}

function readPairs(text: string): ReadonlyMap<string, string> | null {
  const pairs = text.split(',').map((part) => /^\s*([^=]+?)\s*=\s*(.+?)\s*$/.exec(part))
  if (pairs.some((pair) => pair === null)) return null
  return new Map(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? ''] as const))
}
