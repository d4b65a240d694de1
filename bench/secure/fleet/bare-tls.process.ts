/** TLS as the port for agents sets it up, and no more: its parent says with which certificate, and gets the port and what all handshakes have cost. */
import { constants } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer, type SecureContextOptions } from 'node:tls'

process.once('message', (identity: SecureContextOptions) => {
  let [handshakes, refused] = [0, 0]
  const before = process.cpuUsage()
  const server = createServer(
    {
      ...identity,
      minVersion: 'TLSv1.3',
      secureOptions: constants.SSL_OP_NO_TICKET,
      requestCert: true,
      rejectUnauthorized: false,
    },
    (socket) => {
      handshakes += 1
      if (!socket.authorized) refused += 1
      socket.on('error', () => undefined).end()
    },
  )
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
    process.send?.({ port: (server.address() as AddressInfo).port })
  })
  process.on('message', () => {
    const { user, system } = process.cpuUsage(before)
    process.send?.({ handshakes, refused, cpuMs: (user + system) / 1000 })
  })
})
process.on('disconnect', () => process.exit(0))
