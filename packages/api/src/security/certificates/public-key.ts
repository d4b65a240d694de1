/** Public keys of host agents: read from what an agent sent, and named by their hash. */
import { createHash, createPublicKey, type X509Certificate } from 'node:crypto'

/** SHA-256 of the holder's public key, hexadecimal: what a host record is pinned to. */
export function keyHashOf(certificate: X509Certificate): string {
  return hashOfKey(certificate.publicKey.export({ type: 'spki', format: 'der' }))
}

/** `publicKey`: SubjectPublicKeyInfo, DER. */
export function hashOfKey(publicKey: Buffer): string {
  return createHash('sha256').update(publicKey).digest('hex')
}

/** SubjectPublicKeyInfo, DER, of a P-256 key in base64; null when it is none. */
export function parsePublicKey(base64: string): Buffer | null {
  try {
    const bytes = Buffer.from(base64, 'base64')
    const key = createPublicKey({ key: bytes, format: 'der', type: 'spki' })
    const isP256 =
      key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
    return isP256 ? key.export({ type: 'spki', format: 'der' }) : null
  } catch {
    return null
  }
}
