/** What goes between a browser and the API about passkeys: WebAuthn Level 3, JSON as it defines it. */
import { z } from 'zod'
import { oneLine } from '../text.schema.ts'

/** Binary data as base64url without padding. */
function binary(maxBytes: number) {
  const most = Math.ceil((maxBytes * 4) / 3)
  return z
    .string()
    .min(1, 'must not be empty.')
    .max(most, `must be at most ${maxBytes} bytes long.`)
    .regex(/^[\w-]*$/, 'must be base64url without padding.')
}

/** 1023 bytes at most (WebAuthn 4, Credential ID). */
const CredentialId = binary(1023)
/** How a browser reaches it, such as 'usb' or 'internal'. */
const Transports = z.array(z.string().max(32)).max(10)
/** Type, challenge and origin as the browser saw them. */
const ClientData = binary(4096)

/** What its owner calls it: 'Key in the safe', 'Telephone'. */
export const PasskeyName = oneLine(60)

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
})

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const PasskeyCreation = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  /** Milliseconds. */
  timeout: z.number(),
  /** Those of the account: an authenticator has one of them at most. */
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('discouraged'),
    userVerification: z.literal('preferred'),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreation = z.infer<typeof PasskeyCreation>

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** Milliseconds. */
  timeout: z.number(),
  allowCredentials: z.array(Descriptor),
  userVerification: z.literal('preferred'),
})
export type PasskeyRequest = z.infer<typeof PasskeyRequest>

/** Of `navigator.credentials.create`. */
export const NewCredential = z.strictObject({
  id: CredentialId,
  clientDataJSON: ClientData,
  /** An RSA key with its frame takes less than 1 kB; no authenticator is attested here. */
  attestationObject: binary(8192),
  transports: Transports,
})
export type NewCredential = z.infer<typeof NewCredential>

/** Of `navigator.credentials.get`. */
export const CredentialAnswer = z.strictObject({
  id: CredentialId,
  clientDataJSON: ClientData,
  authenticatorData: binary(4096),
  signature: binary(1024),
})
export type CredentialAnswer = z.infer<typeof CredentialAnswer>
