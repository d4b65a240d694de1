import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import type { Config } from '../config.ts'
import {
  assertHostAllowed,
  assertPortAllowed,
  dialGuard,
  isLocalAddress,
  knownAddressOf,
} from './host-guard.ts'
import { isPortAllowed, readPortRanges } from './host-port.rules.ts'

const strict = { config: { allowLocalHosts: false, hostPorts: null } as Config }
const lenient = { config: { allowLocalHosts: true, hostPorts: null } as Config }

test.each([
  '127.0.0.1',
  '127.255.1.2',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  'fd00::1',
  'fe80::1',
  'fec0::1',
  'feff::1',
  '::7f00:1',
  '::10.0.0.1',
  '::ffff:0:7f00:1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2001:0:7f00:1::',
  '2002:7f00:1::',
])('T7 %s is local', (ip) => {
  expect(isLocalAddress(ip)).toBe(true)
})

test.each([
  '8.8.8.8',
  '172.32.0.1',
  '192.0.2.10',
  '100.128.0.1',
  '2a00:1450::1',
  '2001:4860::8888',
  '::ffff:8.8.8.8',
])('T7 %s is public', (ip) => {
  expect(isLocalAddress(ip)).toBe(false)
})

test.each(['127.0.0.1', 'http://10.0.0.1', 'localhost', 'https://localhost/', '127.1', '0x7f.1'])(
  'T7 decisions 22 host %s is refused with its field and the fix',
  async (host) => {
    await expect(assertHostAllowed(strict, 'host', host)).rejects.toMatchObject({
      code: 'invalid',
      field: 'host',
      message: expect.stringMatching(
        /^host is an address of this machine.*TRUNKLINE_ALLOW_LOCAL_HOSTS=1/,
      ) as string,
    })
    await assertHostAllowed(lenient, 'host', host)
  },
)

// A name server that is slow, or a machine that is busy, must not let one of these through.
test.each([
  ['localhost', '127.0.0.1'],
  ['LOCALHOST.', '127.0.0.1'],
  ['studio.localhost', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['fe80::1', 'fe80::1'],
  ['localhost.example', null],
  ['encoder-7.example', null],
])('T7 %s is resolved without a name server: %s', (host, ip) => {
  expect(knownAddressOf(host)).toBe(ip)
})

test('a public address, and a name that does not resolve yet, are taken', async () => {
  await expect(assertHostAllowed(strict, 'host', '192.0.2.10')).resolves.toBeUndefined()
  await expect(assertHostAllowed(strict, 'host', 'no-such-host.invalid')).resolves.toBeUndefined()
})

test('T7 a name that turns out to be local is refused when it is connected to', async () => {
  const look = async (ctx: typeof strict) => {
    const { promise, resolve } = Promise.withResolvers<string | LookupAddress[]>()
    dialGuard(ctx.config).lookup('localhost', {}, (error, address) =>
      resolve(error?.message ?? address),
    )
    return promise
  }
  expect(await look(strict)).toMatch(
    /^The host localhost is not dialled: \S+ is an address of this machine/,
  )
  expect(await look(lenient)).toMatch(/^(127\.0\.0\.1|::1)$/)
})

test.each([
  '127.0.0.1',
  '10.0.0.9',
  '127.1',
  '[::1]',
  '::1',
  'localhost',
  '[::ffff:7f00:1]',
  '[::7f00:1]',
])(
  'T7 the literal address %s, saved while local hosts were allowed, is not dialled afterwards',
  (host) => {
    expect(dialGuard(strict.config).refusalOf(host, 8000)?.message).toMatch(
      /is not dialled: \S+ is an address of this machine.*TRUNKLINE_ALLOW_LOCAL_HOSTS=1\.$/,
    )
    expect(dialGuard(lenient.config).refusalOf(host, 8000)).toBeNull()
  },
)

test.each(['192.0.2.10', 'encoder-7.example', '[2a00:1450::1]'])('%s is dialled', (host) => {
  expect(dialGuard(strict.config).refusalOf(host, 8000)).toBeNull()
})

test('T7 ports that are known to be of another service are neither saved nor dialled', () => {
  const guard = dialGuard(lenient.config)
  for (const port of [22, 25, 445, 3306, 5432, 6379, 11_211]) {
    expect(guard.refusalOf('192.0.2.10', port)?.message).toMatch(/TRUNKLINE_HOST_PORTS/)
    expect(() => assertPortAllowed(lenient, port)).toThrow(/^port is not for agents/)
  }
  for (const port of [80, 443, 8000, 8080, 8443, 40_000]) {
    expect(guard.refusalOf('192.0.2.10', port)).toBeNull()
    assertPortAllowed(lenient, port)
  }
})

test('T7 where ports are named, they alone are dialled', () => {
  const hostPorts = readPortRanges('443, 6000-6001')
  const allowed = [442, 443, 444, 5999, 6000, 6001, 8000].filter((port) =>
    isPortAllowed(hostPorts, port),
  )
  expect(allowed).toEqual([443, 6000, 6001])
})

test.each(['', 'all', '80,', '0', '65536', '90-70', '80-', '8 0', '80;81'])(
  '%j is not a list of ports',
  (text) => {
    expect(readPortRanges(text)).toBeNull()
  },
)
