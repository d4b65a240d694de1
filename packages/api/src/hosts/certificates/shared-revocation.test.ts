/** Several API processes: whichever is asked to revoke a host, the process that links it cuts it off. */
import {
  addEnrolmentCode,
  enrolHost,
  revokeEnrolment,
} from '@trunkline/contract/enrolment/enrolment.calls'
import { expect, onTestFinished, test } from 'vitest'
import { enrolmentRequest, testKey } from '../../enrolment/enrolment.fixture.ts'
import { siteAuthorityOf } from '../../security/certificates/site-authority.ts'
import { inject } from '../../testing/inject.ts'
import { openAnother, openSharedSite, until } from '../sharing/shared-hosts.fixture.ts'
import { testIdentity, TlsHost } from './tls-host.fixture.ts'
import { addGateway } from '../../testing/server.fixture.ts'

test('T11 a host is enrolled and revoked by any process, and cut off by the process that links it', async () => {
  const first = await openSharedSite()
  const second = await openAnother(first)
  const { site, ctx } = first
  const host = await TlsHost.open(await testIdentity(ctx))
  onTestFinished(async () => host[Symbol.asyncDispose]())
  const address = { host: '127.0.0.1', port: host.port }
  const id = await addGateway(site, { port: host.port })
  const params = { kind: 'server' as const, id }
  const { token } = site.people.superadmin
  const made = await inject(first.app, addEnrolmentCode, token, { params })
  const { key, publicKey } = testKey()
  const body = enrolmentRequest(made.answer.code, { publicKey })
  // By the other process than that which made the code.
  const { answer } = await inject(second.app, enrolHost, '', { body })
  const { certificate } = answer.data
  const authority = (await siteAuthorityOf(second.ctx)).certificate
  expect(answer.data.authority).toBe(authority)
  host.use({ key, certificate, authority, keyHash: '' })
  const both = [ctx, second.ctx]
  await until(() => both.every(({ hosts }) => hosts.status(address)?.online === true))
  await until(() =>
    both.every(({ hosts }) => hosts.identities.find(address)?.security === 'enrolled'),
  )

  const owner = ctx.hosts.isOwn(address) ? first : second
  const other = owner === first ? second : first
  await inject(other.app, revokeEnrolment, token, { params })
  await host.unlinked()
  const faultIn = (process: typeof second | typeof first) =>
    process.ctx.hosts.status(address)?.fault?.sentence ?? ''
  await until(() => [owner, other].every((process) => faultIn(process).includes('was revoked')))
})
