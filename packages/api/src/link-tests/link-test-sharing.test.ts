/** Each of the two hosts may be linked by another API process than the one that is asked. */
import {
  cancelLinkTest,
  readLinkTest,
  startLinkTest,
} from '@trunkline/contract/link-tests/link-test.calls'
import { expect, test } from 'vitest'
import { openAnother, openSharedSite, until } from '../hosts/sharing/shared-hosts.fixture.ts'
import { inject } from '../testing/inject.ts'
import { addTestEncoder } from '../testing/test-site.ts'

test('a test that one API process started is read and cancelled by another', async () => {
  const shared = await openSharedSite()
  const { site } = shared
  const { id: fromId } = await addTestEncoder(site, 0)
  const other = await openAnother(shared)
  const ports = [site.encoderHost.port, site.linkHost.port]
  const hostsOf = ports.map((port) => ({ host: '127.0.0.1', port }))
  await until(() =>
    [shared, other].every(({ ctx }) =>
      hostsOf.every((address) => ctx.hosts.capabilities(address)?.testsLinks === true),
    ),
  )
  const { token } = site.people.northManager
  const ends = { fromKind: 'encoder' as const, fromId, toServerId: site.acantsId }
  const body = { ...ends, address: '127.0.0.1' }
  const started = await inject(other.app, startLinkTest, token, { body })
  expect(started.status).toBe(201)
  const asked = { params: { testId: started.answer.data.id }, query: ends }
  for (const { app } of [shared, other]) {
    const { answer } = await inject(app, readLinkTest, token, asked)
    expect(answer.data.state).toBe('done')
  }
  expect((await inject(shared.app, cancelLinkTest, token, asked)).status).toBe(200)
  expect(site.encoderHost.paramsOf('callLinkTest')).toHaveLength(1)
  expect(site.linkHost.paramsOf('openLinkTest')).toHaveLength(1)
})
