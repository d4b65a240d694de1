/** The floor of a relay: a process that hands on what an origin answers. Argument: the origin's port. */
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const port = Number(process.argv[2])
const agent = new Agent({ keepAlive: true })
const server = createServer((incoming, response) => {
  const asked = request({ host: '127.0.0.1', port, path: incoming.url, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  asked.on('error', () => response.destroy())
  asked.end()
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port })
})
process.on('SIGTERM', () => process.exit(0))
