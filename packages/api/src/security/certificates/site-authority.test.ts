import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../../testing/databases.ts'
import { BOTH_DATABASES, openContextOn } from '../../testing/site-on.ts'
import { makeTestContext } from '../../testing/test-context.ts'
import { pemOf, siteAuthorityOf, validityFrom } from './site-authority.ts'

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const PUBLIC_KEY = publicKey.export({ type: 'spki', format: 'der' })

test.each(BOTH_DATABASES)('T11 the authority is made once and kept sealed, on %s', async (kind) => {
  const { ctx } = await openContextOn(kind)
  const [first, second] = await Promise.all([siteAuthorityOf(ctx), siteAuthorityOf(ctx)])
  expect(second.certificate).toBe(first.certificate)
  const marks = await ctx.db.selectFrom('marks').selectAll().execute()
  const stored = marks.find(({ name }) => name === 'site authority')?.value ?? ''
  expect(stored).toMatch(/^v1\./)
  expect(ctx.keys.open(stored)).toContain('PRIVATE KEY')
})

test('T11 processes that start at the same moment have the same authority', async () => {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const where = { databaseUrl: database.url }
  const first = await makeTestContext(where)
  onTestFinished(async () => first[Symbol.asyncDispose]())
  const { secretFile } = first.ctx.config
  const other = await makeTestContext({ ...where, secretFile })
  onTestFinished(async () => other[Symbol.asyncDispose]())
  const authorities = await Promise.all([siteAuthorityOf(first.ctx), siteAuthorityOf(other.ctx)])
  const [own, others] = authorities.map(({ certificate }) => certificate)
  expect(others).toBe(own)
})

test.each([
  ['agent', '1.3.6.1.5.5.7.3.1'],
  ['console', '1.3.6.1.5.5.7.3.2'],
] as const)('T11 a certificate of purpose %s is for one end of TLS only', async (purpose, use) => {
  const { ctx } = await openContextOn('SQLite')
  const authority = await siteAuthorityOf(ctx)
  const validity = validityFrom(Date.UTC(2026, 4, 3), 3_600_000)
  const issued = await authority.issue({
    purpose,
    subject: 'Gateway 1',
    publicKey: PUBLIC_KEY,
    ...validity,
  })
  const certificate = new X509Certificate(issued)
  const issuer = new X509Certificate(authority.certificate)
  expect(certificate.checkIssued(issuer)).toBe(true)
  expect(certificate.verify(issuer.publicKey)).toBe(true)
  expect(certificate).toMatchObject({ subject: 'CN=Gateway 1', keyUsage: [use], ca: false })
  expect(certificate.validFromDate.toISOString()).toBe('2026-05-02T00:00:00.000Z')
  expect(certificate.validToDate.toISOString()).toBe('2026-05-03T01:00:00.000Z')
})

test('T11 an authority whose key was sealed with another secret is not used', async () => {
  const { ctx } = await openContextOn('SQLite')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const value = JSON.stringify({ key: pemOf(privateKey), certificate: 'none' })
  await ctx.db.insertInto('marks').values({ name: 'site authority', value }).execute()
  await expect(siteAuthorityOf(ctx)).rejects.toThrow('another key')
})
