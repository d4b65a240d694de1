/** The certificate of a seat while the agent runs: read again when the file changes, renewed over the link. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import type { Logger } from 'pino'
import { CommandRefused } from '../commands/refused.ts'
import { readIdentity, writeIdentity, type Identity } from './identity-file.ts'

/** How soon an enrolment or a deleted file is noticed. */
const LOOK_MS = 500

/** renewed: the same console goes on with another certificate. */
export type IdentityChange = 'renewed' | 'replaced'

/** PEM, all of them. */
export interface SeatTls {
  key: string
  cert: string
  ca: string
}

export class SeatIdentity implements Disposable {
  readonly #file: string
  readonly #log: Logger
  readonly #listeners = new Set<(change: IdentityChange) => void>()
  #identity: Identity | 'damaged' | null

  constructor(file: string, log: Logger) {
    this.#file = file
    this.#log = log
    this.#identity = this.#read()
    watchFile(file, { interval: LOOK_MS, persistent: false }, () => this.look())
  }

  [Symbol.dispose](): void {
    unwatchFile(this.#file)
  }

  /** Also with a file that cannot be read: what was enrolled takes no plain key. */
  get isEnrolled(): boolean {
    return this.#identity !== null
  }

  /** What TLS is served or dialled with; null while there is none. */
  get tlsOptions(): SeatTls | null {
    if (this.#identity === null || this.#identity === 'damaged') return null
    const { key, certificate, authority } = this.#identity
    return { key, cert: certificate, ca: authority }
  }

  /** Where this seat connects to by itself, 'host:port' each; null: the console dials it, or it is not enrolled. */
  get dialTo(): readonly string[] | null {
    if (this.#identity === null || this.#identity === 'damaged') return null
    return this.#identity.dialTo ?? null
  }

  listen(listener: (change: IdentityChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads the file again. */
  look(): void {
    const [before, now] = [this.#identity, this.#read()]
    if (JSON.stringify(before) === JSON.stringify(now)) return
    this.#identity = now
    this.#publish(authorityOf(before) === authorityOf(now) ? 'renewed' : 'replaced')
  }

  /** SubjectPublicKeyInfo, DER in base64; the same until a certificate for it is used. */
  makeNextKey(): string {
    const identity = this.#current()
    const nextKey = identity.nextKey ?? newKey()
    if (identity.nextKey === null) this.#write({ ...identity, nextKey })
    return publicKeyOf(nextKey)
  }

  /** Throws CommandRefused for a certificate that is not for our next key, or not of our authority. */
  use(certificate: string): void {
    const identity = this.#current()
    const { key, authority, nextKey, ...rest } = identity
    if (certificate === identity.certificate) return
    const parsed = parse(certificate)
    const isOurs = (pem: string | null) => pem !== null && isFor(parsed, createPrivateKey(pem))
    // The same key again: the answer of the last time did not arrive.
    const ownKey = isOurs(nextKey) ? nextKey : isOurs(key) ? key : null
    if (ownKey === null || !parsed.verify(new X509Certificate(authority).publicKey)) {
      throw new CommandRefused('This certificate is not for the key of this host.')
    }
    this.#write({ ...rest, key: ownKey, certificate, authority, nextKey: null })
    this.#publish('renewed')
  }

  #current(): Identity {
    if (this.#identity === null || this.#identity === 'damaged') {
      throw new CommandRefused('This host is not enrolled. Enrol it in the console.')
    }
    return this.#identity
  }

  #write(identity: Identity): void {
    writeIdentity(this.#file, identity)
    this.#identity = identity
  }

  #read(): Identity | 'damaged' | null {
    try {
      return readIdentity(this.#file)
    } catch (error) {
      this.#log.error(error instanceof Error ? error.message : String(error))
      return 'damaged'
    }
  }

  #publish(change: IdentityChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}

/** PEM, PKCS 8. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** SubjectPublicKeyInfo, DER in base64. */
export function publicKeyOf(key: string): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
}

function authorityOf(identity: Identity | 'damaged' | null): string | null {
  return identity === null || identity === 'damaged' ? null : identity.authority
}

function parse(certificate: string): X509Certificate {
  try {
    return new X509Certificate(certificate)
  } catch {
    throw new CommandRefused('This is no certificate.')
  }
}

function isFor(certificate: X509Certificate, key: KeyObject): boolean {
  return certificate.checkPrivateKey(key)
}
