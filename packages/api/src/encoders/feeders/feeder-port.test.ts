import {
  askNextFeederPort,
  countFeedersTo,
  nextFeederPort,
  saveFeeder,
} from '@trunkline/contract/encoders/feeder.calls'
import { expect, test } from 'vitest'
import { addTestFeeder, testFeeder } from '../../testing/feeder.fixture.ts'
import { addTestInput, addTestOutput } from '../../testing/input.fixture.ts'
import type { PersonName } from '../../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'
import { addGateway } from '../../testing/server.fixture.ts'

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
    await addTo(site, second.id, 5002, 6002)
    expect((await offered(site)).answer.port, 'feeders of every encoder count').toBe(6004)
    await addTo(site, second.id, 5004, 6010)
    const asked = await site.call('northEditor', askNextFeederPort, {
      body: { serverId: site.acantsId },
    })
    expect(asked.answer, 'the lowest that is free').toEqual({
      status: true,
      data: 6004,
      port: 6004,
    })
  },
)

test('API-50 API-51 Q158 inputs, outputs and feeders of the host count, of any server on it, and the host is asked', async () => {
  await using site = await openTestSite()
  const sameHost = await addGateway(site)
  const encoder = await addTestEncoder(site, 0)
  await addTestFeeder(site, encoder.id, 5000)
  const input = await addTestInput(site, 6002)
  await addTestOutput(site, input.id, { config: { mode: 'Listen', host: '', port: 6004 } })
  site.linkHost.takenPorts.add(6006)
  expect((await offered(site)).answer.port).toBe(6008)
  expect((await offered(site, sameHost)).answer.port, 'its agent is away').toBe(6006)
  const asked = site.linkHost.paramsOf('probePort').map(({ port }) => port)
  expect(asked).toContain(6008)
})

test('API-50 T12 a host that calls every port busy is asked a limited number of times', async () => {
  await using site = await openTestSite()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  for (let port = 6000; port < 8000; port++) site.linkHost.takenPorts.add(port)
  expect((await offered(site)).answer.port).toBe(6100)
  expect(site.linkHost.paramsOf('probePort')).toHaveLength(50)
})

test('API-50 API-51 without a server the answer asks for one in words', async () => {
  await using site = await openTestSite()
  const answers = [
    await site.call('northEditor', nextFeederPort, {}),
    await site.call('northEditor', askNextFeederPort, {}),
    await site.call('northEditor', askNextFeederPort, { body: {} }),
    await site.call('northEditor', askNextFeederPort, { body: { serverId: '' } }),
  ]
  for (const { status, failure } of answers) {
    expect([status, failure.field, failure.error]).toEqual([
      400,
      'serverId',
      'serverId must be the id of the server that the port is wanted on. Add it.',
    ])
  }
})

test('API-50 asking changes nothing and leaves no line of activity', async () => {
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

test.each(BOTH_DATABASES)(
  'CON-IN-38 how many feeders send to each port of a server, of the encoders one sees, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const first = await addTestEncoder(site, 0)
    const second = await addTestEncoder(site, 1)
    await addTo(site, first.id, 5000, 6002)
    await addTo(site, second.id, 5002, 6002)
    await addTo(site, second.id, 5004, 6010)
    const seen = async (who: PersonName, serverId = site.acantsId) => {
      const { answer } = await site.call(who, countFeedersTo, { query: { serverId } })
      return answer.data.toSorted((a, b) => a.port - b.port)
    }
    const all = [
      { port: 6002, feeders: 2 },
      { port: 6010, feeders: 1 },
    ]
    expect(await seen('northManager')).toEqual(all)
    expect(await seen('southManager')).toEqual([])
    expect(await seen('admin', site.channelServerId)).toEqual([])
  },
)

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
