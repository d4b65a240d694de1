import { z } from 'zod'
import { GroupRef } from '../session/session.schema.ts'
import {
  Description,
  echoed,
  HostName,
  Id,
  Ipv4,
  oneLine,
  optionalLine,
  RemotePort,
  Title,
  unlessEmpty,
  Version,
} from '../text.schema.ts'
import { wording } from '../wording.ts'

export const SERVER_TYPES = ['acants', 'channel'] as const
export const ServerType = z.enum(SERVER_TYPES)
export type ServerType = z.infer<typeof ServerType>

export const Adapter = z.object({
  _id: z.string(),
  adapterName: z.string(),
  adapterIp: z.string(),
})
export type Adapter = z.infer<typeof Adapter>

/** A host we manage. The API key never leaves the API; `apiKeySet` says whether there is one. */
export const Server = z.object({
  _id: z.string(),
  id: z.string(),
  title: z.string(),
  host: z.string(),
  port: z.number(),
  serverType: ServerType,
  apiKeySet: z.boolean(),
  description: z.string(),
  location: z.string(),
  groupIds: z.array(z.string()),
  groupInfo: z.array(GroupRef),
  adapterIps: z.array(Adapter),
  version: z.number(),
})
export type Server = z.infer<typeof Server>

/** Q118: a bare host or an http(s) address; stored as typed. */
const ServerHost = z
  .string()
  .trim()
  .refine(
    (text) => hostOf(text) !== null,
    'must be a host name, an IPv4 address, or http(s):// and one of these.',
  )

/** The bare host of a server's `host` field; null when it is none. */
export function hostOf(text: string): string | null {
  const bare = text.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  const parsed = HostName.safeParse(bare)
  return parsed.success ? parsed.data : null
}

/** The bare host in small letters: what ports are unique on, and where a link goes. */
export function hostKeyOf(text: string): string {
  return (hostOf(text) ?? text).toLowerCase()
}

/** Most often both are the same text, which is seen at once. */
export function isSameHost(a: string, b: string): boolean {
  return a === b || hostKeyOf(a) === hostKeyOf(b)
}

/** Of a seat of an agent, as a server or an encoder names it. */
interface SeatAddress {
  ip: string
  port: number
}

export function isSameSeat(a: SeatAddress, b: SeatAddress): boolean {
  return a.port === b.port && isSameHost(a.ip, b.ip)
}

/** Where a server is reached: at its host and at the addresses of its adapters. Each once, in small letters. */
export function addressesOf({
  host,
  adapterIps,
}: {
  host: string
  adapterIps: readonly Pick<Adapter, 'adapterIp'>[]
}): string[] {
  return [...new Set([hostKeyOf(host), ...adapterIps.map(({ adapterIp }) => adapterIp)])]
}

/** Sent as a bearer token, so nothing that would break a header line. */
export const ApiKey = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9+/=._~-]{8,256}$/,
    'must be 8 to 256 characters from A-Z a-z 0-9 + / = . _ ~ and -.',
  )

/** SRV-11. */
export const ADAPTERS_MISSING = 'Please input adapter ips'
export const Adapters = z
  .array(z.strictObject({ _id: Id.optional(), adapterName: oneLine(15), adapterIp: Ipv4 }))
  .max(64)

const ServerFields = {
  title: Title,
  host: ServerHost,
  port: RemotePort,
  serverType: ServerType,
  groupIds: z.array(Id).min(1, 'Select group').max(200),
  adapterIps: Adapters.min(1, ADAPTERS_MISSING),
}
const Location = optionalLine(200)

export const ServerDraft = z.strictObject({
  ...ServerFields,
  apiKey: ApiKey,
  description: Description.default(''),
  location: Location.default(''),
})
export type ServerDraft = z.output<typeof ServerDraft>

/** With what is known of a host once it is enrolled left out; see `NewServer`. */
export const EnrolledServer = ServerDraft.extend({
  serverType: z.literal('acants', 'must be acants: a media server is not enrolled.'),
  apiKey: z.literal('', 'must be empty for a server that is enrolled: a key is made.').default(''),
  adapterIps: Adapters.default([]),
  enrols: z.literal(true),
})

/**
 * `enrols`: the host is enrolled next. A key is made for it, and it reports its adapters, so that neither
 * is named here.
 */
export const NewServer = ServerDraft.extend({
  apiKey: z.union([z.literal(''), ApiKey]).default(''),
  adapterIps: Adapters.default([]),
  enrols: z.boolean().optional(),
}).superRefine(({ enrols, ...draft }, context) => {
  const { error } =
    enrols === true
      ? EnrolledServer.safeParse({ ...draft, enrols }, { error: wording })
      : ServerDraft.safeParse(draft.apiKey === '' ? { ...draft, apiKey: undefined } : draft, {
          error: wording,
        })
  for (const { path, message } of error?.issues ?? []) {
    context.addIssue({ code: 'custom', path: [...path], message })
  }
})

/** What is absent stays as it is; an empty API key keeps the stored one (SRV-18). */
export const ServerEdit = z
  .strictObject({
    ...ServerFields,
    /** Empty only while none is known, as of a host that was not enrolled yet. */
    adapterIps: Adapters,
    port: unlessEmpty(RemotePort.optional()),
    apiKey: z.union([z.literal(''), ApiKey]),
    description: Description,
    location: Location,
    version: Version,
    ...echoed(['_id', 'id', 'groupInfo', 'apiKeySet']),
  })
  .partial()
export type ServerEdit = z.output<typeof ServerEdit>
