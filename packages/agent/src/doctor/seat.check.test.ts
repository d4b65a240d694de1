import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Seat } from '@trunkline/contract/agent/agent-config.schema'
import { DAY_MS } from '@trunkline/contract/durations'
import { expect, test } from 'vitest'
import { askSeat, certificateFinding, linkFinding, peersAt, seatFinding } from './seat.check.ts'

const SEAT: Seat = { kind: 'acants', listenIp: '0.0.0.0', port: 8010, key: 'a-key-of-a-seat' }
const HERE = ['127.0.0.1', '192.0.2.10']

test('names another program at the port of a seat', async () => {
  const server = createServer((_request, response) => response.end('<html>a web server</html>'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = await askSeat({ ...SEAT, port })
  server.close()
  expect(answer).toEqual({ by: 'another program' })
  const { level, sentence, fix } = seatFinding(SEAT, answer, HERE)
  expect([level, sentence]).toEqual([
    'wrong',
    'Another program answers at port 8010, which is to be the seat acants (port 8010).',
  ])
  expect(fix).toContain('ss -tlnp sport = :8010')
})

test('says how the agent is started when nothing answers', async () => {
  const answer = await askSeat({ ...SEAT, port: 1 })
  expect(answer).toEqual({ by: 'nobody', code: 'ECONNREFUSED' })
  expect(seatFinding(SEAT, answer, HERE).fix).toContain('systemctl start trunkline-agent')
})

test('names an address that this host does not have', () => {
  const seat = { ...SEAT, listenIp: '192.0.2.99' }
  const { sentence } = seatFinding(seat, { by: 'nobody', code: 'EADDRNOTAVAIL' }, HERE)
  expect(sentence).toContain('no address 192.0.2.99')
  expect(sentence).toContain('127.0.0.1, 192.0.2.10')
})

test('an agent with another key is to be restarted', () => {
  const found = seatFinding(SEAT, { by: 'agent with another key' }, HERE)
  expect(found).toMatchObject({ level: 'wrong' })
  expect(found.fix).toContain('systemctl restart trunkline-agent')
})

test('the consoles at a port are those with an open connection, over IPv4 or IPv6', () => {
  // Port 8010 is 1F4A; 0A is a listener, 06 a closed connection.
  const tables = `  sl  local_address rem_address   st
   0: 00000000:1F4A 00000000:0000 0A 00000000:00000000
   1: 0A0200C0:1F4A 050200C0:C350 01 00000000:00000000
   2: 0A0200C0:1F4A 060200C0:C351 06 00000000:00000000
   3: 0A0200C0:1F90 070200C0:C352 01 00000000:00000000
   0: 0000000000000000FFFF00000A0200C0:1F4A 0000000000000000FFFF0000080200C0:C353 01 0
`
  expect(peersAt(8010, tables)).toEqual(['192.0.2.5', '192.0.2.8'])
})

test('a seat without a console is a note with what to look at', () => {
  expect(linkFinding(SEAT, ['192.0.2.5']).level).toBe('ok')
  const { level, fix } = linkFinding(SEAT, [])
  expect(level).toBe('note')
  expect(fix).toContain('firewall')
})

test.each([
  [30, 'ok', 'is good until'],
  [5, 'wrong', 'was not renewed'],
  [0, 'wrong', 'does not take it any more'],
])('a certificate with %i days left is %s', (days, level, words) => {
  const found = certificateFinding(SEAT, days * DAY_MS, 0)
  expect(found.level).toBe(level)
  expect(found.sentence).toContain(words)
})
