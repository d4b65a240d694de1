/** A message was not taken: what happened, and what to do. */
export class DeliveryFault extends Error {}

/** Of a connection that could not be made, or broke; null where the code is no such fault. */
export function connectionFault(error: unknown, where: string): DeliveryFault | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = SENTENCES[code]
  return sentence === undefined ? null : new DeliveryFault(`${where} ${sentence}`)
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection. Check the port, and that the service runs.',
  ENOTFOUND: 'is not a name that the name server knows. Check the host.',
  EAI_AGAIN: 'could not be looked up: the name server does not answer.',
  EHOSTUNREACH: 'is unreachable. Check the network.',
  ENETUNREACH: 'is unreachable. Check the network.',
  ECONNRESET: 'closed the connection.',
  UND_ERR_SOCKET:
    'closed the connection. Check the port, and whether the address begins with http or https.',
  EPIPE: 'closed the connection.',
  ETIMEDOUT: 'does not answer. Check the host, the port and the firewall.',
  UND_ERR_CONNECT_TIMEOUT: 'does not answer. Check the host, the port and the firewall.',
  UND_ERR_HEADERS_TIMEOUT: 'took the message, but does not answer.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not use TLS on this port. Check the port and the encryption.',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted(),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted(),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted(),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted(),
  CERT_HAS_EXPIRED: 'has a certificate that is out of date. Renew it.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'has a certificate for another name. Use the name in the certificate.',
}

function untrusted(): string {
  return 'has a certificate that is not trusted. Use one of a known authority, or start the API with NODE_EXTRA_CA_CERTS.'
}
