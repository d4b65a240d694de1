/** For tests: a site that hosts connect to, and hosts that do. */
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { DAY_MS } from '@trunkline/contract/durations'
import {
  HostRequest,
  LINK_PATH,
  LINK_REFUSAL_HEADER,
} from '@trunkline/contract/agent/host-link.messages'
import { onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { dialInAuthorityOf } from '../../security/certificates/site-authority.ts'
import { FakeHost } from '../../testing/fake-host.ts'
import { freePort } from '../../testing/process/own-port.ts'
import { makeServer } from '../../testing/role-walk/things.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import * as hostIdentityService from '../certificates/host-identity.service.ts'
import * as hostIdentityStore from '../certificates/host-identity.store.ts'
import {
  testIdentity,
  type IdentityWish,
  type TestIdentity,
} from '../certificates/tls-host.fixture.ts'

/** Only ends what hangs. */
export const LIMIT = { timeout: 60_000, interval: 20 }
/** Of the record: nothing listens there. */
const NAME_PORT = 8010

export const ADDRESS = { host: '127.0.0.1', port: NAME_PORT }

export interface DialInSite extends TestSite {
  /** Where hosts connect to. */
  agentPort: number
  /** Of the record at ADDRESS. */
  serverId: string
}

/** Open until the test ends, with a server whose host connects by itself. */
export async function openDialInSite(more: Partial<Config> = {}): Promise<DialInSite> {
  const agentPort = await freePort()
  const agentListen = { ip: '127.0.0.1', port: agentPort }
  const site = await openTestSite({ agentListen, ...more })
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const serverId = await makeServer(site, 'Behind NAT', 'acants', NAME_PORT, [site.north])
  return { ...site, agentPort, serverId }
}

/** Of the authority for hosts that connect, unless `wish` says otherwise. */
export async function dialIdentity(ctx: Context, wish: IdentityWish = {}): Promise<TestIdentity> {
  const authority = await dialInAuthorityOf(ctx)
  const identity = await testIdentity(ctx, { purpose: 'agent that dials', authority, ...wish })
  return { ...identity, authority: authority.certificate }
}

/** As if the host of ADDRESS had been enrolled with this key. */
export async function enrolDialling({ ctx }: { ctx: Context }, keyHash: string): Promise<void> {
  const since = new Date().toISOString()
  const endsAt = new Date(Date.now() + 30 * DAY_MS).toISOString()
  await hostIdentityStore.put(ctx.db, ADDRESS, { security: 'enrolled', since, openedBy: 'host' })
  await hostIdentityStore.addPin(ctx.db, ADDRESS, { keyHash, issuedAt: since, endsAt })
  await hostIdentityService.publish(ctx, ADDRESS)
}

/** A site whose host is enrolled, with the identity that it shows. */
export async function openEnrolledSite(wish: IdentityWish = {}) {
  const site = await openDialInSite()
  const identity = await dialIdentity(site.ctx, wish)
  await enrolDialling(site, identity.keyHash)
  return { site, identity }
}

export type DialEnd =
  | { kind: 'link'; socket: WebSocket; host: FakeHost }
  | { kind: 'refused'; code: string; sentence: string }
  | { kind: 'failed'; reason: string }

export type Shown = Partial<Pick<TestIdentity, 'key' | 'certificate' | 'authority'>>

/** Connects as an agent does; `path`: for whoever asks for something else. */
export async function dialIn(
  agentPort: number,
  { key, certificate, authority }: Shown,
  path = LINK_PATH,
): Promise<DialEnd> {
  // It is there before the connection, whose first event would be missed while it opens.
  const host = await FakeHost.open({ seatKind: 'acants' })
  onTestFinished(async () => host[Symbol.asyncDispose]())
  const socket = new WebSocket(`wss://127.0.0.1:${agentPort}${path}`, {
    host: '127.0.0.1',
    ...(key === undefined ? {} : { key }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(authority === undefined ? { rejectUnauthorized: false } : { ca: authority }),
    ...ANY_NAME,
  })
  onTestFinished(() => socket.terminate())
  const { promise, resolve } = Promise.withResolvers<DialEnd>()
  socket.on('open', () => {
    host.serve(socket)
    resolve({ kind: 'link', socket, host })
  })
  socket.on('unexpected-response', (request, response) => {
    void readRefusal(response).then((refusal) => {
      request.destroy()
      resolve(refusal)
    })
  })
  socket.on('error', (error) => resolve({ kind: 'failed', reason: error.message }))
  return promise
}

/** The types of ws know no such function that answers as Node asks. */
const ANY_NAME: object = { checkServerIdentity: () => undefined, servername: '' }

async function readRefusal(response: IncomingMessage): Promise<DialEnd> {
  const { error } = JSON.parse(await text(response)) as { error: string }
  return { kind: 'refused', code: String(response.headers[LINK_REFUSAL_HEADER]), sentence: error }
}

/** Throws for whoever was not let in. `answer`: in place of the host's own; undefined: that. */
export async function linked(
  agentPort: number,
  identity: Omit<TestIdentity, 'keyHash'>,
  answer: (request: HostRequest) => object | undefined = () => undefined,
) {
  const end = await dialIn(agentPort, identity)
  if (end.kind !== 'link') throw new Error(JSON.stringify(end))
  const { socket, host } = end
  host.silentOn.add('makeCertificateKey').add('useCertificate')
  socket.on('message', (data: Buffer) => {
    const request = HostRequest.safeParse(JSON.parse(data.toString()))
    const result = request.success ? answer(request.data) : undefined
    if (result === undefined) return
    socket.send(JSON.stringify({ type: 'answer', id: request.data?.id, result }))
  })
  return end
}

export async function untilOnline({ ctx }: { ctx: Context }, online: boolean): Promise<void> {
  await vi.waitFor(() => {
    const status = ctx.hosts.status(ADDRESS)
    if (status?.online !== online) throw new Error(`Not yet: ${JSON.stringify(status)}`)
  }, LIMIT)
}

export function faultOf({ ctx }: { ctx: Context }): string {
  return ctx.hosts.status(ADDRESS)?.fault?.sentence ?? ''
}
