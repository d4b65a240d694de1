/** How a seat that connects by itself speaks to the port for agents of its console. */
import { createHash, X509Certificate } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { serverNameOf } from '@trunkline/contract/agent/host-link.messages'
import type { SeatTls } from '../identity/seat-identity.ts'

/** Of an IP address, and a port there. */
export interface DialPlace {
  host: string
  port: number
}

/**
 * Every address of each of these ('host:port') in turn: several API processes may stand behind one name.
 * Throws what the name server says when it knows none of them.
 */
export async function placesOf(dialTo: readonly string[]): Promise<DialPlace[]> {
  const places: DialPlace[] = []
  let fault: Error | null = null
  for (const each of dialTo) {
    const [host = '', port] = each.split(':')
    try {
      const found = await lookup(host, { all: true })
      places.push(...found.map(({ address }) => ({ host: address, port: Number(port) })))
    } catch (error) {
      fault = error instanceof Error ? error : new Error(String(error))
    }
  }
  if (places.length === 0 && fault !== null) throw fault
  return places
}

/**
 * TLS checks that the other end is a console of the authority that enrolled this seat. Its name is not
 * looked at: an address of the console may change. The name that is asked for is ours.
 */
export function dialOptions(place: DialPlace, tlsOptions: SeatTls) {
  return {
    ...place,
    ...tlsOptions,
    minVersion: 'TLSv1.3' as const,
    rejectUnauthorized: true,
    servername: ownServerName(tlsOptions),
    checkServerIdentity: () => undefined,
  }
}

function ownServerName({ cert }: SeatTls): string {
  const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
  return serverNameOf(createHash('sha256').update(publicKey).digest('hex'))
}

/** A sentence or two. */
const MAX_ANSWER_BYTES = 4096

/** The sentence of a refusal; the status where there is none. */
export async function sentenceIn(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes > MAX_ANSWER_BYTES) break
    }
    const { error } = JSON.parse(Buffer.concat(parts).toString()) as { error?: unknown }
    if (typeof error === 'string') return error
  } catch {
    // What is cut off, or no console, has no sentence.
  }
  return `The server at that address is not the console (status ${response.statusCode}).`
}

/** The console has as many hosts waiting as it takes at once: an alert that it sends before TLS is set up. */
export function isToComeLater(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_SSL_TLSV1_ALERT_USER_CANCELLED'
}

/** Of what the socket threw. */
export function dialFault({ host, port }: DialPlace, error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  const at = `${host}:${port}`
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return `The certificate of the console at ${at} is not valid by the clock of this host, which shows ${new Date().toISOString()}. Set the clock, by NTP.`
  }
  if (isToComeLater(error)) {
    return `The console at ${at} has as many hosts waiting for their turn as it takes at once. It is tried again within 5 s.`
  }
  if (OTHER_AUTHORITY.test(code)) {
    return `The console at ${at} is not the one that this seat was enrolled at. Check the address, or enrol the seat again.`
  }
  return `The console at ${at} cannot be reached (${error.message}). Check the network, and that a firewall lets this port out.`
}

const OTHER_AUTHORITY =
  /^(UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_SIGNATURE|INVALID_PURPOSE|CERT_UNTRUSTED)/
