/** The address of a stream's input or push, as far as it tells which link it is. */
import type { StreamDetail } from './stream.schema.ts'

export interface StreamAddress {
  protocol: 'srt' | 'rist'
  mode: 'listen' | 'call'
  /** In small letters; '' when it listens. */
  host: string
  port: number
}

const ADDRESS = /^(srt|rist):\/\/(@?)([^:/?@]*):(\d{1,5})(?:[/?](.*))?$/i
/** Every address of the host: whoever names it listens. */
const ANY = new Set(['', '0.0.0.0'])

/** Null of what is no SRT or RIST link, such as a playlist or a multicast group. */
export function streamAddressOf(url: string): StreamAddress | null {
  const [, scheme = '', at, host = '', port, query = ''] = ADDRESS.exec(url) ?? []
  if (scheme === '') return null
  const protocol = scheme.toLowerCase() === 'srt' ? 'srt' : 'rist'
  const listens = at === '@' || ANY.has(host) || /(^|&)mode=listener(&|$)/.test(query)
  return listens
    ? { protocol, mode: 'listen', host: '', port: Number(port) }
    : { protocol, mode: 'call', host: host.toLowerCase(), port: Number(port) }
}

/** Ports at which an SRT caller brings a picture. Only our own channel server says since when, and takes one caller. */
export function takenPortsOf({ inputs }: StreamDetail): number[] {
  return inputs.flatMap(({ url, stats }) => {
    const address = streamAddressOf(url)
    const isWell = (stats?.error ?? '') === '' && stats?.since !== undefined
    const isTaken = isWell && address?.protocol === 'srt' && address.mode === 'listen'
    return isTaken ? [address.port] : []
  })
}
