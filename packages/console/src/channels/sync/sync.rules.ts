/** What the Sync dialog decides: which streams it offers, and as what they are saved (CHAN-34 to CHAN-39). */
import {
  type Channel,
  type ChannelDraft,
  StreamName,
} from '@trunkline/contract/channels/channel.schema'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { Title } from '@trunkline/contract/text.schema'

/** Where streams come from, and whose they become. */
export interface SyncPlace {
  server: Server
  /** A manager's choice. Null at admin level: the groups of the server are copied (Q125). */
  group: { _id: string; title: string } | null
}

export interface SyncEntry {
  name: string
  /** What it is saved under: the edited title of a saved one, else the stream's own. */
  title: string
  stream: StreamDetail
  /** The channel that it already is; null for a new stream. */
  saved: Channel | null
  /** Its name fits a channel; one that does not is shown and cannot be ticked. */
  isSavable: boolean
}

export interface SyncList {
  /** New ones first, else in the server's order. */
  entries: readonly SyncEntry[]
  /** Channels whose stream the server does not list any more (Q129). */
  gone: readonly Channel[]
}

export function listOf(streams: readonly StreamDetail[], channels: readonly Channel[]): SyncList {
  const saved = new Map(channels.map((channel) => [channel.name, channel]))
  // A list that grows while it is read page by page may name a stream twice.
  const byName = new Map(streams.map((stream) => [stream.name, stream]))
  const entries = [...byName.values()].map((stream) => entryOf(stream, saved))
  return {
    entries: entries.toSorted((a, b) => Number(a.saved !== null) - Number(b.saved !== null)),
    gone: channels.filter(({ name }) => !byName.has(name)),
  }
}

function entryOf(stream: StreamDetail, channels: ReadonlyMap<string, Channel>): SyncEntry {
  const { name } = stream
  const saved = channels.get(name) ?? null
  return {
    name,
    // A title that we would refuse must not stand in the way of the stream.
    title: saved?.title ?? Title.safeParse(stream.title).data ?? name,
    stream,
    saved,
    isSavable: StreamName.safeParse(name).success,
  }
}

export function matching(entries: readonly SyncEntry[], text: string): readonly SyncEntry[] {
  const wanted = text.trim().toLocaleLowerCase('en')
  if (wanted === '') return entries
  return entries.filter(({ name, title }) =>
    `${title}\n${name}`.toLocaleLowerCase('en').includes(wanted),
  )
}

export function draftsOf(entries: readonly SyncEntry[], place: SyncPlace): ChannelDraft[] {
  return entries.map((entry) => ({
    name: entry.name,
    title: entry.title,
    serverId: place.server._id,
    groupIds: groupsFor(entry, place),
  }))
}

/** At admin level a saved channel keeps its groups: a second Sync must not show it to more people. */
function groupsFor({ saved }: SyncEntry, { server, group }: SyncPlace): string[] {
  if (group !== null) return [group._id]
  return [...(saved?.groupIds ?? server.groupIds)]
}

/** A saved channel of another group of this manager's: saving shows it to the chosen group as well. */
export function joinsGroup({ saved }: SyncEntry, { group }: SyncPlace): boolean {
  return saved !== null && group !== null && !saved.groupIds.includes(group._id)
}

/** What one call takes (channel.calls.ts: 1000 streams, 256 KiB), with room for the brackets. */
const PART_STREAMS = 1000
const PART_BYTES = 250 * 1024

/** A list too long for one call is saved by several, in its order. */
export function partsOf(drafts: readonly ChannelDraft[]): ChannelDraft[][] {
  const parts: ChannelDraft[][] = []
  let bytes = Infinity
  for (const draft of drafts) {
    const own = new TextEncoder().encode(JSON.stringify(draft)).length + 1
    const last = parts.at(-1)
    if (last !== undefined && last.length < PART_STREAMS && bytes + own <= PART_BYTES) {
      last.push(draft)
      bytes += own
    } else {
      parts.push([draft])
      bytes = own
    }
  }
  return parts
}

/** Of a refusal's fields, such as '3.name': which streams of that call are at fault, and why. */
export function faultsOf(
  issues: readonly { field: string; message: string }[],
  part: readonly ChannelDraft[],
): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  for (const { field, message } of issues) {
    const place = /^(\d+)\./.exec(field)?.[1]
    const name = place === undefined ? undefined : part[Number(place)]?.name
    if (name !== undefined) faults.set(name, message)
  }
  return faults
}
