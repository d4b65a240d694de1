/**
 * The floor of the live path: a process that holds a bare WebSocket to each agent, at our pace of
 * pings, and hands each message to the viewers of that host; with it a count, four times a second.
 * Arguments: how many hosts, and their port.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { LINK_PATH } from '@trunkline/contract/agent/host-link.messages'
import { WebSocket, WebSocketServer } from 'ws'
import { addressOf } from './fleet/fake-fleet.ts'

const PING_MS = 1100
const COUNT_MS = 250

const [hosts = 0, port = 0] = process.argv.slice(2).map(Number)
const watchers = new Map<string, Set<WebSocket>>()
let changes = 0
let counted = 0

for (let host = 0; host < hosts; host += 1) link(addressOf(host))

function link(address: string): void {
  const socket = new WebSocket(`ws://${address}:${port}${LINK_PATH}`, { perMessageDeflate: false })
  socket.on('error', () => setTimeout(() => link(address), 1000))
  socket.on('open', () => setInterval(() => socket.ping(), PING_MS))
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as { type: string }
    if (message.type !== 'program') return
    changes += 1
    const text = JSON.stringify(message)
    for (const viewer of watchers.get(address) ?? []) viewer.send(text)
  })
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (viewer) => {
  viewer.on('message', (data: Buffer) => {
    for (const address of JSON.parse(data.toString('utf8')) as string[]) {
      const known = watchers.get(address) ?? new Set()
      watchers.set(address, known.add(viewer))
    }
  })
  viewer.on('close', () => {
    for (const each of watchers.values()) each.delete(viewer)
  })
})
setInterval(() => {
  if (changes === counted) return
  counted = changes
  const text = JSON.stringify({ type: 'counts', changes })
  for (const viewer of server.clients) viewer.send(text)
}, COUNT_MS)
await once(server, 'listening')
process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port })
