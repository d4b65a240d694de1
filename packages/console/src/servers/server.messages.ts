/** What the Servers page says. The texts of the error catalogue are letter for letter. */
import type { HostFaultKind } from '@trunkline/contract/fleet/fleet.schema'
import type { ServerType } from '@trunkline/contract/servers/server.schema'
import { LOCALE } from '../lib/locale/language.ts'

export const ADDED = 'Server added successfully'
export const UPDATED = 'Server updated successfully'
export const DELETED = 'Server deleted successfully'
export const ADD_FAILED = 'Failed to create server'
export const UPDATE_FAILED = 'Failed to update server'
export const DELETE_FAILED = 'Failed to delete server'
/** SRV-17. */
export const DELETE_QUESTION = 'Are you sure you want to delete this Server?'

/** SRV-05 to SRV-11. */
export const REQUIRED = {
  title: 'Input title',
  host: 'Input host',
  port: 'Input port',
  serverType: 'Select type',
  groupIds: 'Select group',
  apiKey: 'Input api key',
  adapterIps: 'Please input adapter ips',
} as const

export const LIST_FAILED = 'The list of servers could not be read.'

export const KEY_NEW = 'Must match the key in the agent’s configuration.'
export const KEY_STORED = 'A key is stored. Leave empty to keep it.'
export const KEY_NONE = 'No key is stored.'
export const HOST_HINT = 'Host name or IPv4 address.'
export const ADAPTERS_HINT =
  "Each network adapter of the host that streams may use. On the host, 'ip -brief address' lists them; once the host is connected, they are offered here."
export const ADAPTERS_REPORTED =
  'Each network adapter of the host that streams may use. Add those that the host reports, or type one.'
/** Of a new server: how the console gets to know its host. */
export const ENROLS = 'Enrol the host: no API key and no adapters to enter'
export const ENROLS_MEANS =
  'For a server of type acants. The host reports its adapters once it is enrolled.'
/** After a new server was enrolled. */
export const CHOOSE_ADAPTERS = 'Choose adapters'
export const PAIR_NOT_ADDED =
  'This adapter is not in the list yet. Press Add, or clear both fields.'

/** What a server of this type is for. */
export const TYPE_HINTS: Readonly<Record<ServerType, string>> = {
  acants: 'Runs inputs and outputs, and receives feeders.',
  channel: 'A media server: its streams become channels.',
}

export const GROUPS_READING = 'Reading the groups …'
export const GROUPS_FAILED = 'The groups could not be read. Close this and open it again.'
export const GROUPS_NONE = 'There is no group yet. Add one under Groups first.'

export function pairTwice(name: string, ip: string): string {
  return `${name} with ${ip} is in the list already.`
}

/** The object of the question, and what becomes of it. */
export function deleteSentences(title: string): readonly string[] {
  return [
    DELETE_QUESTION,
    `Removes '${title}' from this console. A server in use cannot be removed.`,
  ]
}

/** Why a host is away, short enough for a row. */
export function faultText(fault: HostFaultKind | null, serverType: ServerType): string {
  switch (fault) {
    case 'refused':
      return 'no connection'
    case 'timeout':
      return 'no answer'
    case 'wrong-key':
      return 'wrong key'
    case 'not-an-agent':
      return serverType === 'channel' ? 'no media server' : 'no host agent'
    case 'certificate':
      return 'not trusted'
    case 'not-connected':
      return 'not connected'
    case null:
      return ''
  }
}

export const NO_AGENT = 'A media server has no host agent that could test a link.'

export const NOT_ENROLLED =
  'A media server is reached over HTTP. Give its host with https:// to encrypt it.'

export const NOT_READ = 'not read'
export const NEVER_HEARD = 'It has not answered since the console server was started.'

export function lastHeard(at: string): string {
  return `It last answered at ${at}.`
}

export function isOnline(title: string): string {
  return `${title} is online`
}

export function isOffline(title: string): string {
  return `${title} is offline`
}

export function notAsked(title: string): string {
  return `${title} could not be checked`
}

export function answeredIn(latencyMs: number): string {
  return `It answered in ${Math.round(latencyMs).toLocaleString(LOCALE)} ms.`
}
