/** What saving picked streams means: new channels, and groups for channels that are there (Q126). */

/** As it was asked for. `groupIds` empty: the server's for a new channel, unchanged for a known one. */
export interface PickedStream {
  serverId: string
  name: string
  title: string
  groupIds: readonly string[]
}

export interface KnownChannel {
  id: string
  name: string
  server: { id: string }
  groupIds: readonly string[]
}

export interface SavePlan<Known extends KnownChannel> {
  /** With the groups that they get. */
  additions: PickedStream[]
  /** `groupIds`: those that are new to the channel. Never empty. */
  widened: { channel: Known; groupIds: string[] }[]
  /** Ids of what was picked and is there already, changed or not. */
  knownIds: string[]
}

/**
 * Titles of known channels stay as somebody edited them, and nobody loses sight of a channel by a
 * second Sync. A stream picked twice is one channel under its first title.
 */
export function planSave<Known extends KnownChannel>(
  picked: readonly PickedStream[],
  known: readonly Known[],
  groupsOfServer: (serverId: string) => readonly string[],
): SavePlan<Known> {
  const channels = new Map(known.map((item) => [keyOf(item.server.id, item.name), item]))
  const plan: SavePlan<Known> = { additions: [], widened: [], knownIds: [] }
  for (const stream of merged(picked)) {
    const { serverId, name } = stream
    const channel = channels.get(keyOf(serverId, name))
    if (channel === undefined) {
      const groupIds = stream.groupIds.length > 0 ? stream.groupIds : groupsOfServer(serverId)
      plan.additions.push({ ...stream, groupIds })
      continue
    }
    plan.knownIds.push(channel.id)
    const groupIds = stream.groupIds.filter((id) => !channel.groupIds.includes(id))
    if (groupIds.length > 0) plan.widened.push({ channel, groupIds })
  }
  return plan
}

function merged(picked: readonly PickedStream[]): PickedStream[] {
  const streams = new Map<string, PickedStream>()
  for (const stream of picked) {
    const key = keyOf(stream.serverId, stream.name)
    const before = streams.get(key) ?? { ...stream, groupIds: [] }
    const groupIds = [...new Set([...before.groupIds, ...stream.groupIds])]
    streams.set(key, { ...before, groupIds })
  }
  return [...streams.values()]
}

/** Ids hold no slash. */
function keyOf(serverId: string, name: string): string {
  return `${serverId}/${name}`
}
