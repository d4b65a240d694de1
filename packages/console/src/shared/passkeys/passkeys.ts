/** What the browser does with passkeys (WebAuthn), and what people read when it does not. */
import type {
  CredentialAnswer,
  NewCredential,
  PasskeyCreation,
  PasskeyRequest,
} from '@trunkline/contract/users/passkey.schema'
import { ApiError } from '../../lib/api-error.ts'
import {
  NO_PASSKEY_USED,
  PASSKEY_ADDRESS,
  PASSKEY_CANCELLED,
  PASSKEY_FAILED,
  PASSKEY_KNOWN,
  PASSKEY_UNSUPPORTED,
} from './passkey.messages.ts'

/** @throws ApiError with the sentence for the operator, such as when they cancelled */
export async function createPasskey(creation: PasskeyCreation): Promise<NewCredential> {
  return asking(PASSKEY_CANCELLED, async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(creation)
    const { id, response } = asCredential(await navigator.credentials.create({ publicKey }))
    if (!(response instanceof AuthenticatorAttestationResponse)) throw failure(PASSKEY_FAILED)
    return {
      id,
      clientDataJSON: base64url(response.clientDataJSON),
      attestationObject: base64url(response.attestationObject),
      transports: response.getTransports(),
    }
  })
}

/** @throws ApiError with the sentence for the operator, such as when they cancelled */
export async function answerByPasskey(request: PasskeyRequest): Promise<CredentialAnswer> {
  return asking(NO_PASSKEY_USED, async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request)
    const { id, response } = asCredential(await navigator.credentials.get({ publicKey }))
    if (!(response instanceof AuthenticatorAssertionResponse)) throw failure(PASSKEY_FAILED)
    return {
      id,
      clientDataJSON: base64url(response.clientDataJSON),
      authenticatorData: base64url(response.authenticatorData),
      signature: base64url(response.signature),
    }
  })
}

async function asking<T>(unused: string, ask: () => Promise<T>): Promise<T> {
  // Browsers of before 2025 lack the reading of options; over plain http there is nothing at all.
  if (typeof PublicKeyCredential === 'undefined' || !hasJson()) throw failure(PASSKEY_UNSUPPORTED)
  try {
    return await ask()
  } catch (error) {
    throw error instanceof DOMException ? failure(sentenceOf(error, unused)) : error
  }
}

function hasJson(): boolean {
  return 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** Names of faults: WebAuthn 5.1.3 and 5.1.4. */
function sentenceOf({ name }: DOMException, unused: string): string {
  if (name === 'NotAllowedError' || name === 'AbortError') return unused
  if (name === 'InvalidStateError') return PASSKEY_KNOWN
  if (name === 'SecurityError') return PASSKEY_ADDRESS
  return PASSKEY_FAILED
}

function asCredential(made: Credential | null): PublicKeyCredential {
  if (!(made instanceof PublicKeyCredential)) throw failure(PASSKEY_FAILED)
  return made
}

/** Shown as a refusal of the API is: at the form that asked. */
function failure(sentence: string): ApiError {
  return new ApiError({
    kind: 'refused',
    sentence,
    status: 0,
    code: null,
    field: null,
    issues: [],
    current: null,
    changed: [],
  })
}

function base64url(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
