/**
 * `trunkline-agent enrol`: gets a certificate for a seat from the console, by a code that the console
 * shows once. A running agent uses it within a second; no stream is touched.
 */
import { parseArgs } from 'node:util'
import type { AgentConfig, Seat } from '@trunkline/contract/agent/agent-config.schema'
import { readCode } from '@trunkline/contract/enrolment/enrolment-code.rules'
import { enrolHost } from '@trunkline/contract/enrolment/enrolment.calls'
import {
  answerText,
  requestText,
  type EnrolmentAnswer,
  type EnrolmentRequest,
} from '@trunkline/contract/enrolment/enrolment.schema'
import { z } from 'zod'
import { DEFAULT_CONFIG, readConfig } from '../config.ts'
import { isSameSecret } from '../secret.ts'
import { proofOf, secretsOf, type CodeSecrets } from './code-proof.ts'
import { writeConsole } from './console-file.ts'
import { identityFile, writeIdentity } from './identity-file.ts'
import { ownersOf } from './seat-identities.ts'
import { newKey, publicKeyOf } from './seat-identity.ts'

/** Its message is a sentence with the fix. */
class EnrolmentFailed extends Error {
  override readonly name = 'EnrolmentFailed'
}

const USAGE = `Usage: trunkline-agent enrol --console <address of the console> --code <code> [--config ${DEFAULT_CONFIG}] [--seat <port>] [--dial-out]`
const ANSWER_LIMIT_MS = 30_000

/** Answers what to print. Throws EnrolmentFailed or ConfigRefused; nothing is changed then. */
export async function enrol(args: readonly string[]): Promise<string> {
  const asked = readArgs(args)
  const config = readConfig(asked.config)
  const secrets = secretsOf(asked.code)
  const key = newKey()
  const request = signedRequest(secrets, {
    codeId: secrets.codeId,
    publicKey: publicKeyOf(key),
    seats: seatsFor(config, asked.seat).map(nameOf),
    clock: new Date().toISOString(),
    ...(asked.dialsOut ? { dialsOut: true } : {}),
  })
  const answer = await send(asked.console, request)
  assertFromConsole(secrets, request, answer)
  const { certificate, authority, seat, linkAddresses = [] } = answer
  const dialTo = linkAddresses.map((place) => withHost(place, asked.console.hostname))
  const owner = ownerOf(config, seat)
  writeIdentity(identityFile(config.dataDir, owner), {
    key,
    certificate,
    authority,
    nextKey: null,
    ...(asked.dialsOut ? { dialTo } : {}),
  })
  writeConsole(config.dataDir, asked.console.origin)
  const used = asked.dialsOut
    ? `A running agent connects to ${dialTo.join(', ')} within a second`
    : 'A running agent uses the certificate within a second'
  return `The seat ${seat} is enrolled. ${used}; no stream is touched.`
}

/** ':7443' is at the console itself. */
function withHost(place: string, host: string): string {
  return place.startsWith(':') ? `${host}${place}` : place
}

interface Asked {
  console: URL
  code: string
  config: string
  /** Its port; null: whichever the code is for. */
  seat: number | null
  /** The host connects to the console; else the console dials it. */
  dialsOut: boolean
}

function readArgs(args: readonly string[]): Asked {
  const values = parse(args)
  const code = readCode(values.code ?? '')
  const console = URL.parse(values.console ?? '')
  if (values.console === undefined || values.code === undefined) throw new EnrolmentFailed(USAGE)
  if (code === null) {
    throw new EnrolmentFailed(
      'This is no code: a code has four groups of five letters and digits. Type it as the console shows it.',
    )
  }
  if (console === null || !/^https?:$/.test(console.protocol)) {
    throw new EnrolmentFailed(
      'The address of the console must begin with http:// or https://, as in a browser.',
    )
  }
  const seat = values.seat === undefined ? null : Number(values.seat)
  const dialsOut = values['dial-out'] === true
  return { console, code, config: values.config ?? DEFAULT_CONFIG, seat, dialsOut }
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...args],
      options: {
        console: text,
        code: text,
        config: text,
        seat: text,
        'dial-out': { type: 'boolean' },
      },
    }).values
  } catch {
    throw new EnrolmentFailed(USAGE)
  }
}

function seatsFor({ seats }: AgentConfig, port: number | null): Seat[] {
  const linked = seats.filter(({ kind }) => kind !== 'channel')
  const meant = port === null ? linked : linked.filter((seat) => seat.port === port)
  if (meant.length > 0) return meant
  throw new EnrolmentFailed(
    port === null
      ? 'This agent has channel seats only, which players reach over HTTP: there is nothing to enrol.'
      : `There is no seat with port ${port} that can be enrolled. The configuration has: ${linked.map((seat) => seat.port).join(', ') || 'none'}.`,
  )
}

function nameOf({ kind, port }: Seat): string {
  return `${kind}:${port}`
}

function signedRequest(
  { proofKey }: CodeSecrets,
  request: Omit<EnrolmentRequest, 'proof'>,
): EnrolmentRequest {
  return { ...request, proof: proofOf(proofKey, requestText(request)) }
}

const Failure = z.object({ error: z.string() })

async function send(console: URL, request: EnrolmentRequest): Promise<EnrolmentAnswer> {
  const { status, body } = await post(new URL(enrolHost.path, console), request)
  const reply = enrolHost.reply.safeParse(body)
  if (reply.success) return reply.data.data
  const failure = Failure.safeParse(body)
  throw new EnrolmentFailed(
    failure.success
      ? failure.data.error
      : `What answers at ${console.origin} is not the console (status ${status}). Check the address.`,
  )
}

async function post(
  url: URL,
  request: EnrolmentRequest,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    })
    return { status: response.status, body: await response.json().catch(() => null) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EnrolmentFailed(
      mayHaveArrived(cause)
        ? `The console at ${url.origin} did not answer (${reason}), and may have used the code. Run this again. If the code is refused then, make a new code in the console.`
        : `The console at ${url.origin} cannot be reached (${reason}). Check the address and the network, then run this again: the code is still good.`,
    )
  }
}

/** Of a connection that was there, or may have been: the limit ended it, or it was cut. */
const LOST_ANSWER = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

function mayHaveArrived(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  return (
    cause.name === 'TimeoutError' || ('code' in cause && LOST_ANSWER.includes(String(cause.code)))
  )
}

/** Somebody between the two cannot have made it: the proof needs the code. */
function assertFromConsole(
  { proofKey }: CodeSecrets,
  request: EnrolmentRequest,
  answer: EnrolmentAnswer,
): void {
  if (isSameSecret(answer.proof, proofOf(proofKey, answerText(request, answer)))) return
  throw new EnrolmentFailed(
    'The answer does not come from the console that made the code: somebody changed it on the way. Nothing was stored. Check the network, then make a new code.',
  )
}

function ownerOf({ seats }: AgentConfig, name: string): string {
  const found = ownersOf(seats).find(([seat]) => nameOf(seat) === name)
  if (found !== undefined) return found[1]
  throw new EnrolmentFailed(`The configuration has no seat ${name} any more.`)
}
