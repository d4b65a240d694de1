/** A stream server as we reach it, and what it may answer with. */
import type { LinkFault } from '../hosts/link-fault.ts'

export interface MediaServer {
  /** http(s)://host:port, no slash at the end. */
  baseUrl: string
  /** Sent as bearer token (flussonic.client.ts). */
  apiKey: string
}

/** `host` as the operator typed it: bare, or with a scheme (Q119). */
export function baseUrlOf(host: string, port: number): string {
  const scheme = /^https:\/\//i.test(host) ? 'https' : 'http'
  const bare = host.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  return `${scheme}://${bare}:${port}`
}

/** Where a browser finds playlists: a host with a scheme is used as it is (Q119, CHAN-32). */
export function playerOriginOf(host: string, port: number): string {
  return /^https?:\/\//i.test(host) ? host.replace(/\/$/, '') : `http://${host}:${port}`
}

/** Names may hold slashes, which part the path (dataplane.md 7). */
export function encodeName(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/')
}

/** The server could not be asked, or its answer was no answer. */
export class MediaServerDown extends Error {
  readonly fault: LinkFault

  constructor(fault: LinkFault) {
    super(fault.sentence)
    this.fault = fault
  }
}

/** 'unknown call': the server does not have what it was asked to do. */
export type RefusalKind = 'unknown stream' | 'unknown call' | 'refused'

/** The server answered that it will not: no such stream, or a configuration it refuses. */
export class MediaServerRefused extends Error {
  readonly kind: RefusalKind

  constructor(message: string, kind: RefusalKind) {
    super(message)
    this.kind = kind
  }
}
