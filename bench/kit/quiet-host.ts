/** An agent without programs: it answers on every loopback address, so that it is thousands of hosts. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { LINK_PATH, type HostMessage } from '@trunkline/contract/agent/host-link.messages'
import { WebSocketServer } from 'ws'

export class QuietHost implements AsyncDisposable {
  readonly port: number
  readonly #server: WebSocketServer

  private constructor(server: WebSocketServer) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket) => {
      const hello: HostMessage = {
        type: 'hello',
        seatKind: 'encoder',
        nowMs: Date.now(),
        capabilities: {
          agentVersion: '0.1.0',
          cpuCores: 2,
          tools: {},
          encoders: [],
          sources: [],
          adapters: [],
          localBus: { works: true, reason: '' },
        },
        programs: [],
      }
      socket.send(JSON.stringify(hello))
    })
  }

  static async open(): Promise<QuietHost> {
    const server = new WebSocketServer({ host: '0.0.0.0', port: 0, path: LINK_PATH })
    await once(server, 'listening')
    return new QuietHost(server)
  }

  /** Resolves once so many links stand. */
  async linked(count: number): Promise<void> {
    while (this.#server.clients.size < count) await once(this.#server, 'connection')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
