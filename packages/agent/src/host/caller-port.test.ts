/** In a network namespace of its own, where the kernel has two ports to give. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const MODULE = new URL('caller-port.ts', import.meta.url).href
const hasNamespaces = spawnSync('unshare', ['-rn', 'true']).status === 0

test.skipIf(!hasNamespaces)('a caller gets a port until all of them are in use', () => {
  const script = `
    import { createSocket } from 'node:dgram'
    import { once } from 'node:events'
    import { writeFileSync } from 'node:fs'
    import { callerPorts, hasCallerPort } from '${MODULE}'
    writeFileSync('/proc/sys/net/ipv4/ip_local_port_range', '40000 40001')
    const seen = [callerPorts(), await hasCallerPort()]
    const sockets = [createSocket('udp4'), createSocket('udp4')]
    for (const [at, socket] of sockets.entries()) {
      socket.bind(40_000 + at)
      await once(socket, 'listening')
    }
    seen.push(await hasCallerPort())
    for (const socket of sockets) socket.close()
    seen.push(await hasCallerPort())
    console.log(JSON.stringify(seen))`
  const args = ['-rn', process.execPath, '--input-type=module', '-e', script]
  const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(['40000 to 40001', true, false, true])
})
