/** What the media servers last said about the streams of our channels. */
import type { StreamStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { LinkFault } from '../hosts/link-fault.ts'

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
  fault: LinkFault | null
}

interface KnownStream {
  channel: ChannelRef
  status: StreamStatus
}

const NO_SUCH_STREAM = 'The server knows no such stream.'
const NOT_ASKED_YET = 'The server was not asked yet.'
const SILENT_SERVER = 'The media server does not answer.'

export interface StreamBoardOptions {
  clock: () => number
  onStream: (channel: ChannelRef, status: StreamStatus) => void
  onServer: (serverId: string) => void
  /** Channels came, went, or changed their groups. */
  onScope: () => void
}

export class StreamBoard {
  readonly #options: StreamBoardOptions
  #streams = new Map<string, KnownStream>()
  readonly #servers = new Map<string, ServerAnswer>()

  constructor(options: StreamBoardOptions) {
    this.#options = options
  }

  /** The channels as the database has them now. */
  setChannels(channels: readonly ChannelRef[]): void {
    const streams = new Map<string, KnownStream>()
    for (const channel of channels) {
      const key = keyOf(channel.serverId, channel.name)
      streams.set(key, { channel, status: this.#streams.get(key)?.status ?? unasked(channel) })
    }
    const before = sightOf(this.channels())
    this.#streams = streams
    if (before !== sightOf(this.channels())) this.#options.onScope()
  }

  channels(): KnownStream[] {
    return [...this.#streams.values()]
  }

  find(serverId: string, name: string): StreamStatus | null {
    return this.#streams.get(keyOf(serverId, name))?.status ?? null
  }

  server(serverId: string): ServerAnswer | null {
    return this.#servers.get(serverId) ?? null
  }

  forgetServer(serverId: string): void {
    this.#servers.delete(serverId)
  }

  /** A whole list: channels that are not in it have no stream. */
  answered(serverId: string, streams: readonly StreamDetail[]): void {
    this.#setServer(serverId, null)
    const byName = new Map(streams.map((stream) => [stream.name, stream]))
    for (const { channel } of this.#of(serverId)) {
      const stream = byName.get(channel.name) ?? null
      this.#put(channel, stream, stream === null ? NO_SUCH_STREAM : '', this.#options.clock())
    }
  }

  /** One stream, fresh from its server after somebody changed it. */
  answeredOne(serverId: string, stream: StreamDetail): void {
    const known = this.#streams.get(keyOf(serverId, stream.name))
    if (known !== undefined) this.#put(known.channel, stream, '', this.#options.clock())
  }

  /** One stream that its server does not have any more. */
  gone(serverId: string, name: string): void {
    const known = this.#streams.get(keyOf(serverId, name))
    if (known !== undefined) this.#put(known.channel, null, NO_SUCH_STREAM, this.#options.clock())
  }

  /** No answer: its streams are Offline, and say since when nothing was heard. */
  silent(serverId: string, fault: LinkFault): void {
    this.#setServer(serverId, fault)
    for (const { channel, status } of this.#of(serverId)) {
      this.#put(channel, null, SILENT_SERVER, status.readAtMs)
    }
  }

  #of(serverId: string): KnownStream[] {
    return this.channels().filter(({ channel }) => channel.serverId === serverId)
  }

  #setServer(serverId: string, fault: LinkFault | null): void {
    const before = this.#servers.get(serverId)
    const online = fault === null
    const nowMs = this.#options.clock()
    const heardAtMs = online ? nowMs : (before?.heardAtMs ?? null)
    const sinceMs = before?.online === online ? before.sinceMs : nowMs
    this.#servers.set(serverId, { online, sinceMs, heardAtMs, askedAtMs: nowMs, fault })
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
    const known = this.#streams.get(keyOf(channel.serverId, channel.name))
    if (known === undefined) return
    const { serverId, name: streamName } = channel
    const status: StreamStatus = { serverId, streamName, stream, cause, readAtMs }
    const before = known.status
    known.status = status
    if (!isSame(before, status)) this.#options.onStream(channel, status)
  }
}

function sightOf(streams: readonly KnownStream[]): string {
  return streams
    .map(({ channel }) => `${channel.id} ${channel.groupIds.toSorted().join(' ')}`)
    .toSorted()
    .join('\n')
}

function keyOf(serverId: string, name: string): string {
  return `${serverId}/${name}`
}

function unasked({ serverId, name }: ChannelRef): StreamStatus {
  return { serverId, streamName: name, stream: null, readAtMs: null, cause: NOT_ASKED_YET }
}

/** Being read again is no news in itself. */
function isSame(one: StreamStatus, other: StreamStatus): boolean {
  return one.cause === other.cause && JSON.stringify(one.stream) === JSON.stringify(other.stream)
}
