/** Asks a host how it is, without taking a link: by the key of its record, or with certificates. */
import { request as plainRequest, type IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import type { SecureContext } from 'node:tls'
import { z } from 'zod'
import { certificateFault, refusalFault } from '../hosts/certificates/certificate-fault.ts'
import type { HostIdentity, Pin } from '../hosts/certificates/host-access.ts'
import { tlsOptions } from '../hosts/certificates/tls-dial.ts'
import { addressText } from '../hosts/host-address.ts'
import type { HostRecord } from '../hosts/host-record.ts'
import {
  faultOfError,
  notAnAgent,
  timedOut,
  wrongKey,
  type LinkFault,
} from '../hosts/link-fault.ts'
import { OutOfBounds, type DialGuard } from '../security/host-guard.ts'
import type { FlussonicClient } from '../stream-servers/flussonic.client.ts'
import { MediaServerDown, MediaServerRefused } from '../stream-servers/media-server.ts'
import { LOOK, type HostAnswer } from './host.rules.ts'

export interface HostLookOptions {
  guard: DialGuard
  client: FlussonicClient
  clock: () => number
  /** Of the console; null until a host was enrolled. */
  secureContext: SecureContext | null
}

const ANSWER_LIMIT_MS = 5000
const HEALTH_PATH = '/health'
const Health = z.object({ status: z.literal(true), version: z.string() })

/** `identity`: undefined when the host was never enrolled. */
export async function lookAtHost(
  record: HostRecord,
  identity: HostIdentity | undefined,
  options: HostLookOptions,
): Promise<HostAnswer> {
  if (record.answerer === 'media server') return askMediaServer(record, options)
  if (identity?.security === 'revoked') return 'revoked'
  if (identity?.openedBy === 'host') return 'not dialled'
  const { secureContext } = options
  if (identity === undefined || secureContext === null) return askByKey(record, options)
  const answer = await askOverTls(record, identity.pins, secureContext, options)
  // It was given a certificate and has perhaps not used it yet.
  const isByKey = identity.security === 'waiting' && typeof answer === 'object' && !answer.answers
  return isByKey ? askByKey(record, options) : answer
}

async function askMediaServer(
  { baseUrl, apiKey }: HostRecord,
  { client }: HostLookOptions,
): Promise<HostAnswer> {
  try {
    await client.probe({ baseUrl, apiKey })
    return { answers: true, version: null, aheadMs: null, certificateEndsAtMs: null }
  } catch (error) {
    if (error instanceof MediaServerDown || error instanceof MediaServerRefused) {
      return { answers: false, sentence: error.message, fix: '' }
    }
    throw error
  }
}

async function askByKey(record: HostRecord, options: HostLookOptions): Promise<HostAnswer> {
  const headers = { authorization: `Bearer ${record.apiKey}` }
  const answer = await ask(record, options, (common) => plainRequest({ ...common, headers }))
  return answer instanceof Error ? failure(record, answer, options) : read(record, answer, options)
}

async function askOverTls(
  record: HostRecord,
  pins: readonly Pin[],
  secureContext: SecureContext,
  options: HostLookOptions,
): Promise<HostAnswer> {
  let endsAtMs: number | null = null
  const tls = tlsOptions(secureContext, pins, (shown) => (endsAtMs = shown.endsAtMs))
  const answer = await ask(record, options, (common) => secureRequest({ ...common, ...tls }))
  if (answer instanceof Error) return failure(record, answer, options)
  const found = await read(record, answer, options)
  return typeof found === 'object' && found.answers
    ? { ...found, certificateEndsAtMs: endsAtMs }
    : found
}

type Asked = ReturnType<typeof plainRequest>

function commonOf({ address }: HostRecord, { guard }: HostLookOptions) {
  return {
    ...address,
    path: HEALTH_PATH,
    agent: false as const,
    lookup: guard.lookup,
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  }
}

/** Answers the response, or why there is none. */
async function ask(
  record: HostRecord,
  options: HostLookOptions,
  request: (common: ReturnType<typeof commonOf>) => Asked,
): Promise<IncomingMessage | Error> {
  const { host, port } = record.address
  const refusal = options.guard.refusalOf(host, port)
  if (refusal !== null) return refusal
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | Error>()
  const asked = request(commonOf(record, options))
  asked.once('error', resolve)
  asked.once('response', resolve)
  asked.end()
  return promise
}

function failure({ address }: HostRecord, error: Error, { clock }: HostLookOptions): HostAnswer {
  const at = addressText(address)
  if (error.name === 'AbortError') return faultAnswer(timedOut(at))
  const fault = certificateFault(at, error, clock()) ?? faultOfError(at, error, 'agent')
  // It is this console that does not dial it: nothing is wrong on the host.
  return error instanceof OutOfBounds ? faultAnswer(fault, '') : faultAnswer(fault)
}

function faultAnswer({ sentence }: LinkFault, fix = LOOK): HostAnswer {
  return { answers: false, sentence, fix }
}

async function read(
  { address }: HostRecord,
  response: IncomingMessage,
  { clock }: HostLookOptions,
): Promise<HostAnswer> {
  const at = addressText(address)
  const refused = refusalFault(at, response.headers, clock())
  if (refused !== null) return faultAnswer(refused)
  const body = await text(response).catch(() => '')
  if (response.statusCode === 401) return faultAnswer(wrongKey(at))
  const health = Health.safeParse(jsonOf(body))
  if (!health.success) return faultAnswer(notAnAgent(at, 'agent'))
  const atMs = Date.parse(response.headers.date ?? '')
  return {
    answers: true,
    version: health.data.version,
    aheadMs: Number.isNaN(atMs) ? null : atMs - clock(),
    certificateEndsAtMs: null,
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
