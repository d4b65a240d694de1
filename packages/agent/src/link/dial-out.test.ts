/** T11 A seat that connects to its console by itself: a real agent, and what answers as a console. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import {
  HostMessage,
  LINK_PATH,
  LINK_REFUSAL_HEADER,
  OTHER_PROCESS,
  serverNameOf,
} from '@trunkline/contract/agent/host-link.messages'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { eventually, openTestAgent, shared } from '../agent.fixture.ts'
import { openAuthority, type TestAuthority } from '../identity/authority.fixture.ts'
import { identityFile, writeIdentity } from '../identity/identity-file.ts'
import { newKey, publicKeyOf } from '../identity/seat-identity.ts'

const agent = shared(async () => openTestAgent(['acants']))
const authority = openAuthority()
const stranger = openAuthority()
afterAll(() => {
  authority[Symbol.dispose]()
  stranger[Symbol.dispose]()
})

interface TestConsole {
  at: string
  links: WebSocket[]
  /** How often something got so far as to ask for a link. */
  asked: () => number
  /** Of each of them, the server name. */
  names: (string | false | null | undefined)[]
  server: Server
}

/** `use`: what its certificate is made for; 'agent' is the use of a server. */
async function openConsole(
  by: TestAuthority,
  { use = 'agent' as 'agent' | 'console', passesOn = false } = {},
): Promise<TestConsole> {
  const key = newKey()
  const server = createServer({
    key,
    cert: by.issue(publicKeyOf(key), use),
    ca: by.certificate,
    minVersion: 'TLSv1.3',
    requestCert: true,
    rejectUnauthorized: false,
  })
  const sockets = new WebSocketServer({ noServer: true })
  const links: WebSocket[] = []
  const names: TestConsole['names'] = []
  let asked = 0
  server.on('upgrade', (request, socket, head) => {
    asked += 1
    names.push((request.socket as TLSSocket).servername)
    const isKnown = (request.socket as TLSSocket).authorized && request.url === LINK_PATH
    if (isKnown && !passesOn) {
      sockets.handleUpgrade(request, socket, head, (link) => void links.push(link))
      return
    }
    socket.end(
      `HTTP/1.1 403 Forbidden\r\n${LINK_REFUSAL_HEADER}: ${OTHER_PROCESS}\r\ncontent-length: 2\r\n\r\n{}`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const link of links) link.terminate()
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { at: `127.0.0.1:${port}`, links, asked: () => asked, names, server }
}

/** As `trunkline-agent enrol --dial-out` does beside the running agent. */
function enrolSeat(dialTo: string[], key = newKey()): void {
  const certificate = authority.issue(publicKeyOf(key), 'console')
  const file = identityFile(agent.config.dataDir, 'acants-0')
  const enrolled = { key, certificate, authority: authority.certificate, nextKey: null, dialTo }
  writeIdentity(file, enrolled)
  agent.ctx.identities.of('acants-0')?.look()
}

async function untilLinked({ links }: TestConsole, count = 1): Promise<void> {
  await eventually(() => expect(links.length).toBeGreaterThanOrEqual(count))
}

test('T11 it says hello to its console, answers it, and is back when the connection ends', async () => {
  const own = await openConsole(authority)
  enrolSeat([own.at])
  await untilLinked(own)
  const [link] = own.links
  if (link === undefined) throw new Error('no link')
  const messages: HostMessage[] = []
  link.on('message', (data: Buffer) => {
    messages.push(HostMessage.parse(JSON.parse(data.toString())))
  })
  link.send(JSON.stringify({ id: 1, call: 'probePort', params: { port: 6000 } }))
  await eventually(() =>
    expect(messages).toContainEqual(expect.objectContaining({ type: 'answer' })),
  )
  link.terminate()
  await untilLinked(own, 2)
})

test('T16 it asks by the name that its console knows it by, before TLS proves who it is', async () => {
  const [own, key] = [await openConsole(authority), newKey()]
  enrolSeat([own.at], key)
  await untilLinked(own)
  const keyHash = createHash('sha256')
    .update(Buffer.from(publicKeyOf(key), 'base64'))
    .digest('hex')
  expect(own.names).toEqual([serverNameOf(keyHash)])
})

test.each([
  ['of another authority', stranger, 'agent'],
  ['with the certificate of a host', authority, 'console'],
] as const)('T11 a console %s gets nothing', async (_what, by, use) => {
  const [other, own] = [await openConsole(by, { use }), await openConsole(authority)]
  enrolSeat([other.at, own.at])
  await untilLinked(own)
  expect([other.asked(), other.links.length]).toEqual([0, 0])
})

test('T11 where another API process has the host it goes on to the next address', async () => {
  const [first, second] = [
    await openConsole(authority, { passesOn: true }),
    await openConsole(authority),
  ]
  enrolSeat([first.at, second.at])
  await untilLinked(second)
  expect(first.asked()).toBe(1)
})
