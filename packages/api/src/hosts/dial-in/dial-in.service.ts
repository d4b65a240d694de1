/**
 * Hosts that cannot be dialled connect to this process: who they are follows from the pinned key, and
 * from then on they have the same link as hosts that were dialled (docs/adr/0067).
 */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { OTHER_PROCESS } from '@trunkline/contract/agent/host-link.messages'
import type { Context } from '../../context.ts'
import { outcomesOf } from '../../outcome-counts.ts'
import { ConsoleIdentity } from '../../security/certificates/console-identity.ts'
import { keyHashOf } from '../../security/certificates/public-key.ts'
import { momentText } from '../certificates/certificate-fault.ts'
import { addressText, type HostAddress } from '../host-address.ts'
import type { HostLink } from '../host-link.ts'
import { expiredHost } from './dial-in-fault.ts'
import { DialInServer, type DialInRefusal } from './dial-in-server.ts'
import { NetworkNotes } from './network-notes.ts'

/** A flood of strangers is no flood of lines. */
const LOG_PAUSE_MS = 60_000
const FULL: DialInRefusal = {
  code: 'FULL',
  sentence:
    'The port for agents has as many connections that are not known yet as it serves at once, so that more are closed unread. Hosts try again, and those that say which host they are, or come from where they were linked last, have places of their own. Let only networks with hosts reach this port.',
}
const ENROL_AGAIN = 'Enrol the host again: the console shows the command.'

/** null: the site takes no such hosts. Call it once hosts are read; dispose it before the context. */
export async function openDialIn(ctx: Context): Promise<AsyncDisposable | null> {
  const { agentListen: listen } = ctx.config
  if (listen === null) return null
  const identity = new ConsoleIdentity(ctx, 'takes')
  const networks = new NetworkNotes(ctx)
  const refusals = outcomesOf(ctx).agentPortRefusals
  const [logStranger, logFull] = [refusalLog(ctx), refusalLog(ctx)]
  const judge = (socket: TLSSocket) => {
    const refusal = refusalOf(ctx, socket)
    if (refusal === null) return null
    refusals.certificate += 1
    logStranger(socket, refusal)
    return refusal
  }
  const server = await DialInServer.open({
    listen,
    identity: async () => {
      await identity.ready()
      return identity.options
    },
    judge,
    judgeLink: (socket) => linkRefusalOf(ctx, socket),
    onLink(link, socket) {
      const found = linkOf(ctx, socket)
      const certificate = shownBy(socket)
      // Between the question and the answer it may have been revoked, or moved to another process.
      if (certificate !== null && found?.takeSocket(link, certificate) === true) {
        networks.note(found.address, socket.remoteAddress ?? '')
        return
      }
      link.on('error', () => undefined)
      link.terminate()
    },
    onFull(socket) {
      refusals.full += 1
      logFull(socket, FULL)
    },
    signs: ctx.hosts.identities,
    onFault: (error) =>
      ctx.log.error({ err: error }, 'The certificate of the port for agents was not renewed.'),
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The API cannot listen on ${listen.ip}:${listen.port} for the agents that connect to it: ${reason}. Set TRUNKLINE_AGENT_LISTEN to an address of this machine and a port that is free.`,
      { cause: error },
    )
  })
  ctx.log.info({ listen }, 'Hosts that cannot be dialled may connect.')
  return {
    async [Symbol.asyncDispose]() {
      networks[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** null for a host that is pinned, with a certificate of this site that is valid now. */
function refusalOf(ctx: Context, socket: TLSSocket): DialInRefusal | null {
  const shown = shownBy(socket)
  if (shown === null) {
    return {
      code: 'NO_CERTIFICATE',
      sentence: `Only host agents connect here, with the certificate that this console gave them. ${ENROL_AGAIN}`,
    }
  }
  const address = ctx.hosts.identities.findByKey(shown.keyHash)
  if (!socket.authorized) return certificateRefusal(ctx, socket, address)
  if (address !== null) return null
  return {
    code: 'NOT_PINNED',
    sentence: `The certificate of this host was revoked in the console, or replaced when the host was enrolled again. ${ENROL_AGAIN}`,
  }
}

function certificateRefusal(
  ctx: Context,
  socket: TLSSocket,
  address: HostAddress | null,
): DialInRefusal {
  const code = String(socket.authorizationError)
  const now = momentText(ctx.clock())
  if (code === 'CERT_HAS_EXPIRED') {
    if (address !== null) {
      ctx.hosts.ownLink(address)?.refuse(expiredHost(addressText(address), now))
    }
    const sentence = `The certificate of this host has expired; the clock of the console shows ${now}. ${ENROL_AGAIN}`
    return { code, sentence }
  }
  if (code === 'CERT_NOT_YET_VALID') {
    const sentence = `The certificate of this host is not valid yet: the clock of the console is wrong, it shows ${now}. Set that clock.`
    return { code, sentence }
  }
  if (code === 'INVALID_PURPOSE') {
    const sentence = `This certificate is not made for a host that connects by itself. ${ENROL_AGAIN}`
    return { code, sentence }
  }
  const sentence = `The certificate of this host comes from another authority: it was enrolled at another console. ${ENROL_AGAIN}`
  return { code: 'OTHER_AUTHORITY', sentence }
}

/** null when this process has the link of the host, or is to have it. */
function linkRefusalOf(ctx: Context, socket: TLSSocket): DialInRefusal | null {
  const address = addressOf(ctx, socket)
  if (address !== null && linkOf(ctx, socket) !== null) return null
  if (address !== null && ctx.hosts.link(address) !== undefined) {
    return {
      code: OTHER_PROCESS,
      sentence: 'Another API process has the link of this host. Try the next address.',
    }
  }
  return {
    code: 'NO_RECORD',
    sentence: 'No server or encoder of the console names this host any more. Add it there again.',
  }
}

function linkOf(ctx: Context, socket: TLSSocket): HostLink | null {
  const address = addressOf(ctx, socket)
  return address === null ? null : (ctx.hosts.ownLink(address) ?? null)
}

function addressOf(ctx: Context, socket: TLSSocket): HostAddress | null {
  const shown = shownBy(socket)
  return shown === null ? null : ctx.hosts.identities.findByKey(shown.keyHash)
}

interface ShownCertificate {
  keyHash: string
  endsAtMs: number
}

/** It is asked for at every step, and reading a key takes longer than the rest of that. */
const shown = new WeakMap<TLSSocket, ShownCertificate>()

/** null: it showed no certificate. */
function shownBy(socket: TLSSocket): ShownCertificate | null {
  const known = shown.get(socket)
  if (known !== undefined) return known
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return null
  const read = { keyHash: keyHashOf(certificate), endsAtMs: certificate.validToDate.getTime() }
  shown.set(socket, read)
  return read
}

function refusalLog({ log }: Context): (socket: Socket, refusal: DialInRefusal) => void {
  let lastMs = -Infinity
  let notLogged = 0
  return ({ remoteAddress }, { code, sentence }) => {
    const nowMs = performance.now()
    if (nowMs - lastMs < LOG_PAUSE_MS) {
      notLogged += 1
      return
    }
    log.warn({ ip: remoteAddress, code, refusedSinceLastLine: notLogged }, sentence)
    lastMs = nowMs
    notLogged = 0
  }
}
