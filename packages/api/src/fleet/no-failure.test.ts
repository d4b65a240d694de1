/** No body, query or id makes the calls of encoders and contributions fail: a fault of ours is a 5xx. */
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  addInput,
  listInputs,
  readInputStatus,
} from '@trunkline/contract/contributions/input.calls'
import {
  addOutput,
  listOutputs,
  readOutputStatus,
} from '@trunkline/contract/contributions/output.calls'
import {
  addEncoder,
  controlEncoder,
  findEncoder,
  listAllEncoders,
  readEncoderStatus,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { readFeederStatus, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import type { Route } from '@trunkline/contract/route'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { anyBody } from '../testing/any-body.ts'
import { createPostgresDatabase } from '../testing/databases.ts'
import { palConfig } from '../testing/encoder.fixture.ts'
import { urlOf } from '../testing/inject.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'

/** The two databases differ in what they choke on. */
async function openOn(kind: 'SQLite' | 'PostgreSQL'): Promise<TestSite> {
  if (kind === 'SQLite') return openTestSite()
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  return openTestSite({ databaseUrl: database.url })
}

function bodiesOf(site: TestSite, encoderId: string): [Route, Record<string, unknown>][] {
  const { acantsId: serverId, north: groupId } = site
  const input = { addr: '127.0.0.1:5000', port: 5000, title: 'to gateway' }
  const output = [
    { addr: '192.0.2.10:6000', port: 6000, adv_params: [{ key: 'mss', value: '1400' }] },
  ]
  const link = { title: 'Feed', encryption: { selection: 'yes', passphrase: 'a-long-passphrase' } }
  return [
    [listAllEncoders, { page: 0, rows: 12, search: 'cam', group: groupId }],
    [addEncoder, { title: 'Camera', ip: '127.0.0.1', port: 8000, groupId }],
    [updateEncoder, { _id: encoderId, title: 'New', users: [], config: { ...palConfig(0) } }],
    [controlEncoder, { data: { name: 'encoder0', command: 'start' } }],
    [saveFeeder, { _id: encoderId, feederPost: { serverId, input, output } }],
    [addInput, { ...link, inputType: 'SRT', serverId, groupId, config: { port: 6000 } }],
    [
      addOutput,
      { ...link, inputType: 'RIST', contributionId: 'x', config: { host: 'a.b', port: 7000 } },
    ],
    [contributionAction, { id: encoderId, type: 10, actionType: 'start', feederName: 'f' }],
  ]
}

test.each(['SQLite', 'PostgreSQL'] as const)('no body makes the API fail, on %s', async (kind) => {
  await using site = await openOn(kind)
  const { id: encoderId } = await addTestEncoder(site, 0)
  for (const [call, example] of bodiesOf(site, encoderId)) {
    const property = fc.asyncProperty(anyBody(example), async (body) => {
      const response = await site.app.inject({
        method: call.method,
        url: urlOf(call, { id: encoderId, product: 'acan' }),
        headers: {
          authorization: `Bearer ${site.people.superadmin.token}`,
          'content-type': 'application/json',
        },
        payload: JSON.stringify(body) ?? '',
      })
      expect(response.statusCode, `${call.name} ${response.payload}`).toBeLessThan(500)
      expect(response.payload).not.toContain('[object')
    })
    await fc.assert(property, { numRuns: 60 })
  }
})

test.each(['SQLite', 'PostgreSQL'] as const)(
  'no id and no query makes the API fail, on %s',
  async (kind) => {
    await using site = await openOn(kind)
    const reads: Route[] = [
      findEncoder,
      readEncoderStatus,
      readFeederStatus,
      readInputStatus,
      readOutputStatus,
    ]
    const lists: Route[] = [listInputs, listOutputs]
    const names = [
      'page',
      'rowsPerPage',
      'searchValue',
      'serverId',
      'groupId',
      'contributionId',
      'destinationId',
    ]
    const property = fc.asyncProperty(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
      fc.dictionary(fc.constantFrom(...names), fc.string({ unit: 'binary' })),
      async (id, query) => {
        const headers = { authorization: `Bearer ${site.people.northManager.token}` }
        const params = { id, encoderId: id, feederName: id, contributionId: id, name: id }
        const urls = reads.map((call) => urlOf(call, params))
        const answers = await Promise.all([
          ...urls.map(async (url) => site.app.inject({ method: 'GET', url, headers })),
          ...lists.map(async ({ path }) =>
            site.app.inject({ method: 'GET', url: path, query, headers }),
          ),
        ])
        for (const answer of answers) expect(answer.statusCode, answer.payload).toBeLessThan(500)
      },
    )
    await fc.assert(property, { numRuns: 60 })
  },
)
