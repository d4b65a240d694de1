/**
 * X.509 certificates of the site: its authority, its API processes and its host agents. Node signs and
 * checks them, and cannot write one: the structure comes from @peculiar/asn1-x509 (docs/adr/0053).
 */
import { randomBytes, sign, type KeyObject } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'

/**
 * What the holder is: OpenSSL checks it at each end of TLS, so that none passes as another. Who opens
 * the connection is a client: the console that dials its agents, or an agent that dials out. Those two
 * are of different authorities (site-authority.ts).
 */
export type Purpose = 'authority' | 'console' | 'agent' | 'console for agents' | 'agent that dials'

export interface CertificateRequest {
  purpose: Purpose
  /** The name of the holder, for whoever reads the certificate. */
  subject: string
  /** SubjectPublicKeyInfo, DER. */
  publicKey: Buffer
  notBeforeMs: number
  notAfterMs: number
}

export interface Issuer {
  subject: string
  key: KeyObject
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const SERIAL_BYTES = 16
const PEM_COLUMNS = 64

/** PEM, signed by the issuer's P-256 key. */
export function issueCertificate(request: CertificateRequest, issuer: Issuer): string {
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })
  const content = new TBSCertificate({
    version: Version.v3,
    serialNumber: bytesOf(serialNumber()),
    signature: algorithm,
    issuer: nameOf(issuer.subject),
    validity: new Validity({
      notBefore: new Date(request.notBeforeMs),
      notAfter: new Date(request.notAfterMs),
    }),
    subject: nameOf(request.subject),
    subjectPublicKeyInfo: AsnConvert.parse(request.publicKey, SubjectPublicKeyInfo),
    extensions: new Extensions(extensionsFor(request.purpose)),
  })
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(content)), issuer.key)
  const whole = new Certificate({
    tbsCertificate: content,
    signatureAlgorithm: algorithm,
    signatureValue: bytesOf(signature),
  })
  return pemOf(Buffer.from(AsnConvert.serialize(whole)))
}

function extensionsFor(purpose: Purpose): Extension[] {
  if (purpose === 'authority') {
    return [
      critical(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 })),
      critical(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign)),
    ]
  }
  const isClient = purpose === 'console' || purpose === 'agent that dials'
  const use = isClient ? id_kp_clientAuth : id_kp_serverAuth
  return [
    critical(id_ce_basicConstraints, new BasicConstraints({ cA: false })),
    critical(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature)),
    critical(id_ce_extKeyUsage, new ExtendedKeyUsage([use])),
  ]
}

function critical(extnID: string, content: object): Extension {
  return new Extension({
    extnID,
    critical: true,
    extnValue: new OctetString(AsnConvert.serialize(content)),
  })
}

function nameOf(text: string): Name {
  const value = new AttributeValue({ utf8String: text })
  return new Name([
    new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })]),
  ])
}

/** Positive, as a serial number has to be. */
function serialNumber(): Buffer {
  const bytes = randomBytes(SERIAL_BYTES)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

/** The library keeps the buffer: one of its own, not a part of Node's pool. */
function bytesOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(new RegExp(`.{1,${PEM_COLUMNS}}`, 'g')) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
