/** Whose addresses are one and the same guest's. */
import { isIPv6 } from 'node:net'

const GROUPS = 8
/** A household or a server is given a /64: whoever has one of its addresses has all of them. */
const NETWORK_GROUPS = 4

/** An IPv4 address as it is, of an IPv6 address its /64; an IPv4 address in IPv6 clothes is itself. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const missing = tail === undefined ? 0 : GROUPS - before.length - after.length
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  return `${all.slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/** Without leading zeros, so that every spelling of a group is one. */
function groupsOf(text: string): string[] {
  if (text === '') return []
  return text.split(':').map((group) => group.replace(/^0+(?=.)/, ''))
}
