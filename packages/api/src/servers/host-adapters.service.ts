/** The network adapters of a host, so that nobody types what the host knows. */
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { readHostAdapters } from '@trunkline/contract/servers/host-adapters.calls'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import type { Context } from '../context.ts'

/** As the agents at this host last reported them, whatever record they belong to. */
export function read(
  { hosts }: Context,
  { host }: QueryOf<typeof readHostAdapters>,
): ReplyOf<typeof readHostAdapters> {
  const records = host === '' ? [] : hosts.recordsOnMachine(hostKeyOf(host))
  // Thousands of encoders may be of one agent.
  const agents = new Set(records.map(({ address }) => hosts.capabilities(address)))
  const reported = [...agents].flatMap((agent) => agent?.adapters ?? [])
  const each = new Map(reported.map((adapter) => [`${adapter.name} ${adapter.ip}`, adapter]))
  const data = [...each.values()].map(({ name, ip }) => ({ adapterName: name, adapterIp: ip }))
  return { status: true, data }
}
