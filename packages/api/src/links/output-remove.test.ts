/** API-54, API-56, API-67: outputs removed, enabled and disabled, one or several. */
import {
  changeOutputDestination,
  readOutput,
  removeOutput,
  removeOutputs,
  setOutputsStatus,
} from '@trunkline/contract/contributions/output.calls'
import { describe, expect, test } from 'vitest'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import type { TestSite } from '../testing/test-site.ts'
import { addAwayServer, addFeed, addWay, start } from './outputs/output.fixture.ts'

async function read(site: TestSite, id: string) {
  return (await site.call('admin', readOutput, { params: { id } })).answer.data
}

async function auditOf(site: TestSite, call: string) {
  const lines = await site.ctx.db.selectFrom('audit').selectAll().orderBy('at').execute()
  return lines.filter((line) => line.call === call).map((line) => [line.object_id, line.result])
}

/** Of group South, on a server of both groups. */
async function addForeignWay(site: TestSite): Promise<string> {
  const serverId = await addAwayServer(site, [site.north, site.south])
  const feed = await addFeed(site, 6900, { serverId, groupId: site.south })
  return (await addWay(site, feed, { title: 'Hidden' })).id
}

describe.each(BOTH_DATABASES)('outputs on %s', (kind) => {
  async function open() {
    const site = await openSiteOn(kind)
    await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
    return { site, inputId: await addFeed(site, 6000) }
  }

  test('API-67 CON-OUT-15 a removed output is ended first, then gone with its port', async () => {
    const { site, inputId } = await open()
    const config = { mode: 'Listen', host: '', port: 7000 } as const
    const { id } = await addWay(site, inputId, { config })
    await start(site, id)
    const notices: Notice[] = []
    site.ctx.notices.listen((notice) => notices.push(notice))
    const { status, answer } = await site.call('northManager', removeOutput, { params: { id } })
    expect([status, answer]).toEqual([200, { status: true, id }])
    expect(site.linkHost.programs.has(`output-${id}`)).toBe(false)
    expect(notices).toEqual([{ kind: 'output', id, change: 'removed', groupIds: [site.north] }])
    expect(await auditOf(site, 'outputs.remove')).toEqual([[id, 'done']])
    await addWay(site, inputId, { config })
    expect((await site.call('admin', removeOutput, { params: { id } })).status).toBe(404)
  })

  test('API-67 one that its host cannot end stays, and says why', async () => {
    const { site, inputId } = await open()
    const { id } = await addWay(site, inputId)
    await start(site, id)
    site.linkHost.refusals.set('removeProgram', 'The disk is full.')
    const before = await databaseContent(site.ctx)
    const { status, failure } = await site.call('admin', removeOutput, { params: { id } })
    expect(status).toBe(502)
    expect(failure.error).toContain('The disk is full.')
    expect(await databaseContent(site.ctx)).toEqual(before)
  })

  test('API-67 a host that is away is no hindrance', async () => {
    const { site } = await open()
    const serverId = await addAwayServer(site)
    const { id } = await addWay(site, await addFeed(site, 6010, { serverId }))
    expect((await site.call('northManager', removeOutput, { params: { id } })).status).toBe(200)
  })

  test('API-56 Q137 CON-OUT-16 several are removed by name or id; what is not there is named', async () => {
    const { site, inputId } = await open()
    const foreign = await addForeignWay(site)
    const [one, two] = [await addWay(site, inputId), await addWay(site, inputId)]
    const kept = await addWay(site, inputId)
    const { status, answer } = await site.call('northManager', removeOutputs, {
      body: { outputNames: [one.name, two.id, foreign, one.id] },
    })
    expect(status).toBe(200)
    expect(answer).toMatchObject({
      msg: 'Output remove successfully..',
      deleted: [one.name, two.name],
      failed: [{ name: foreign, error: expect.stringContaining('no such output') as string }],
    })
    expect((await read(site, kept.id)).id).toBe(kept.id)
    expect((await read(site, foreign)).id).toBe(foreign)
    expect(await auditOf(site, 'outputs.removeSeveral')).toHaveLength(2)
    const none = await site.call('northManager', removeOutputs, {
      body: { outputNames: [foreign] },
    })
    expect(none.status).toBe(404)
  })

  test('API-54 Q138 disabling stops, enabling does not start; each changes once', async () => {
    const { site, inputId } = await open()
    const [one, two] = [await addWay(site, inputId), await addWay(site, inputId)]
    await start(site, one.id)
    const set = async (isDisable: boolean) =>
      site.call('northManager', setOutputsStatus, {
        body: { names: [one.name, two.id, 'nowhere'], isDisable },
      })
    const { answer } = await set(true)
    expect(answer).toMatchObject({
      msg: 'Input/Output status updated successfully.',
      updated: 2,
      failed: [{ name: 'nowhere' }],
    })
    expect(site.linkHost.programs.has(`output-${one.id}`)).toBe(false)
    expect(await read(site, one.id)).toMatchObject({ isEnabled: false, version: 2 })
    expect((await set(true)).answer.updated).toBe(2)
    expect((await read(site, one.id)).version).toBe(2)
    await set(false)
    expect(await read(site, one.id)).toMatchObject({ isEnabled: true, version: 3 })
    expect(site.linkHost.programs.get(`output-${one.id}`)?.state).toBe('stopped')
    expect(await auditOf(site, 'outputs.setStatus')).toHaveLength(4)
  })
})

test('API-54 API-56 API-59 an empty list, and one that is too long, are refused', async () => {
  const site = await openSiteOn('SQLite')
  const before = await databaseContent(site.ctx)
  const long = Array.from({ length: 1001 }, (_, index) => `o${index}`)
  for (const names of [[], long]) {
    const answers = [
      await site.call('admin', removeOutputs, { body: { outputNames: names } }),
      await site.call('admin', setOutputsStatus, { body: { names, isDisable: true } }),
      await site.call('admin', changeOutputDestination, {
        body: { destinationId: 'd', outputIds: names },
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
  }
  expect(await databaseContent(site.ctx)).toEqual(before)
})
