/** Why a host cannot be reached, in an operator's words. */

import type { HostFaultKind } from '@trunkline/contract/fleet/fleet.schema'
import { OutOfBounds } from '../security/host-guard.ts'

export interface LinkFault {
  kind: HostFaultKind
  /** One sentence: cause and fix. */
  sentence: string
}

/** What is asked of a host differs by who answers there: our agent, or a media server's HTTP API. */
export type Answerer = 'agent' | 'media server'

export function wrongKey(at: string): LinkFault {
  return {
    kind: 'wrong-key',
    sentence: `The host ${at} refuses the API key. Correct the key in its record.`,
  }
}

export function notAnAgent(at: string, answerer: Answerer): LinkFault {
  const what = answerer === 'agent' ? 'host agent' : 'media server'
  return {
    kind: 'not-an-agent',
    sentence: `Something answers at ${at}, but it is not a ${what}. Correct the port or the server type.`,
  }
}

export function timedOut(at: string): LinkFault {
  return {
    kind: 'timeout',
    sentence: `The host ${at} does not answer. Check that it is on and that the network lets this port through.`,
  }
}

/** Another API process is about to have the link, or does not say that it has it. */
export function linkMoves(at: string): LinkFault {
  return {
    kind: 'timeout',
    sentence: `The link to the host ${at} is moving to another API process. Try again in a few seconds.`,
  }
}

/** `process`: where the API process listens that has the link. */
export function processAway(at: string, process: string): LinkFault {
  return {
    kind: 'timeout',
    sentence: `The API process at ${process} has the link to the host ${at} and does not answer. Check that the API processes reach each other.`,
  }
}

/** Of what the socket or the HTTP client threw. */
export function faultOfError(at: string, error: unknown, answerer: Answerer): LinkFault {
  if (error instanceof OutOfBounds) return { kind: 'refused', sentence: error.message }
  const code = codeOf(error)
  if (TIMEOUTS.has(code) || isHandshakeTimeout(error)) return timedOut(at)
  if (code.startsWith('HPE_') || code.startsWith('WS_ERR')) return notAnAgent(at, answerer)
  return { kind: 'refused', sentence: sentenceOfCode(at, code, answerer) }
}

/** Of a WebSocket. */
function isHandshakeTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Opening handshake has timed out'
}

const TIMEOUTS = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ABORT_ERR',
  'TimeoutError',
])

function sentenceOfCode(at: string, code: string, answerer: Answerer): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `The name of host ${at} cannot be resolved. Correct the host, or use its IPv4 address.`
  }
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') {
    return `There is no route to host ${at}. Check the address and the network.`
  }
  if (code === 'ECONNREFUSED') {
    const what = answerer === 'agent' ? 'the host agent' : 'the media server'
    return `The host ${at} refuses the connection. Start ${what} there, or correct the port.`
  }
  return `The host ${at} closed the connection${code === '' ? '' : ` (${code})`}.`
}

/** Node's codes sit on the error, on its cause, or on the first of an AggregateError. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error.name === 'TimeoutError') return error.name
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return codeOf(error.cause)
}
