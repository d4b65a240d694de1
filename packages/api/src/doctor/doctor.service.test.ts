/** `trunkline doctor` on real databases, beside an API that runs and hosts that answer or do not. */
import { once } from 'node:events'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { createServer as createPlain, type RequestListener, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DAY_MS } from '@trunkline/contract/durations'
import { PRODUCT_VERSION } from '@trunkline/contract/product'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { expect, onTestFinished, test } from 'vitest'
import { newBackup } from '../backup/backup-record.ts'
import * as backupStore from '../backup/backup.store.ts'
import { ConfigFault } from '../config.ts'
import { testIdentity } from '../hosts/certificates/tls-host.fixture.ts'
import * as hostIdentityStore from '../hosts/certificates/host-identity.store.ts'
import { createPostgresDatabase } from '../testing/databases.ts'
import { inject, PLANTED_SECRETS } from '../testing/inject.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { examine } from './doctor.service.ts'
import { gatewayDraft } from '../testing/server.fixture.ts'

const [API_KEY] = PLANTED_SECRETS

async function openOn(kind: 'SQLite' | 'PostgreSQL'): Promise<TestApp> {
  const database = kind === 'SQLite' ? null : await createPostgresDatabase()
  if (database !== null) onTestFinished(async () => database[Symbol.asyncDispose]())
  const site = await openTestApp(database === null ? {} : { databaseUrl: database.url })
  onTestFinished(async () => site[Symbol.asyncDispose]())
  return site
}

/** The API listens, as where it runs. */
async function doctorBeside(site: TestApp) {
  const address = site.app.server.address() as AddressInfo | null
  if (address === null) await site.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = site.app.server.address() as AddressInfo
  return examine(() => ({ ...site.ctx.config, port }), Date.now)
}

const health: RequestListener = ({ headers, url }, response) => {
  const isRight = headers.authorization === `Bearer ${API_KEY}` && url === '/health'
  response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ status: isRight, kind: 'acants', version: PRODUCT_VERSION }))
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Nobody listens there any more. */
async function closedPort(): Promise<number> {
  const server = createPlain()
  const port = await listening(server)
  server.close()
  return port
}

async function addHost({ app, people, north }: TestApp, port: number, apiKey: string = API_KEY) {
  const { status } = await inject(app, addServer, people.admin.token, {
    body: gatewayDraft([north], { title: `Gateway ${port}`, port, apiKey }),
  })
  expect(status).toBe(201)
}

