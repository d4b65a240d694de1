/** In front of an API for browsers: notes each request, and can be as a network that is gone. */
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface HttpDoor extends AsyncDisposable {
  readonly url: string
  /** Method and path of each, in their order. */
  readonly requests: string[]
  /** Ends every connection and answers nobody, until `open`. */
  shut(): void
  open(): void
}

/** Leads to an HTTP server on this port of this machine. */
export async function openHttpDoor(port: number): Promise<HttpDoor> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  let isShut = false
  const server = createServer((incoming, answer) => {
    requests.push(`${incoming.method ?? ''} ${(incoming.url ?? '').replace(/\?.*/, '')}`)
    forward(incoming, answer, port)
  })
  server.on('connection', (socket) => {
    if (isShut) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    shut() {
      isShut = true
      close()
    },
    open() {
      isShut = false
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      close()
      await closed
    },
  }
}

function forward(incoming: IncomingMessage, answer: ServerResponse, port: number): void {
  const { method, url, headers } = incoming
  const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(answer)
  })
  outgoing.on('error', () => answer.destroy())
  answer.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}
