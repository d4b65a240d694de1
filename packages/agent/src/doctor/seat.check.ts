/** Whether the seats of the agent answer at their ports, and whether a console is linked to them. */
import { X509Certificate } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Seat } from '@trunkline/contract/agent/agent-config.schema'
import {
  DIALS_OUT,
  LINK_REFUSAL_HEADER,
  TLS_ONLY,
} from '@trunkline/contract/agent/host-link.messages'
import { note, ok, wrong, type Finding } from '@trunkline/contract/doctor/finding.rules'
import { DAY_MS } from '@trunkline/contract/durations'
import { textOf } from '../host/files.ts'
import { readIdentity } from '../identity/identity-file.ts'

/** What answers at the port of a seat. */
export type SeatAnswer =
  | { by: 'agent'; isEnrolled: boolean }
  /** It runs with an older configuration. */
  | { by: 'agent with another key' }
  | { by: 'another program' }
  /** A code of Node, such as ECONNREFUSED. */
  | { by: 'nobody'; code: string }

const ANSWER_LIMIT_MS = 5000
const ANY = '0.0.0.0'
/** Renewed when ten days are left: what is closer to its end was not reached in time. */
const ENDS_SOON_MS = 9 * DAY_MS

export async function askSeat({ listenIp, port, key }: Seat): Promise<SeatAnswer> {
  const host = listenIp === ANY ? '127.0.0.1' : listenIp
  const headers = { authorization: `Bearer ${key}` }
  const { promise, resolve } = Promise.withResolvers<SeatAnswer>()
  const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
  const asked = request({ host, port, path: '/health', headers, agent: false, signal })
  asked.once('error', (error) => {
    const code = 'code' in error ? String(error.code) : error.name
    // What does not speak HTTP, or says nothing, is somebody else.
    const isSilent = ['ABORT_ERR', 'ECONNRESET'].includes(code) || code.startsWith('HPE_')
    resolve(isSilent ? { by: 'another program' } : { by: 'nobody', code })
  })
  asked.once('response', (response) => {
    const why = response.headers[LINK_REFUSAL_HEADER]
    const isEnrolled = why === TLS_ONLY || why === DIALS_OUT
    if (isEnrolled) resolve({ by: 'agent', isEnrolled })
    text(response).then(
      (body) => resolve(answerIn(response.statusCode ?? 0, body)),
      () => resolve({ by: 'another program' }),
    )
  })
  asked.end()
  return promise
}

function answerIn(status: number, body: string): SeatAnswer {
  if (status === 200 && body.includes('"kind"')) return { by: 'agent', isEnrolled: false }
  if (status === 401 && body.includes('not the one of this seat')) {
    return { by: 'agent with another key' }
  }
  return { by: 'another program' }
}

/** `addresses`: the IPv4 addresses of this host. */
export function seatFinding(
  { kind, listenIp, port }: Seat,
  answer: SeatAnswer,
  addresses: readonly string[],
): Finding {
  const seat = `the seat ${kind} (port ${port})`
  switch (answer.by) {
    case 'agent':
      return ok(
        `The agent answers at ${seat}${answer.isEnrolled ? ', to its console alone over TLS' : ''}.`,
      )
    case 'agent with another key':
      return wrong(
        `The agent that runs has another key for ${seat} than its configuration.`,
        'systemctl restart trunkline-agent (no stream is touched)',
      )
    case 'another program':
      return wrong(
        `Another program answers at port ${port}, which is to be ${seat}.`,
        `End it (ss -tlnp sport = :${port}), or change the port in the agent's configuration`,
      )
    case 'nobody':
      return listenIp !== ANY && !addresses.includes(listenIp)
        ? wrong(
            `This host has no address ${listenIp}, at which ${seat} is to listen. It has ${addresses.join(', ')}.`,
            "Change listenIp in the agent's configuration",
          )
        : wrong(
            `Nothing answers at ${seat} (${answer.code}): the agent does not run.`,
            'systemctl start trunkline-agent; what it says: journalctl -u trunkline-agent -n 20',
          )
  }
}

/** Addresses that have an open connection to a TCP port of this host. `tables`: of /proc/net/tcp. */
export function peersAt(port: number, tables: string): string[] {
  const found = tables.split('\n').flatMap((line) => {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/)
    const isOurs = Number.parseInt(local.split(':')[1] ?? '', 16) === port
    return isOurs && state === ESTABLISHED ? [ipv4Of(remote.split(':')[0] ?? '')] : []
  })
  return [...new Set(found)]
}

const ESTABLISHED = '01'

export function readTcpTables(): string {
  return textOf('/proc/net/tcp') + textOf('/proc/net/tcp6')
}

/** The last four bytes, in the machine's order: of an IPv4 address in IPv6 they are all that counts. */
function ipv4Of(hex: string): string {
  const last = hex.slice(-8)
  return [6, 4, 2, 0].map((at) => Number.parseInt(last.slice(at, at + 2), 16)).join('.')
}

/** Whether the port is open to the console shows by its link alone: only the console dials. */
export function linkFinding({ kind, port }: Seat, peers: readonly string[]): Finding {
  if (peers.length > 0) {
    return ok(`A console is linked to the seat ${kind} (port ${port}), from ${peers.join(', ')}.`)
  }
  return note(
    `No console is linked to the seat ${kind} (port ${port}).`,
    `If one should be: its row in the console says why not. Does a firewall let TCP port ${port} in? nft list ruleset`,
  )
}

/** Of an enrolled seat; nothing of one that is reached by its key. */
export function certificateFindings(seat: Seat, file: string, nowMs: number): Finding[] {
  try {
    const identity = readIdentity(file)
    if (identity === null) return []
    const endsAtMs = new X509Certificate(identity.certificate).validToDate.getTime()
    return [certificateFinding(seat, endsAtMs, nowMs)]
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error)
    return [wrong(sentence, 'Enrol the seat again: the console shows the command')]
  }
}

export function certificateFinding({ kind }: Seat, endsAtMs: number, nowMs: number): Finding {
  const what = `The certificate of the seat ${kind}`
  const day = new Date(endsAtMs).toISOString().slice(0, 10)
  if (endsAtMs <= nowMs) {
    return wrong(
      `${what} ended on ${day}: the console does not take it any more.`,
      'Enrol the seat again: the console shows the command',
    )
  }
  if (endsAtMs - nowMs > ENDS_SOON_MS) return ok(`${what} is good until ${day}.`)
  return wrong(
    `${what} ends on ${day} and was not renewed, because no console was linked.`,
    'See why the console does not reach this host, before that day',
  )
}