test.each(['SQLite', 'PostgreSQL'] as const)(
  'on %s all is well beside an API that runs and a host that answers',
  async (kind) => {
    const site = await openOn(kind)
    await addHost(site, await listening(createPlain(health)))
    const { text, exitCode } = await doctorBeside(site)
    expect(text).toContain('ok     The API answers at 127.0.0.1:')
    expect(text).toMatch(
      /^ok {5}The database \((SQLite|PostgreSQL).*has the schema of this version/m,
    )
    expect(text).toContain('ok     1 of 1 hosts answer.')
    expect(text).toContain('can be read by its user alone')
    expect(exitCode).toBe(0)
  },
)

test('a host that is away and one with another key are named, the others are counted', async () => {
  const site = await openOn('SQLite')
  const port = await listening(createPlain(health))
  await addHost(site, port)
  await addHost(site, 1024)
  await addHost(site, await listening(createPlain(health)), 'another-key-entirely')
  const { text, exitCode } = await doctorBeside(site)
  expect(text).toContain('note   1 of 3 hosts answer.')
  expect(text).toContain('WRONG  The host 127.0.0.1:1024 refuses the connection.')
  expect(text).toMatch(/^WRONG {2}The host 127\.0\.0\.1:\d+ refuses the API key\./m)
  expect(text).toContain('Fix: On the host: trunkline-agent doctor')
  expect(exitCode).toBe(1)
})

test('T7 a host that this console does not dial is put right here, not on the host', async () => {
  const site = await openOn('SQLite')
  await addHost(site, await listening(createPlain(health)))
  const config = { ...site.ctx.config, allowLocalHosts: false }
  const { text } = await examine(() => config, Date.now)
  expect(text).toContain('is an address of this machine or of a private network')
  expect(text).not.toContain('trunkline-agent doctor')
})

test('T11 an enrolled host is asked over TLS, and its certificate’s end is looked at', async () => {
  const site = await openOn('SQLite')
  const nowMs = Date.now()
  const untilMs = nowMs + 3 * DAY_MS
  const identity = await testIdentity(site.ctx, { untilMs })
  const { key, certificate: cert, authority: ca, keyHash } = identity
  const tls = { key, cert, ca, requestCert: true, rejectUnauthorized: true }
  // Whoever comes with the site's certificate needs no key.
  const answer: RequestListener = (_request, response) => {
    response.end(JSON.stringify({ status: true, kind: 'acants', version: PRODUCT_VERSION }))
  }
  const port = await listening(createSecure(tls, answer))
  await addHost(site, port)
  const address = { host: '127.0.0.1', port }
  const since = new Date(nowMs).toISOString()
  await hostIdentityStore.put(site.ctx.db, address, {
    security: 'enrolled',
    openedBy: 'console',
    since,
  })
  const endsAt = new Date(untilMs).toISOString()
  await hostIdentityStore.addPin(site.ctx.db, address, { keyHash, issuedAt: since, endsAt })
  const { text } = await doctorBeside(site)
  expect(text).toContain('ok     1 of 1 hosts answer.')
  expect(text).toContain(`WRONG  The certificate of the host 127.0.0.1:${port} ends on`)
  await hostIdentityStore.removePins(site.ctx.db, address, null)
  expect((await doctorBeside(site)).text).toContain('another agent answers there')
})

test('a last backup that failed is named with its reason, until one is made', async () => {
  const site = await openOn('SQLite')
  const { db } = site.ctx
  const file = '/mnt/safe/site.db'
  const begun = newBackup('scheduled', Date.UTC(2026, 0, 2, 3, 30), file)
  const fault = `The backup ${file} could not be made: EROFS: read-only file system.`
  const endedAt = '2026-01-02T03:30:01.000Z'
  await backupStore.insert(db, { ...begun, endedAt, fault })
  const { text, exitCode } = await doctorBeside(site)
  expect(text).toContain(`WRONG  The last backup, at ${endedAt}, failed. ${fault}`)
  expect(exitCode).toBe(1)
  const made = newBackup('asked for', Date.UTC(2026, 0, 2, 8), file)
  await backupStore.insert(db, { ...made, endedAt: '2026-01-02T08:00:01.000Z', bytes: 1 })
  expect((await doctorBeside(site)).text).not.toContain('The last backup')
  expect((await doctorBeside(site)).text).not.toContain('folder of the backups')
  const taken = join(site.ctx.config.dataDir, 'taken')
  await writeFile(taken, '')
  const { port } = site.app.server.address() as AddressInfo
  const config = { ...site.ctx.config, port, backupDir: join(taken, 'backups') }
  expect((await examine(() => config, Date.now)).text).toMatch(
    /^WRONG {2}The folder of the backups .*cannot be written/m,
  )
})

test('a secret file that is open to others, damaged or another one is named', async () => {
  const site = await openOn('SQLite')
  const { secretFile } = site.ctx.config
  await chmod(secretFile, 0o644)
  expect((await doctorBeside(site)).text).toContain(`Fix: chmod 600 ${secretFile}`)
  await chmod(secretFile, 0o600)
  await writeFile(secretFile, `${Buffer.alloc(32, 7).toString('base64')}\n`)
  expect((await doctorBeside(site)).text).toContain('does not belong to this database')
  await writeFile(secretFile, 'nonsense')
  expect((await doctorBeside(site)).text).toContain('is not a secret file of Trunkline')
  await rm(secretFile)
  const { text, exitCode } = await doctorBeside(site)
  expect(text).toContain(`WRONG  The secret file ${secretFile} is missing`)
  expect(exitCode).toBe(1)
})

test('a new machine has notes and one fault: the API does not run', async () => {
  const site = await openOn('SQLite')
  const dataDir = join(site.folder, 'none')
  const port = await closedPort()
  const { text, exitCode } = await examine(
    () => ({ ...site.ctx.config, dataDir, secretFile: `${dataDir}.key`, port }),
    Date.now,
  )
  expect(text).toContain('note   There is no database yet')
  expect(text).toContain(`Nothing answers at 127.0.0.1:${port}: the API does not run.`)
  expect(text).toContain('1 fault.')
  expect(exitCode).toBe(1)
})

test('a database that is away, and settings with faults, are findings', async () => {
  const site = await openOn('SQLite')
  const databaseUrl = 'postgres://trunkline:hunter2@127.0.0.1:1/trunkline'
  const away = await examine(() => ({ ...site.ctx.config, databaseUrl }), Date.now)
  expect(away.text).toContain('WRONG  The database at 127.0.0.1:1 does not answer')
  expect(away.text).not.toContain('hunter2')
  const faulty = await examine(() => {
    throw new ConfigFault('TRUNKLINE_PORT must be a port.')
  }, Date.now)
  expect(faulty).toMatchObject({ exitCode: 1 })
  expect(faulty.text).toContain('WRONG  TRUNKLINE_PORT must be a port.')
})
