/** T11 `trunkline-agent enrol` against what answers as a console; with the real API: bench/secure/enrolment. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  answerText,
  EnrolmentRequest,
  requestText,
  type EnrolmentAnswer,
} from '@trunkline/contract/enrolment/enrolment.schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAuthority } from './authority.fixture.ts'
import { proofOf, secretsOf } from './code-proof.ts'
import { enrol } from './enrol-command.ts'
import { identityFile, readIdentity } from './identity-file.ts'

const CODE = '01234-56789-ABCDE-FGHJK'
const { proofKey, codeId } = secretsOf(CODE.replaceAll('-', ''))
const folder = mkdtempSync(join(tmpdir(), 'agent-enrol-'))
const config = join(folder, 'agent.json')
const authority = openAuthority()
const identity = identityFile(folder, 'acants-0')

let server: Server
let reply: (request: EnrolmentRequest) => { status: number; body: unknown }
beforeAll(async () => {
  const seats = [
    { kind: 'acants', port: 8010, key: 'a-key-of-a-seat' },
    { kind: 'channel', port: 8020, key: 'a-key-of-a-seat' },
  ]
  writeFileSync(config, JSON.stringify({ dataDir: folder, seats }))
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const sent = EnrolmentRequest.parse(JSON.parse(Buffer.concat(parts).toString()))
      const { status, body } = reply(sent)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
  authority[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function run(...more: string[]): Promise<string> {
  const { port } = server.address() as AddressInfo
  const asked = ['--console', `http://127.0.0.1:${port}`, '--code', CODE, '--config', config]
  return enrol([...asked, ...more])
}

function answerFor(
  request: EnrolmentRequest,
  change: Partial<EnrolmentAnswer> = {},
): { status: number; body: unknown } {
  const given = {
    certificate: authority.issue(request.publicKey, 'agent'),
    authority: authority.certificate,
    seat: 'acants:8010',
  }
  const proof = proofOf(proofKey, answerText(request, given))
  return { status: 200, body: { status: true, data: { ...given, proof, ...change } } }
}

test('T11 stores key, certificate and authority for the agent’s user alone, and sends neither code nor key', async () => {
  let sent: EnrolmentRequest | null = null
  reply = (request) => {
    sent = request
    return answerFor(request)
  }
  expect(await run()).toContain('The seat acants:8010 is enrolled')
  expect(statSync(identity).mode & 0o777).toBe(0o600)
  const stored = JSON.parse(readFileSync(identity, 'utf8')) as { key: string }
  const { proof, ...rest } = EnrolmentRequest.parse(sent)
  expect(proof).toBe(proofOf(proofKey, requestText(rest)))
  expect(rest).toMatchObject({ codeId, seats: ['acants:8010'] })
  const text = JSON.stringify(sent)
  expect(text).not.toContain(CODE.replaceAll('-', ''))
  expect(text).not.toContain(proofKey.toString('hex'))
  expect(text).not.toContain(stored.key.split('\n')[1])
  rmSync(identity)
})

test('T11 a seat that dials out stores where it connects to, and tells the console so', async () => {
  let sent: EnrolmentRequest | null = null
  reply = (request) => {
    sent = request
    const given = {
      certificate: authority.issue(request.publicKey, 'console'),
      authority: authority.certificate,
      seat: 'acants:8010',
      linkAddresses: [':7443', 'console-2.example:7443'],
    }
    const proof = proofOf(proofKey, answerText(request, given))
    return { status: 200, body: { status: true, data: { ...given, proof } } }
  }
  const dialTo = ['127.0.0.1:7443', 'console-2.example:7443']
  expect(await run('--dial-out')).toContain(`connects to ${dialTo.join(', ')}`)
  expect(readIdentity(identity)?.dialTo).toEqual(dialTo)
  expect(sent).toMatchObject({ dialsOut: true })
  rmSync(identity)
})

test.each(['certificate', 'authority', 'seat', 'linkAddresses', 'proof'] as const)(
  'T11 an answer whose %s was changed on the way is not stored',
  async (part) => {
    const other = openAuthority()
    reply = (request) =>
      answerFor(
        request,
        {
          certificate: { certificate: other.issue(request.publicKey, 'agent') },
          authority: { authority: other.certificate },
          seat: { seat: 'encoder:8010' },
          linkAddresses: { linkAddresses: ['evil.example:7443'] },
          proof: { proof: '0'.repeat(64) },
        }[part],
      )
    const more = part === 'linkAddresses' ? ['--dial-out'] : []
    await expect(run(...more)).rejects.toThrow('changed it on the way')
    expect(existsSync(identity)).toBe(false)
    other[Symbol.dispose]()
  },
)

test('T11 the console’s own sentence is shown', async () => {
  reply = () => ({ status: 401, body: { status: false, error: 'This code is not valid.' } })
  await expect(run()).rejects.toThrow('This code is not valid.')
})

test('T11 a server that is no console is named', async () => {
  reply = () => ({ status: 200, body: { hello: 'world' } })
  await expect(run()).rejects.toThrow('is not the console (status 200)')
})

test.each([
  [[], 'Usage'],
  [['--console', 'http://127.0.0.1:1', '--code', 'short'], 'no code'],
  [['--console', 'console', '--code', CODE], 'must begin with http'],
  [['--wrong', 'x'], 'Usage'],
])('T11 %j is refused in words', async (args, words) => {
  await expect(enrol(args)).rejects.toThrow(words)
})

test('T11 a seat that is not there, or is a channel seat, is named', async () => {
  await expect(run('--seat', '8020')).rejects.toThrow('The configuration has: 8010')
})

test('T11 the code stays valid when the console cannot be reached', async () => {
  const asked = ['--console', 'http://127.0.0.1:1', '--code', CODE, '--config', config]
  await expect(enrol(asked)).rejects.toThrow('the code is still good')
})

test('T11 a console that takes the request and does not answer may have used the code up', async () => {
  reply = () => {
    server.closeAllConnections()
    return { status: 200, body: {} }
  }
  await expect(run()).rejects.toThrow('may have used the code')
  expect(existsSync(identity)).toBe(false)
})
