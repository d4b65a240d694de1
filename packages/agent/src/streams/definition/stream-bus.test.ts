import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../agent.fixture.ts'
import { openStreamBus, pickBusPort } from './stream-bus.ts'

const NETWORKS = Array.from({ length: 64 }, (_, at) => `239.${64 + at}`)
const NOBODY: ReadonlySet<string> = new Set()

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a channel server draws a network and keeps it', () => {
  const bus = openStreamBus(join(folder, 'streams'), undefined, NOBODY)
  expect(NETWORKS).toContain(bus.network)
  expect(openStreamBus(join(folder, 'streams'), undefined, NOBODY)).toEqual(bus)
})

test('the only unused network is taken, at first and later', () => {
  const inUse = (free: string) =>
    new Set(NETWORKS.filter((network) => network !== free).map((network) => `${network}.3.4`))
  expect(openStreamBus(folder, undefined, inUse('239.99')).network).toBe('239.99')
  expect(openStreamBus(folder, undefined, inUse('239.70')).network).toBe('239.70')
})

test('the network that the configuration names is taken, whoever uses it', () => {
  openStreamBus(folder, undefined, NOBODY)
  expect(openStreamBus(folder, '239.9', new Set(['239.9.0.1'])).network).toBe('239.9')
})

test.each(['', '{', '{"network":"10.1","firstPort":28000}'])(
  'a file that holds %o does not stop it: another network is drawn',
  (text) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'bus.json'), text)
    expect(NETWORKS).toContain(openStreamBus(folder, undefined, NOBODY).network)
  },
)

test('ports are assigned upwards from the first, without those in use', async () => {
  const bus = { network: '239.99', firstPort: 31_998 }
  const socket = createSocket('udp4').bind(31_999)
  await once(socket, 'listening')
  const taken = new Set<number>()
  for (let count = 0; count < 3; count++) taken.add(pickBusPort(bus, taken) ?? 0)
  socket.close()
  expect(taken).not.toContain(31_999)
  expect([...taken].every((port) => port >= 28_000 && port < 32_000)).toBe(true)
  expect([...taken].slice(1).every((port) => port < 31_998)).toBe(true)
})
