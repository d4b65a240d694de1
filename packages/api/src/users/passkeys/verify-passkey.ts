/** What a browser answers about a passkey, checked by @simplewebauthn/server (ADR 0070). */
import type {
  CredentialAnswer,
  NewCredential,
  PasskeyCreation,
  PasskeyRequest,
} from '@trunkline/contract/users/passkey.schema'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { fullNameOf } from '../user.service.ts'
import type { UserRecord } from '../user.store.ts'
import type { StoredPasskey } from './passkey.store.ts'
import type { RelyingParty } from './relying-party.rules.ts'

/** EdDSA, ES256 and RS256 (IANA, COSE algorithms): what authenticators have. */
const ALGORITHMS = [-8, -7, -257]
/** Time to fetch a key. */
const TIMEOUT_MS = 120_000

/** `passkeys`: those of the account. */
export function creationFor(
  user: UserRecord,
  party: RelyingParty,
  challenge: string,
  passkeys: readonly StoredPasskey[],
): PasskeyCreation {
  return {
    rp: { id: party.id, name: PRODUCT_NAME },
    user: {
      id: Buffer.from(user.id).toString('base64url'),
      name: user.email,
      displayName: fullNameOf(user),
    },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: TIMEOUT_MS,
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    attestation: 'none',
  }
}

/** Null when none of them works there. */
export function requestFor(
  passkeys: readonly StoredPasskey[],
  party: RelyingParty | { refusal: string },
  challenge: string,
): PasskeyRequest | null {
  if ('refusal' in party) return null
  const here = passkeys.filter(({ site }) => site === party.id)
  if (here.length === 0) return null
  return {
    challenge,
    rpId: party.id,
    timeout: TIMEOUT_MS,
    allowCredentials: here.map(descriptorOf),
    userVerification: 'preferred',
  }
}

function descriptorOf({ credentialId, transports }: StoredPasskey) {
  return { id: credentialId, type: 'public-key' as const, transports: [...transports] }
}

/** Null for what no authenticator made for this challenge and this console. */
export async function checkNewPasskey(
  { id, clientDataJSON, attestationObject }: NewCredential,
  party: RelyingParty,
  challenge: string,
): Promise<Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter'> | null> {
  try {
    assertNotAttested(attestationObject)
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    const credential = registrationInfo?.credential
    // The id that was sent may be another than the one in what the authenticator made.
    if (credential?.id !== id) return null
    const publicKey = Buffer.from(credential.publicKey).toString('base64url')
    return { credentialId: id, publicKey, counter: credential.counter }
  } catch {
    return null
  }
}

/**
 * No attestation is asked for, and browsers then send none, or that of the passkey itself. One with
 * certificates would be checked against revocation lists at addresses that the certificates name:
 * whoever adds a passkey must not make the API call those.
 */
function assertNotAttested(attestationObject: string): void {
  const decoded = decodeAttestationObject(bytesOf(attestationObject))
  const format = decoded.get('fmt')
  const isOfItself = format === 'packed' && decoded.get('attStmt').get('x5c') === undefined
  if (format !== 'none' && !isOfItself) throw new Error(`An attestation of the format ${format}.`)
}

/** Answers the counter that was signed; null for a signature that is not by this passkey, of this challenge, here. */
export async function checkSignature(
  passkey: StoredPasskey,
  { id, clientDataJSON, authenticatorData, signature }: CredentialAnswer,
  party: RelyingParty,
  challenge: string,
): Promise<number | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      // The counter is compared where it is stored: of two processes one takes it.
      credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}
