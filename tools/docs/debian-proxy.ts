/**
 * Debian's archive for machines on a network that leads nowhere else: a proxy of this machine, reached
 * by a socket in the file system, and a port of that network that passes everything on to it.
 */
import { once } from 'node:events'
import { createServer as createHttpServer, request } from 'node:http'
import { connect, createServer, type Server } from 'node:net'

const ARCHIVE = 'deb.debian.org'

/** Passes on what apt asks of deb.debian.org, and nothing else. */
export async function serveArchive(socketPath: string): Promise<Server> {
  const server = createHttpServer((asked, answer) => {
    const url = URL.parse(asked.url ?? '')
    if (url?.hostname !== ARCHIVE || url.protocol !== 'http:' || asked.method !== 'GET') {
      answer.writeHead(403).end()
      return
    }
    const passed = request(url, { headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    passed.on('error', () => answer.writeHead(502).end()).end()
  })
  server.listen(socketPath)
  await once(server, 'listening')
  return server
}

export async function passOn(port: number, socketPath: string): Promise<Server> {
  const server = createServer((client) => {
    const archive = connect(socketPath)
    client.pipe(archive).pipe(client)
    for (const end of [client, archive]) {
      end.on('error', () => {
        client.destroy()
        archive.destroy()
      })
    }
  })
  server.listen(port)
  await once(server, 'listening')
  return server
}
