import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { freeUdpPort } from '../agent.fixture.ts'
import { holderOf, isUdpPortFree } from './free-port.ts'
import { probeLocalBus } from './local-bus.ts'
import { adapters, capabilitiesOf, lookAtHost } from './host.ts'

const open: { close(): void }[] = []
afterEach(() => open.splice(0).forEach((socket) => socket.close()))

async function bind(type: 'udp4' | 'udp6', port: number, address: string): Promise<void> {
  const socket = createSocket({ type, reuseAddr: true })
  open.push(socket)
  socket.bind(port, address)
  await once(socket, 'listening')
}

test('a free port is free, and looking does not take it', async () => {
  const port = await freeUdpPort()
  expect(isUdpPortFree(port)).toBe(true)
  expect(holderOf({ ip: '', port })).toBeNull()
  await bind('udp4', port, '127.0.0.1')
})

test.each<['udp4' | 'udp6', bound: string, asked: string, isTaken: boolean]>([
  ['udp4', '0.0.0.0', '', true],
  ['udp4', '0.0.0.0', '127.0.0.1', true],
  ['udp4', '127.0.0.1', '0.0.0.0', true],
  ['udp4', '127.0.0.1', '127.0.0.1', true],
  ['udp4', '127.0.0.2', '127.0.0.1', false],
  ['udp4', '239.255.9.9', '127.0.0.1', false],
  ['udp6', '::', '127.0.0.1', true],
])('rule 9 %s %s in the way of "%s": %s', async (type, bound, asked, isTaken) => {
  const port = await freeUdpPort()
  await bind(type, port, bound)
  expect(isUdpPortFree(port)).toBe(false)
  const holder = holderOf({ ip: asked, port })
  expect(holder !== null && holder !== 'unknown' && holder.pid).toBe(isTaken && process.pid)
})

test('multicast on the loopback interface is tried by sending', async () => {
  expect(await probeLocalBus()).toEqual({ works: true, reason: '' })
})

test('adapters have a device name and an IPv4 address', () => {
  expect(adapters()).toContainEqual({ name: 'lo', ip: '127.0.0.1' })
  for (const { ip } of adapters()) expect(ip).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
})

test('sources are reported with a label that an operator knows', async () => {
  const host = await lookAtHost({
    dataDir: '/nowhere',
    seats: [],
    sources: [
      { cardIdx: 0, kind: 'test-pattern', device: '' },
      { cardIdx: 1, kind: 'v4l2', device: '/dev/video99' },
    ],
  })
  expect(capabilitiesOf(host).sources).toEqual([
    { cardIdx: 0, kind: 'test-pattern', label: 'Test pattern 0', unusable: '' },
    {
      cardIdx: 1,
      kind: 'v4l2',
      label: 'v4l2 /dev/video99',
      unusable: expect.stringContaining('no device /dev/video99') as string,
    },
  ])
  expect(host.fontFile).toMatch(/\.ttf$/)
})
