/** T16 What is read of a connection before TLS spends anything on it. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientHello } from './client-hello.fixture.ts'
import { readClientHello } from './client-hello.rules.ts'

test('T16 the name that a client asks for is read from the first bytes of TLS', () => {
  const serverName = 'a1b2c3.agent.trunkline.invalid'
  expect(readClientHello(clientHello(serverName))).toEqual({ kind: 'complete', serverName })
  expect(readClientHello(clientHello())).toEqual({ kind: 'complete', serverName: null })
})

test('T16 it is complete with its last byte, and what follows does not matter', () => {
  const hello = clientHello('a.host')
  for (let length = 0; length < hello.length; length += 1) {
    expect(readClientHello(hello.subarray(0, length)).kind).toBe('incomplete')
  }
  const longer = Buffer.concat([hello, randomBytes(100)])
  expect(readClientHello(longer)).toEqual({ kind: 'complete', serverName: 'a.host' })
})

test.each([
  ['plain HTTP', Buffer.from('GET /link HTTP/1.1\r\n')],
  ['TLS that begins with something else', Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0])],
  ['more than a client says', Buffer.from([22, 3, 1, 255, 255])],
])('T16 %s is none', (_what, bytes) => {
  expect(readClientHello(bytes)).toEqual({ kind: 'none' })
})

test('T16 damaged ones are read to their end, whatever lengths they claim', () => {
  const hello = clientHello('a.host')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(hello.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }),
      (changes) => {
        const damaged = Buffer.from(hello)
        for (const [at, byte] of changes) damaged[at] = byte
        expect(['incomplete', 'none', 'complete']).toContain(readClientHello(damaged).kind)
      },
    ),
  )
})
