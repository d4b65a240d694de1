/**
 * T7: addresses of this machine and of private networks in every spelling, as a host, a media server
 * and a target of notifications. A listener counts who reaches it; without the guard they do.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { addEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import pino from 'pino'
import { expect, test } from 'vitest'
import { DialPace } from '@trunkline/api/hosts/pace/dial-pace'
import { TasksInSlices } from '@trunkline/api/in-slices'
import { HostLink } from '@trunkline/api/hosts/host-link'
import { LINK_TIMING } from '@trunkline/api/hosts/link-timing'
import { probeMedia } from '@trunkline/api/hosts/probe'
import { testMessage } from '@trunkline/api/notifications/message.rules'
import { sendEmail } from '@trunkline/api/notifications/send/email.client'
import { sendWebhook } from '@trunkline/api/notifications/send/webhook.client'
import { dialGuard } from '@trunkline/api/security/host-guard'
import { FlussonicClient } from '@trunkline/api/stream-servers/flussonic.client'
import { inject } from '@trunkline/api/testing/inject'
import { openTestApp, type TestApp } from '@trunkline/api/testing/test-app'
import { atLeast, atMost } from '../kit/figure.ts'
import { printProof } from './proof.ts'

/** Spellings of addresses that are this machine's, of a private network, or of a cloud's own services. */
const HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '0',
  '0.0.0.0',
  '0x7f.1',
  '0x7f000001',
  '0x7f.0x0.0x0.0x1',
  '017700000001',
  '0177.0.0.1',
  '2130706433',
  '127.0.0.1.',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'localhost.localdomain',
  'ip6-localhost',
  'ip6-loopback',
  hostname(),
  '::1',
  '[::1]',
  '::',
  '[::]',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '[::ffff:127.0.0.1]',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fe80::1',
  'fe80::1%lo',
  'fc00::1',
  'fd12:3456::1',
  'fec0::1',
  'ff02::1',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '[::ffff:169.254.169.254]',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '127.0.0.1@example.com',
  'example.com@127.0.0.1',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '127.0.0.1#',
  '127.0.0.1?',
  '127.0.0.1/',
  'http://127.0.0.1',
  'https://[::1]',
  '127.0.0.1:80',
] as const
/** Where nobody answers a client waits for longer; the listener is on this machine. */
const GIVEN_UP_MS = 500
/** So many of them must reach the listener where local hosts are allowed, or the proof shows nothing. */
const LEAST_REACHABLE = 10

test('no address of this machine or of its network is reached', async () => {
  await using stack = new AsyncDisposableStack()
  const site = stack.use(await openTestApp({ allowLocalHosts: false }))
  const canary = await openCanary(stack)
  const reachable = await reachedBy(canary, true)
  const reached = await reachedBy(canary, false)
  const saved = await savedOf(site, canary.port)
  const missed = printProof('addresses', {
    ours: {
      vectors: HOSTS.length,
      waysEach: WAYS.length,
      reachableWithoutGuard: reachable.length,
      saved,
    },
    faults: reached,
    goals: [
      atMost('vectors that reach the listener', reached.length, 0, 'vectors'),
      atLeast('vectors that would without the guard', reachable.length, LEAST_REACHABLE, 'vectors'),
    ],
  })
  expect(missed).toEqual([])
})

interface Canary {
  port: number
  connections: number
}

async function openCanary(stack: AsyncDisposableStack): Promise<Canary> {
  const canary: Canary = { port: 0, connections: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    canary.connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
  server.listen(0, '::')
  await once(server, 'listening')
  canary.port = (server.address() as AddressInfo).port
  stack.defer(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  })
  return canary
}

interface Try {
  host: string
  port: number
  allowLocalHosts: boolean
}

const log = pino({ level: 'silent' })
const sent = { id: 'proof', message: testMessage({ title: 'Proof', language: 'en' }, 0) }

/** How the API opens a connection. */
const WAYS: readonly ((asked: Try) => Promise<unknown>)[] = [
  async ({ host, port, allowLocalHosts }) => {
    const link = new HostLink({
      address: { host, port },
      access: { by: 'key', key: 'a-key' },
      timing: LINK_TIMING,
      clock: Date.now,
      log,
      guard: dialGuard({ allowLocalHosts, hostPorts: null }),
      pace: new DialPace(),
      turns: new TasksInSlices(),
      onEvent: () => undefined,
    })
    await Promise.race([link.settled(), pause(GIVEN_UP_MS, undefined, { ref: false })])
    link.close()
  },
  async ({ host, port, allowLocalHosts }) => {
    await using client = new FlussonicClient(dialGuard({ allowLocalHosts, hostPorts: null }))
    await probeMedia(client, { serverType: 'channel', host, port, apiKey: 'a-key' })
  },
  async ({ host, port, allowLocalHosts }) =>
    sendWebhook({ kind: 'webhook', url: `http://${host}:${port}/`, secret: 'whsec_AAAA' }, sent, {
      config: { allowLocalHosts },
      signal: AbortSignal.timeout(2000),
    }),
  async ({ host, port, allowLocalHosts }) =>
    sendEmail(
      {
        kind: 'email',
        host,
        port,
        security: 'none',
        user: '',
        password: '',
        from: 'a@trunkline.example',
        to: ['b@trunkline.example'],
      },
      sent,
      { config: { allowLocalHosts }, signal: AbortSignal.timeout(2000) },
    ),
]

async function reachedBy(canary: Canary, allowLocalHosts: boolean): Promise<string[]> {
  const reached: string[] = []
  for (const host of HOSTS) {
    for (const [at, way] of WAYS.entries()) {
      const before = canary.connections
      // That it fails is what is wanted; only who reaches the listener counts.
      const tried = way({ host, port: canary.port, allowLocalHosts }).catch(() => undefined)
      await Promise.race([tried, pause(GIVEN_UP_MS, undefined, { ref: false })])
      if (canary.connections > before) reached.push(`${host} by way ${at + 1}`)
    }
  }
  return reached
}

/** What may be saved: names that the listener's machine has may not be known when they are typed. */
async function savedOf(site: TestApp, port: number): Promise<string[]> {
  const saved: string[] = []
  const { token } = site.people.superadmin
  for (const [at, host] of HOSTS.entries()) {
    const server = await inject(site.app, addServer, token, {
      body: {
        title: `Vector ${at}`,
        host,
        port,
        serverType: 'acants',
        apiKey: 'a-key-of-a-vector',
        groupIds: [site.north],
        adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
      },
    })
    const encoder = await inject(site.app, addEncoder, token, {
      body: {
        title: `Vector ${at}`,
        ip: host,
        port,
        groupId: site.north,
        apiKey: 'a-key-of-a-vector',
      },
    })
    if (server.status < 300) saved.push(`server ${host}`)
    if (encoder.status < 300) saved.push(`encoder ${host}`)
  }
  return saved
}
