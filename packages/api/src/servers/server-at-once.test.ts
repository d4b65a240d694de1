/** F13: operators who save, move, remove and fill one server at the same moment. */
import { addInput } from '@trunkline/contract/contributions/input.calls'
import {
  addServer,
  findServer,
  removeServer,
  updateServer,
} from '@trunkline/contract/servers/server.calls'
import { describe, expect, test } from 'vitest'
import { createPostgresDatabase } from '../testing/databases.ts'
import { FAKE_KEY } from '../testing/fake-host.ts'
import type { PersonName } from '../testing/people.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'

const ROUNDS = 6
let port = 21_000

async function addTestServer(site: TestSite, groupIds: string[]): Promise<string> {
  port += 1
  const { answer } = await site.call('admin', addServer, {
    body: {
      title: 'Gateway',
      host: 'gw.invalid',
      port,
      serverType: 'acants',
      apiKey: FAKE_KEY,
      groupIds,
      adapterIps: [{ adapterName: 'eth0', adapterIp: '192.0.2.1' }],
    },
  })
  return answer.data.id
}

async function addTestInput(
  site: TestSite,
  serverId: string,
  groupId: string,
  at: number,
  who: PersonName = 'admin',
) {
  return site.call(who, addInput, {
    body: {
      title: 'Feed',
      inputType: 'SRT',
      serverId,
      groupId,
      config: { port: 6000 + 2 * at },
    },
  })
}

async function save(site: TestSite, id: string, body: object) {
  return site.call('admin', updateServer, { params: { id }, body })
}

async function count(site: TestSite, table: 'servers' | 'inputs', id: string): Promise<number> {
  const rows = await site.ctx.db.selectFrom(table).selectAll().execute()
  return rows.filter((row) => row.id === id || ('server_id' in row && row.server_id === id)).length
}

describe.each(['SQLite', 'PostgreSQL'] as const)('at once on %s', (kind) => {
  async function openSite() {
    const stack = new AsyncDisposableStack()
    const more =
      kind === 'SQLite' ? {} : { databaseUrl: stack.use(await createPostgresDatabase()).url }
    const site = stack.use(await openTestSite(more))
    return { site, [Symbol.asyncDispose]: async () => stack.disposeAsync() }
  }

  test('Q117 a server is removed, or gets its input: exactly one of the two', async () => {
    await using opened = await openSite()
    const { site } = opened
    for (let round = 0; round < ROUNDS; round++) {
      const id = await addTestServer(site, [site.north])
      const acts = [
        async () => addTestInput(site, id, site.north, round),
        async () => site.call('admin', removeServer, { params: { id } }),
      ]
      const order = round % 2 === 0 ? acts : acts.toReversed()
      const answers = await Promise.all(order.map(async (act) => act()))
      const isThere = (await count(site, 'servers', id)) === 1
      expect(await count(site, 'inputs', id)).toBe(isThere ? 1 : 0)
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 404 || status === 409)).toHaveLength(1)
    }
  })

  test('decisions 16 of eight saves of one version one is taken', async () => {
    await using opened = await openSite()
    const { site } = opened
    const id = await addTestServer(site, [site.north])
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, at) =>
        save(site, id, { version: 1, title: `Save ${at}` }),
      ),
    )
    const taken = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []))
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    const { data } = (await site.call('admin', findServer, { params: { id } })).answer
    expect([data.title, data.version]).toEqual([`Save ${taken[0]}`, 2])
  })

  test('a server that moves while inputs are added moves all of their ports', async () => {
    await using opened = await openSite()
    const { site } = opened
    const id = await addTestServer(site, [site.north])
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, async (_, at) => addTestInput(site, id, site.north, at)),
      save(site, id, { host: 'gw2.invalid' }),
      ...Array.from({ length: 5 }, async (_, at) => addTestInput(site, id, site.north, 5 + at)),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((each) => each !== 201 && each !== 409 && each !== 200)).toEqual([])
    expect(statuses[5]).toBe(200)
    const claims = await site.ctx.db.selectFrom('port_claims').selectAll().execute()
    expect(claims).toHaveLength(2 * (await count(site, 'inputs', id)))
    expect(claims.filter((claim) => claim.host_key !== 'gw2.invalid')).toEqual([])
  })

  test('a group is removed from a server, or gets an input there: never both', async () => {
    await using opened = await openSite()
    const { site } = opened
    for (let round = 0; round < ROUNDS; round++) {
      const id = await addTestServer(site, [site.north, site.south])
      const [added, taken] = await Promise.all([
        addTestInput(site, id, site.south, round, 'southManager'),
        save(site, id, { groupIds: [site.north] }),
      ])
      expect([added.status, taken.status].filter((each) => each < 300)).toHaveLength(1)
      const { data } = (await site.call('admin', findServer, { params: { id } })).answer
      const hasInput = (await count(site, 'inputs', id)) === 1
      expect(data.groupIds.includes(site.south)).toBe(hasInput)
    }
  })
})
