/**
 * The one secret of this installation and what is derived from it: a key for secrets at rest
 * (AES-256-GCM) and a key for session tokens. It lives outside the data folder and the database,
 * so that a copied database or backup opens nothing (decisions.md 25).
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

export interface Keys {
  /** Encrypts a text for the database. */
  seal(text: string): string
  /** Throws when the text was sealed with another key or was changed since. */
  open(sealed: string): string
  /** Signs session tokens. */
  readonly tokenSecret: Buffer
  /** Of the record of activity. */
  readonly recordSealKey: Buffer
  /** By which API processes of this installation know each other. */
  readonly processKey: string
  /** Which key this is, without telling it; stands in every sealed text. */
  readonly id: string
}

export const SECRET_BYTES = 32
/** 24 bytes are 32 characters, which every tool and form takes. */
const RANDOM_KEY_BYTES = 24
const FORMAT = 'v1'
const CIPHER = 'aes-256-gcm'
/** The nonce size that GCM is specified for. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
const ID_CHARACTERS = 8

/** A key or passphrase that nobody typed. */
export function randomKey(): string {
  return randomBytes(RANDOM_KEY_BYTES).toString('base64url')
}

export function keysFrom(secret: Buffer): Keys {
  const sealKey = derive(secret, 'trunkline secrets at rest')
  const id = createHash('sha256').update(sealKey).digest('hex').slice(0, ID_CHARACTERS)
  const opened = new Opened()
  return {
    id,
    tokenSecret: derive(secret, 'trunkline session tokens'),
    recordSealKey: derive(secret, 'trunkline seals of the record of activity'),
    processKey: derive(secret, 'trunkline api processes').toString('base64url'),
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, sealKey, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const bytes = Buffer.concat([nonce, cipher.getAuthTag(), body])
      return `${FORMAT}.${id}.${bytes.toString('base64url')}`
    },
    open(sealed) {
      return opened.get(sealed, () => {
        const [format, keyId, encoded = ''] = sealed.split('.')
        if (format !== FORMAT || keyId !== id) {
          throw new Error(`A stored secret was sealed with another key (${keyId ?? 'none'}).`)
        }
        return unsealed(sealKey, Buffer.from(encoded, 'base64url'))
      })
    },
  }
}

/** Some 200 bytes each: those of the hosts and links that are worked on. */
const OPENED_LIMIT = 5000

/**
 * What was unsealed last, by its sealed text: a save and a reconnecting host ask for the same few
 * again and again. The keys of all hosts are in memory anyway, for their links.
 */
class Opened {
  readonly #texts = new Map<string, string>()

  get(sealed: string, open: () => string): string {
    const known = this.#texts.get(sealed)
    if (known !== undefined) return known
    const text = open()
    // The first key of a Map is the one that was put in first.
    const [oldest] = this.#texts.keys()
    if (this.#texts.size >= OPENED_LIMIT && oldest !== undefined) this.#texts.delete(oldest)
    this.#texts.set(sealed, text)
    return text
  }
}

function unsealed(sealKey: Buffer, bytes: Buffer): string {
  try {
    const decipher = createDecipheriv(CIPHER, sealKey, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch (error) {
    throw new Error('A stored secret is damaged.', { cause: error })
  }
}

function derive(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, SECRET_BYTES))
}
