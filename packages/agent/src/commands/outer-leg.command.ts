/** What SRT and RIST links share towards the network. */
import type { Leg } from '@trunkline/contract/agent/program.messages'
import { Ipv4, isMulticast } from '@trunkline/contract/text.schema'
import type { HostFacts } from './host-facts.ts'
import { LOOPBACK_IP } from './local-leg.command.ts'
import { CommandRefused } from './refused.ts'

export interface Adapter {
  name: string
  ip: string
}

const ANY = '0.0.0.0'

/** The host that a caller calls. */
export function farEnd(outer: Leg): string {
  if (outer.host !== '') return outer.host
  throw new CommandRefused('This link calls the other end, so it needs a host. Fill in Host.')
}

/**
 * Our address that a listener waits at, '' for any. Refuses an address that this host does not
 * have.
 */
export function nearEnd(outer: Leg, facts: Pick<HostFacts, 'adapters'>): string {
  const ip = outer.host === '' || outer.host === ANY ? outer.adapterIp : outer.host
  if (ip === '' || ip === ANY) return ''
  if (Ipv4.safeParse(ip).success && !isMulticast(ip)) ownAdapter(ip, facts)
  return ip
}

/**
 * The adapter that the link is bound to; null for any. Refuses an address that this host does not
 * have.
 */
export function outerAdapter(outer: Leg, facts: Pick<HostFacts, 'adapters'>): Adapter | null {
  const { adapterIp } = outer
  return adapterIp === '' || adapterIp === ANY ? null : ownAdapter(adapterIp, facts)
}

export function ownAdapter(ip: string, facts: Pick<HostFacts, 'adapters'>): Adapter {
  const adapter = facts.adapters.find((candidate) => candidate.ip === ip)
  if (adapter) return adapter
  // Linux gives its loopback adapter all of 127.0.0.0/8, and lists the first address alone.
  const loopback = facts.adapters.find((candidate) => candidate.ip === LOOPBACK_IP)
  if (loopback && ip.startsWith('127.')) return { name: loopback.name, ip }
  const known = facts.adapters.map((candidate) => `${candidate.ip} (${candidate.name})`).join(', ')
  throw new CommandRefused(
    `This host has no adapter with the address ${ip}. Choose one of ${known}, or leave it empty for any.`,
  )
}
