/** Whose addresses are one and the same guest's. */
import { isIPv4, isIPv6 } from 'node:net'

const GROUPS = 8
/** A household or a server is given a /64: whoever has one of its addresses has all of them. */
const NETWORK_GROUPS = 4
/** An organisation is given a /48, which holds 65,536 of the above. */
const SITE_GROUPS = 3

/** An IPv4 address as it is, of an IPv6 address its /64; an IPv4 address in IPv6 clothes is itself. */
export function networkOf(ip: string): string {
  const plain = withoutMapping(ip)
  return isIPv6(plain) ? prefixOf(plain, NETWORK_GROUPS) : plain
}

/** The addresses that one network has for itself as a rule: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function siteOf(ip: string): string {
  const plain = withoutMapping(ip)
  if (isIPv6(plain)) return prefixOf(plain, SITE_GROUPS)
  return isIPv4(plain) ? plain.replace(/\d+$/, '0/24') : plain
}

function withoutMapping(ip: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
}

function prefixOf(ip: string, groups: number): string {
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const missing = tail === undefined ? 0 : GROUPS - before.length - after.length
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  return `${all.slice(0, groups).join(':')}::/${groups * 16}`
}

/** Without leading zeros, so that every spelling of a group is one. */
function groupsOf(text: string): string[] {
  if (text === '') return []
  return text.split(':').map((group) => group.replace(/^0+(?=.)/, ''))
}
