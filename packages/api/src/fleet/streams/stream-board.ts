/** What the media servers last said about the streams of our channels. */
import type { StreamStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { LinkFault } from '../../hosts/link-fault.ts'
import { StreamLinks } from './stream-links.ts'
import { eachInParts, type InParts } from '../../in-slices.ts'

export interface ChannelRef {
  id: string
  serverId: string
  name: string
  groupIds: readonly string[]
}

export interface ServerAnswer {
  online: boolean
  /** When this began. */
  sinceMs: number
  /** When it last answered; null: never. */
  heardAtMs: number | null
  /** When it last answered, or was found silent. */
  askedAtMs: number
  /** Whether players need a token of ours, as it last said; kept while it is silent. */
  requiresToken: boolean
  fault: LinkFault | null
}

/** Which stream of which server. */
export type StreamKey = Pick<StreamStatus, 'serverId' | 'streamName'>

export interface KnownStream {
  channel: ChannelRef
  status: StreamStatus
}

const NO_SUCH_STREAM = 'The server has no such stream.'
const NOT_ASKED_YET = 'The server was not asked yet.'
const SILENT_SERVER = 'The media server does not answer.'

export interface StreamBoardOptions {
  clock: () => number
  onStream: (channel: ChannelRef, status: StreamStatus) => void
  onServer: (serverId: string) => void
  /** These came, went, or changed their groups. */
  onScope: (streams: readonly StreamKey[]) => void
}

export class StreamBoard {
  /** A server that falls silent is taken at its last word. */
  readonly links = new StreamLinks()
  readonly #options: StreamBoardOptions
  /** By server, then by name: what a server answers concerns its own streams only. */
  readonly #streams = new Map<string, Map<string, KnownStream>>()
  readonly #byChannel = new Map<string, ChannelRef>()
  readonly #servers = new Map<string, ServerAnswer>()

  constructor(options: StreamBoardOptions) {
    this.#options = options
  }

  /** The channels of these ids as the database has them now; a missing channel was removed. */
  setChannels(
    channels: readonly ChannelRef[],
    ids: readonly string[] = channels.map(({ id }) => id),
  ): void {
    const now = new Map(channels.map((channel) => [channel.id, channel]))
    const rescoped: StreamKey[] = []
    // What goes first may make room for another of the same name.
    for (const id of ids) {
      const before = this.#byChannel.get(id)
      if (before === undefined || isSameStream(before, now.get(id))) continue
      rescoped.push(streamKeyOf(before))
      this.#forget(before)
    }
    for (const channel of channels) {
      const before = this.#byChannel.get(channel.id)
      if (before === undefined || visibleTo(before) !== visibleTo(channel)) {
        rescoped.push(streamKeyOf(channel))
      }
      this.#keep(channel)
    }
    if (rescoped.length > 0) this.#options.onScope(rescoped)
  }

  /** All channels of the database, in parts; those that are in none of them were removed. */
  async replaceChannels(parts: InParts<ChannelRef>): Promise<void> {
    const gone = new Set(this.#byChannel.keys())
    for await (const channels of parts) {
      this.setChannels(channels)
      for (const { id } of channels) gone.delete(id)
    }
    await eachInParts([...gone], (id) => this.setChannels([], [id]))
  }

  channels(): KnownStream[] {
    return [...this.#streams.values()].flatMap((streams) => [...streams.values()])
  }

  known({ serverId, streamName }: StreamKey): KnownStream | null {
    return this.#streams.get(serverId)?.get(streamName) ?? null
  }

  /** Of the channel with this id. */
  ofChannel(id: string): KnownStream | null {
    const channel = this.#byChannel.get(id)
    return channel === undefined ? null : this.known(streamKeyOf(channel))
  }

  #keep(channel: ChannelRef): void {
    const { id, serverId, name } = channel
    this.#byChannel.set(id, channel)
    const streams = this.#streams.get(serverId) ?? new Map<string, KnownStream>()
    this.#streams.set(serverId, streams)
    streams.set(name, { channel, status: streams.get(name)?.status ?? unasked(channel) })
  }

  #forget({ id, serverId, name }: ChannelRef): void {
    this.#byChannel.delete(id)
    this.links.forget(id)
    const streams = this.#streams.get(serverId)
    // Another channel may have its name by now.
    if (streams?.get(name)?.channel.id === id) streams.delete(name)
    if (streams?.size === 0) this.#streams.delete(serverId)
  }

  find(serverId: string, name: string): StreamStatus | null {
    return this.known({ serverId, streamName: name })?.status ?? null
  }

  server(serverId: string): ServerAnswer | null {
    return this.#servers.get(serverId) ?? null
  }

  forgetServer(serverId: string): void {
    this.#servers.delete(serverId)
  }

  /** A whole list: channels that are not in it have no stream. Of a long one part by part. */
  async answered(serverId: string, streams: readonly StreamDetail[]): Promise<void> {
    this.#setServer(serverId, null)
    this.#notePlayback(serverId, streams)
    const byName = new Map(streams.map((stream) => [stream.name, stream]))
    const nowMs = this.#options.clock()
    await this.#eachOf(serverId, ({ channel }) => {
      const stream = byName.get(channel.name) ?? null
      this.#put(channel, stream, stream === null ? NO_SUCH_STREAM : '', nowMs)
    })
  }

  /** One stream, fresh from its server after somebody changed it. */
  answeredStream(serverId: string, stream: StreamDetail): void {
    const known = this.known({ serverId, streamName: stream.name })
    this.#notePlayback(serverId, [stream])
    if (known !== null) this.#put(known.channel, stream, '', this.#options.clock())
  }

  /** One stream that its server does not have any more. */
  gone(serverId: string, name: string): void {
    const known = this.known({ serverId, streamName: name })
    if (known !== null) this.#put(known.channel, null, NO_SUCH_STREAM, this.#options.clock())
  }

  /** No answer: its streams are Offline, and say since when nothing was heard. */
  async silent(serverId: string, fault: LinkFault): Promise<void> {
    this.#setServer(serverId, fault)
    await this.#eachOf(serverId, ({ channel, status }) =>
      this.#put(channel, null, SILENT_SERVER, status.readAtMs),
    )
  }

  /** Those of which nothing newer is known by the time that their turn comes. */
  async #eachOf(serverId: string, act: (known: KnownStream) => void): Promise<void> {
    const before = [...(this.#streams.get(serverId)?.values() ?? [])].map(({ status }) => status)
    await eachInParts(before, (status) => {
      const now = this.known(status)
      if (now?.status === status) act(now)
    })
  }

  /** Its streams all say the same; without streams there is nothing to play either. */
  #notePlayback(serverId: string, [stream]: readonly StreamDetail[]): void {
    const server = this.#servers.get(serverId)
    if (server === undefined || stream === undefined) return
    server.requiresToken = stream.stats.playback === 'signed'
  }

  #setServer(serverId: string, fault: LinkFault | null): void {
    const before = this.#servers.get(serverId)
    const online = fault === null
    const nowMs = this.#options.clock()
    const heardAtMs = online ? nowMs : (before?.heardAtMs ?? null)
    const sinceMs = before?.online === online ? before.sinceMs : nowMs
    const requiresToken = before?.requiresToken ?? false
    this.#servers.set(serverId, {
      online,
      sinceMs,
      heardAtMs,
      askedAtMs: nowMs,
      requiresToken,
      fault,
    })
    // Having answered once more is no news in itself.
    if (before?.online === online && before.fault?.sentence === fault?.sentence) return
    this.#options.onServer(serverId)
  }

  #put(
    channel: ChannelRef,
    stream: StreamDetail | null,
    cause: string,
    readAtMs: number | null,
  ): void {
    const known = this.known(streamKeyOf(channel))
    if (known === null) return
    const { serverId, name: streamName } = channel
    const status: StreamStatus = { serverId, streamName, stream, cause, readAtMs }
    const before = known.status
    known.status = status
    if (isSame(before, status)) return
    if (cause !== SILENT_SERVER) this.links.put(channel.id, serverId, stream)
    this.#options.onStream(channel, status)
  }
}

function visibleTo({ groupIds }: ChannelRef): string {
  return groupIds.toSorted().join(' ')
}

function streamKeyOf({ serverId, name }: ChannelRef): StreamKey {
  return { serverId, streamName: name }
}

function isSameStream(a: ChannelRef, b: ChannelRef | undefined): boolean {
  return a.serverId === b?.serverId && a.name === b.name
}

function unasked({ serverId, name }: ChannelRef): StreamStatus {
  return { serverId, streamName: name, stream: null, readAtMs: null, cause: NOT_ASKED_YET }
}

/** Being read again is no news in itself. */
function isSame(a: StreamStatus, b: StreamStatus): boolean {
  return a.cause === b.cause && JSON.stringify(a.stream) === JSON.stringify(b.stream)
}
