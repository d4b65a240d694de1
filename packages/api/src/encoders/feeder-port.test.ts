import {
  askNextFeederPort,
  nextFeederPort,
  saveFeeder,
} from '@trunkline/contract/encoders/feeder.calls'
import { expect, test } from 'vitest'
import { addTestFeeder, testFeeder } from '../testing/feeder.fixture.ts'
import { expected, statusByPerson } from '../testing/roles-table.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'

async function offered(site: TestSite, serverId = site.acantsId) {
  return site.call('northEditor', nextFeederPort, { query: { serverId } })
}

/** A feeder to the gateway, whose target has that port. */
async function addTo(site: TestSite, encoderId: string, inputPort: number, targetPort: number) {
  const feederPost = {
    ...testFeeder(site, inputPort),
    output: [{ addr: `192.0.2.10:${targetPort}`, port: targetPort }],
  }
  const body = { _id: encoderId, feederPost }
  const { status } = await site.call('admin', saveFeeder, { params: { product: 'acan' }, body })
  expect(status).toBe(200)
}

test.each(BOTH_DATABASES)(
  'FEED-20 API-50 API-51 Q97 the next port to a server, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const first = await addTestEncoder(site, 0)
    const second = await addTestEncoder(site, 1)
    expect((await offered(site)).answer).toEqual({ status: true, data: 6000, port: 6000 })
    await addTestFeeder(site, first.id, 5000)
    expect((await offered(site)).answer.port).toBe(6002)
    await addTo(site, second.id, 5002, 6010)
    expect((await offered(site)).answer.port, 'feeders of every encoder count').toBe(6012)
    const asked = await site.call('northEditor', askNextFeederPort, {
      body: { serverId: site.acantsId },
    })
    expect(asked.answer).toEqual({ status: true, data: 6012, port: 6012 })
    await addTo(site, second.id, 5004, 65_535)
    expect((await offered(site)).answer.port, 'above the last port the first gap').toBe(6002)
  },
)

test('API-50 asking is no change: nothing is kept, nothing stands in the record of activity', async () => {
  await using site = await openTestSite()
  const lines = async () => site.ctx.db.selectFrom('audit').selectAll().execute()
  const before = await lines()
  for (let round = 0; round < 3; round++) expect((await offered(site)).answer.port).toBe(6000)
  const nobody = { body: { serverId: 'nowhere' } }
  expect((await site.call('northEditor', askNextFeederPort, nobody)).status).toBe(404)
  expect(await lines()).toEqual(before)
})

test('API-50 a server that is not there, or takes no feeders', async () => {
  await using site = await openTestSite()
  expect((await offered(site, 'nowhere')).status).toBe(404)
  const { status, failure } = await offered(site, site.channelServerId)
  expect(status).toBe(422)
  expect(failure).toMatchObject({ field: 'serverId' })
  expect(failure.error).toContain('takes no feeders')
})

test('ROLE-11 P who is offered a port', async () => {
  await using site = await openTestSite()
  const statuses = await statusByPerson(site.app, site.people, nextFeederPort, () => ({
    query: { serverId: site.acantsId },
  }))
  expect(statuses).toEqual(
    expected(200, {
      northMonitor: 403,
      southMonitor: 403,
      southManager: 404,
      southEditor: 404,
      loneManager: 404,
    }),
  )
})

test('API-70 its path is never read as the id of a contribution', async () => {
  await using site = await openTestSite()
  const { admin } = site.people
  const { statusCode, payload } = await site.app.inject({
    method: 'GET',
    url: '/api/contribution/feeder-next-input-port',
    headers: { authorization: `Bearer ${admin.token}` },
  })
  expect(statusCode).toBe(400)
  expect(payload).toContain('serverId')
})
