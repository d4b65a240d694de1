/** Where passkeys of this console work: their relying party id and origin (WebAuthn 4 and 5.1). */
import { isIP } from 'node:net'

export interface RelyingParty {
  /** A name, without port. */
  id: string
  /** Scheme, name and port, as the browser writes them into what is signed. */
  origin: string
}

const NEEDS_NAME =
  'Passkeys do not work with an IP address. Open the console by a name with https, or set TRUNKLINE_PUBLIC_URL.'
const NEEDS_TLS =
  'Passkeys need https. Open the console by a name with https, or at localhost on the machine itself.'

/**
 * `publicUrl`: of the settings; null: `origin`, as the request names it. A false name there gains
 * nothing: a passkey is offered only where it was made, and a browser signs the name that it shows.
 */
export function relyingPartyOf(
  { publicUrl }: { readonly publicUrl: string | null },
  origin: string,
): RelyingParty | { refusal: string } {
  const url = URL.parse(publicUrl ?? origin)
  if (url === null) return { refusal: NEEDS_NAME }
  const id = url.hostname
  const isHere = id === 'localhost' && url.protocol === 'http:'
  if (isIP(id) !== 0 || id.startsWith('[')) return { refusal: NEEDS_NAME }
  if (url.protocol !== 'https:' && !isHere) return { refusal: NEEDS_TLS }
  return { id, origin: url.origin }
}
