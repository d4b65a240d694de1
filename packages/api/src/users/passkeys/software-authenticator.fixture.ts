/** An authenticator as a browser would use it, with keys made by node:crypto, and ways to make it lie. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type {
  CredentialAnswer,
  NewCredential,
  PasskeyCreation,
  PasskeyRequest,
} from '@trunkline/contract/users/passkey.schema'
import { addPasskey, beginPasskey } from '@trunkline/contract/users/passkey.calls'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { FastifyInstance } from 'fastify'
import { inject } from '../../testing/inject.ts'
import { TEST_PASSWORD } from '../../testing/people.ts'

/** As app.inject names the API. */
export const TEST_ORIGIN = 'http://localhost'

/** What an authenticator or a page in between may say other than the truth. */
export interface Lies {
  origin?: string
  rpId?: string
  challenge?: string
  /** Of signatures; the next number otherwise. */
  counter?: number
  /** Signs with a key of its own. */
  isForged?: boolean
  isAbsent?: boolean
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32).toString('base64url')
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #counter = 0

  /** `more`: of the attestation, such as another format. */
  create(
    creation: PasskeyCreation,
    lies: Lies = {},
    more: { fmt?: string; attStmt?: Map<string, unknown> } = {},
  ): NewCredential {
    const id = Buffer.from(this.credentialId, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()])
    const authData = this.#authData(lies.rpId ?? creation.rp.id, lies, attested)
    const attestation = new Map<string, unknown>([
      ['fmt', more.fmt ?? 'none'],
      ['attStmt', more.attStmt ?? new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    return {
      id: this.credentialId,
      clientDataJSON: clientData('webauthn.create', creation.challenge, lies),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      transports: ['internal'],
    }
  }

  get(request: PasskeyRequest, lies: Lies = {}): CredentialAnswer {
    const authData = this.#authData(lies.rpId ?? request.rpId, lies, Buffer.alloc(0))
    const client = clientData('webauthn.get', request.challenge, lies)
    const hash = createHash('sha256').update(Buffer.from(client, 'base64url')).digest()
    return {
      id: this.credentialId,
      clientDataJSON: client,
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', Buffer.concat([authData, hash]), this.#key(lies)).toString(
        'base64url',
      ),
    }
  }

  #key({ isForged = false }: Lies): KeyObject {
    return isForged
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.#keys.privateKey
  }

  #authData(rpId: string, lies: Lies, attested: Buffer): Buffer {
    this.#counter = lies.counter ?? this.#counter + 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    const flags =
      (lies.isAbsent === true ? 0 : PRESENT | VERIFIED) | (attested.length > 0 ? HAS_CREDENTIAL : 0)
    const site = createHash('sha256').update(rpId).digest()
    return Buffer.concat([site, Buffer.from([flags]), counter, attested])
  }

  /** COSE: an EC2 key for ES256 on P-256 (RFC 9053, 2.1 and 7.1). */
  #coseKey(): Uint8Array {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ])
    return isoCBOR.encode(key as never)
  }
}

function clientData(type: string, challenge: string, lies: Lies): string {
  const data = {
    type,
    challenge: lies.challenge ?? challenge,
    origin: lies.origin ?? TEST_ORIGIN,
    crossOrigin: false,
  }
  return Buffer.from(JSON.stringify(data)).toString('base64url')
}

export interface TestPasskey {
  authenticator: SoftwareAuthenticator
  recoveryCodes: readonly string[] | null
}

/** Through the API, as whoever has that token. */
export async function addTestPasskey(
  app: FastifyInstance,
  token: string,
  name = 'Key',
): Promise<TestPasskey> {
  const authenticator = new SoftwareAuthenticator()
  const begun = await inject(app, beginPasskey, token, { body: { currentPassword: TEST_PASSWORD } })
  const { creation } = begun.answer
  const body = { challenge: creation.challenge, name, credential: authenticator.create(creation) }
  const { status, text, answer } = await inject(app, addPasskey, token, { body })
  if (status !== 200) throw new Error(`The passkey was not added: ${text}`)
  return { authenticator, recoveryCodes: answer.recoveryCodes }
}
