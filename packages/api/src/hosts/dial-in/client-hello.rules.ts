/**
 * What a TLS client says first (ClientHello, RFC 8446 section 4.1.2), read before a key is used for it: whether it is
 * there, and for which server name it asks.
 */

export type HelloReading =
  | { kind: 'incomplete' }
  /** It is no TLS, or longer than any client of ours says. */
  | { kind: 'none' }
  | { kind: 'complete'; serverName: string | null }

const RECORD_HEADER_BYTES = 5
const HANDSHAKE_HEADER_BYTES = 4
/** With keys for a key exchange that quantum computers do not break it has less than 2 kB. */
const MAX_RECORD_BYTES = 8192
const HANDSHAKE_RECORD = 22
const CLIENT_HELLO = 1
const SERVER_NAME = 0
/** Version and random bytes. */
const BEFORE_SESSION_BYTES = 34

/** `bytes`: all that came so far. */
export function readClientHello(bytes: Buffer): HelloReading {
  if (bytes.length > 0 && bytes[0] !== HANDSHAKE_RECORD) return { kind: 'none' }
  if (bytes.length < RECORD_HEADER_BYTES) return { kind: 'incomplete' }
  const recordBytes = wordAt(bytes, 3)
  if (recordBytes > MAX_RECORD_BYTES) return { kind: 'none' }
  const record = bytes.subarray(RECORD_HEADER_BYTES, RECORD_HEADER_BYTES + recordBytes)
  if (record.length < recordBytes) return { kind: 'incomplete' }
  if (record[0] !== CLIENT_HELLO) return { kind: 'none' }
  return { kind: 'complete', serverName: serverNameIn(record.subarray(HANDSHAKE_HEADER_BYTES)) }
}

/** null for what has none, and for what is damaged: TLS refuses that. */
function serverNameIn(hello: Buffer): string | null {
  let at = BEFORE_SESSION_BYTES
  at += 1 + byteAt(hello, at)
  // Cipher suites, compression methods, and the length of all extensions.
  at += 2 + wordAt(hello, at)
  at += 1 + byteAt(hello, at)
  at += 2
  while (at < hello.length) {
    const [type, length] = [wordAt(hello, at), wordAt(hello, at + 2)]
    if (type === SERVER_NAME) return nameIn(hello.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}

/** The first of the list, whose kind is always a host name. */
function nameIn(list: Buffer): string | null {
  const name = list.subarray(5, 5 + wordAt(list, 3)).toString('latin1')
  return name === '' ? null : name
}

/** 0 beyond the end. */
function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] ?? 0
}

function wordAt(bytes: Buffer, at: number): number {
  return byteAt(bytes, at) * 256 + byteAt(bytes, at + 1)
}
