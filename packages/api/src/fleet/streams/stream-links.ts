/** Which channels take their picture from which address: kept as media servers answer, for looking them up. */
import {
  streamAddressOf,
  type StreamAddress,
} from '@trunkline/contract/channels/stream-address.rules'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'

export interface ChannelSource extends StreamAddress {
  serverId: string
}

export class StreamLinks {
  readonly #ofChannel = new Map<string, readonly ChannelSource[]>()
  /** As last put: an answer that names the same addresses changes nothing. */
  readonly #urls = new Map<string, string>()
  /** Ids of channels, by the text that `placeOf` gives. */
  readonly #byPlace = new Map<string, Set<string>>()

  /** What its media server says of the stream; null: the server does not have it. */
  put(channelId: string, serverId: string, stream: Pick<StreamDetail, 'inputs'> | null): void {
    const urls = (stream?.inputs ?? []).map(({ url }) => url)
    const text = [serverId, ...urls].join('\n')
    if (this.#urls.get(channelId) === text) return
    const sources = urls.flatMap((url) => {
      const address = streamAddressOf(url)
      return address === null ? [] : [{ ...address, serverId }]
    })
    this.forget(channelId)
    this.#urls.set(channelId, text)
    if (sources.length === 0) return
    this.#ofChannel.set(channelId, sources)
    for (const source of sources) {
      const place = placeOf(source)
      const ids = this.#byPlace.get(place) ?? new Set()
      this.#byPlace.set(place, ids.add(channelId))
    }
  }

  forget(channelId: string): void {
    for (const source of this.#ofChannel.get(channelId) ?? []) {
      const place = placeOf(source)
      const ids = this.#byPlace.get(place)
      ids?.delete(channelId)
      if (ids?.size === 0) this.#byPlace.delete(place)
    }
    this.#ofChannel.delete(channelId)
    this.#urls.delete(channelId)
  }

  /** In the order in which its media server has them. */
  sourcesOf(channelId: string): readonly ChannelSource[] {
    return this.#ofChannel.get(channelId) ?? []
  }

  listening(serverId: string, protocol: StreamAddress['protocol'], port: number): string[] {
    return this.#at({ protocol, mode: 'listen', host: '', port, serverId })
  }

  /** `host` in small letters. */
  calling(protocol: StreamAddress['protocol'], host: string, port: number): string[] {
    return this.#at({ protocol, mode: 'call', host, port, serverId: '' })
  }

  #at(source: ChannelSource): string[] {
    return [...(this.#byPlace.get(placeOf(source)) ?? [])]
  }
}

function placeOf({ protocol, mode, host, port, serverId }: ChannelSource): string {
  return `${protocol} ${port} ${mode === 'listen' ? `at ${serverId}` : `to ${host}`}`
}
