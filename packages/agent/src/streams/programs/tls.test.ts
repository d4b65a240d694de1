/** Far ends with TLS: a web server that is fetched from, and an RTMP server that is pushed to. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttps } from 'node:https'
import { connect, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { createServer as createTls } from 'node:tls'
import { beforeAll, expect, test } from 'vitest'
import { eventually, freeTcpPort, LIFE_LIMIT_MS, shared } from '../../agent.fixture.ts'
import { ingestUnit, pushUnit } from '../../commands/channel.command.ts'
import type { BuiltUnit } from '../../commands/unit.ts'
import { parseInputUrl, parsePushUrl } from '../definition/stream-url.rules.ts'
import { goodStream, newLeg, openUnitSite, play, startTool } from '../unit-site.fixture.ts'

const site = shared(openUnitSite)
let file: string
beforeAll(async () => {
  file = goodStream(site)
  makeCertificates()
})

const inFolder = (name: string) => join(site.folder, name)

/** An authority of our own, and of it a certificate for the name localhost alone. */
function makeCertificates(): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
  const [ca, caKey] = [inFolder('ca.pem'), inFolder('ca.key')]
  const [own, ownKey, asked] = [inFolder('own.pem'), inFolder('own.key'), inFolder('own.csr')]
  openssl('req', '-x509', ...key, '-keyout', caKey, '-out', ca, '-subj', '/CN=Test authority')
  openssl('req', ...key.slice(0, 3), '-keyout', ownKey, '-out', asked, '-subj', '/CN=localhost')
  writeFileSync(inFolder('names'), 'subjectAltName=DNS:localhost')
  const by = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-extfile', inFolder('names')]
  openssl('x509', '-req', '-days', '2', '-in', asked, ...by, '-out', own)
}

function pair() {
  return { key: readFileSync(inFolder('own.key')), cert: readFileSync(inFolder('own.pem')) }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Without our authority, with it at an address that the certificate does not name, and with it. */
async function outcomesOf(
  programId: string,
  build: (host: string, caFile: string) => BuiltUnit,
): Promise<string[]> {
  // A program of its own each time, which has nothing to say of the time before.
  const outcomeFor = async (id: string, host: string, caFile: string) => {
    const built = build(host, caFile)
    await site.run(id, built)
    const outcome = await outcomeOf(id)
    await site.stop(id, built)
    return outcome
  }
  const caFile = inFolder('ca.pem')
  return [
    await outcomeFor(`${programId}-a`, 'localhost', ''),
    await outcomeFor(`${programId}-b`, '127.0.0.1', caFile),
    await outcomeFor(`${programId}-c`, 'localhost', caFile),
  ]
}

async function outcomeOf(programId: string): Promise<string> {
  let outcome = ''
  await eventually(() => {
    const { peer, cause } = site.report(programId)
    outcome = peer === 'connected' ? peer : cause
    expect(outcome).not.toBe('')
  })
  return outcome
}

const CHECKED = [
  expect.stringMatching(/not trusted by this host/),
  expect.stringMatching(/for another host name/),
  'connected',
]

test(
  'CHAN: an https server is fetched from when this host trusts its certificate, else it says why not',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const bytes = readFileSync(file)
    const server = createHttps(pair(), (_request, response) => {
      const timer = setInterval(() => response.write(bytes.subarray(0, 188 * 7 * 10)), 100)
      response.on('close', () => clearInterval(timer))
    })
    const port = await listening(server)
    const leg = await newLeg()
    const outcomes = await outcomesOf('ch-tls-in', (host, caFile) =>
      ingestUnit(parseInputUrl(`https://${host}:${port}/a.ts`), leg, { ...site.facts, caFile }),
    )
    expect(outcomes).toEqual(CHECKED)
    server.closeAllConnections()
    server.close()
  },
)

test(
  'CHAN: an RTMPS server is pushed to when this host trusts its certificate, else it says why not',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const plainPort = await freeTcpPort()
    const listen = `ffmpeg -nostdin -v quiet -listen 1 -i rtmp://127.0.0.1:${plainPort}/app/key`
    // It ends with each client, those too that turn away from the certificate.
    const again = `while :; do ${listen} -c copy -f null -; sleep 0.1; done`
    await using _receiver = startTool(['/bin/sh', '-c', again])
    // What an RTMPS server is: RTMP behind TLS.
    const server = createTls(pair(), (secure) => {
      const plain = connect(plainPort, '127.0.0.1')
      secure.pipe(plain).pipe(secure)
      for (const [side, other] of [
        [secure, plain],
        [plain, secure],
      ] as const) {
        side.on('error', () => other.destroy())
      }
    })
    const port = await listening(server)
    const leg = await newLeg()
    await using _feed = play(file, leg)
    const outcomes = await outcomesOf('ch-tls-push', (host, caFile) =>
      pushUnit(parsePushUrl(`rtmps://${host}:${port}/app/key`), leg, { ...site.facts, caFile }),
    )
    expect(outcomes).toEqual(CHECKED)
    server.close()
  },
)
