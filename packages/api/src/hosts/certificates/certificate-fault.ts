/** Why a host is not trusted, or does not trust this console, in an operator's words. */
import {
  LINK_CLOCK_HEADER,
  LINK_REFUSAL_HEADER,
  DIALS_OUT,
  TLS_ONLY,
} from '@trunkline/contract/agent/host-link.messages'
import type { IncomingHttpHeaders } from 'node:http'
import { faultOfError, notAnAgent, wrongKey, type LinkFault } from '../link-fault.ts'

/** Thrown while TLS is set up: the certificate is of our authority, and of another host. */
export class OtherHost extends Error {}

/** What TLS says where nothing on the other side speaks it; the code is that of any broken protocol. */
const NO_TLS = /wrong version number|packet length too long|http request|unexpected message/
const OTHER_AUTHORITY = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
])
const CLOCK = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

/** A host that is busy may also cut what it does not understand without an answer. */
export function maySpeakPlain(error: unknown): boolean {
  return isWithoutTls(error) || codeOf(error) === 'ECONNRESET'
}

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === 'EPROTO' && NO_TLS.test(error.message)
}

/** Of what the socket of a link threw. */
export function errorFault(at: string, error: Error, nowMs: number): LinkFault {
  return certificateFault(at, error, nowMs) ?? faultOfError(at, error, 'agent')
}

/** Of an answer that is no link. */
export function answerFault(
  at: string,
  { status, headers }: { status: number | undefined; headers: IncomingHttpHeaders },
  nowMs: number,
): LinkFault {
  const fault = refusalFault(at, headers, nowMs)
  return fault ?? (status === 401 ? wrongKey(at) : notAnAgent(at, 'agent'))
}

/** Of what the TLS socket threw; null for what has nothing to do with certificates. */
export function certificateFault(at: string, error: unknown, nowMs: number): LinkFault | null {
  const code = codeOf(error)
  const now = momentText(nowMs)
  if (error instanceof OtherHost) {
    return fault(
      `The certificate of the host ${at} is valid, but it is not the certificate of this host: another agent answers there. Check the address. If the agent was replaced, enrol the host again.`,
    )
  }
  if (isWithoutTls(error)) {
    return fault(
      `The host ${at} answers without encryption, and it is enrolled. Another agent may answer there. If its data folder was lost, enrol the host again.`,
    )
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return fault(
      `The certificate of the host ${at} has expired: it was not reached in time for a new certificate. Enrol the host again. The clock of this console shows ${now}: if that is wrong, set the clock instead.`,
    )
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return fault(
      `The certificate of the host ${at} is not valid yet: the clock of this console is wrong, it shows ${now}. Set the clock.`,
    )
  }
  if (OTHER_AUTHORITY.has(code)) {
    return fault(
      `The certificate of the host ${at} comes from another authority: it was enrolled at another console, or something else answers there. Check the address, then enrol the host again.`,
    )
  }
  if (code === 'INVALID_PURPOSE') {
    return fault(
      `The certificate of the host ${at} is not made for a host agent: something else answers there. Check the address.`,
    )
  }
  return null
}

/** Of an answer of 403: the agent refused our certificate, or wants one; null for any other refusal. */
export function refusalFault(
  at: string,
  headers: IncomingHttpHeaders,
  nowMs: number,
): LinkFault | null {
  const code = textOf(headers[LINK_REFUSAL_HEADER])
  if (code === '') return null
  if (code === TLS_ONLY) {
    return fault(
      `The host ${at} takes encrypted connections only: it is enrolled, and this console has no record of that. Enrol the host again.`,
    )
  }
  if (code === DIALS_OUT) {
    return fault(
      `The host ${at} is enrolled to connect to its console by itself, and takes no connections. Enrol the host again, with or without “The host connects to the console”.`,
    )
  }
  if (CLOCK.has(code)) {
    const theirs = Number(textOf(headers[LINK_CLOCK_HEADER]))
    return fault(
      `The clock of the host ${at} is wrong, so it rejects this console’s certificate: it shows ${momentText(theirs)}, and the console’s clock ${momentText(nowMs)}. Set the clock of the host, by NTP.`,
    )
  }
  return fault(
    `The host ${at} does not take this console’s certificate: it was enrolled at another console, or this one has a new authority. Enrol the host again.`,
  )
}

export function revoked(at: string): LinkFault {
  return fault(
    `The certificate of the host ${at} was revoked: it is cut off from this console. Its streams go on. Enrol the host again to reach it.`,
  )
}

export function noCertificateYet(at: string): LinkFault {
  return fault(
    `The host ${at} is not dialled: this console is making its certificate. It is tried again at once.`,
  )
}

function fault(sentence: string): LinkFault {
  return { kind: 'certificate', sentence }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}

/** '2026-05-03 14:01 UTC'. */
export function momentText(atMs: number): string {
  const at = new Date(atMs)
  if (Number.isNaN(at.getTime())) return 'an impossible time'
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
