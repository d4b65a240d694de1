/** For tests: what the TLS of Node says first, byte by byte, without a connection. */
import { Duplex } from 'node:stream'
import { connect } from 'node:tls'

/** Of TLS 1.3, as an agent sends it. */
export function clientHello(serverName = ''): Buffer {
  const sent: Buffer[] = []
  const wire = new Duplex({
    read: () => undefined,
    write: (bytes: Buffer, _encoding, done) => {
      sent.push(bytes)
      done()
    },
  })
  const socket = connect({ socket: wire, servername: serverName, minVersion: 'TLSv1.3' })
  socket.on('error', () => undefined)
  return Buffer.concat(sent)
}
