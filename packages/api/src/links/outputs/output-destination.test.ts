/** API-59: several outputs sent to one destination. */
import { changeOutputDestination, readOutput } from '@trunkline/contract/contributions/output.calls'
import { describe, expect, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { PLANTED_SECRETS } from '../../testing/inject.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import type { TestSite } from '../../testing/test-site.ts'
import {
  addAwayServer,
  addFarEnd,
  addFeed,
  addWay,
  specOf,
  start,
  storedKey,
} from './output.fixture.ts'

const KEY = PLANTED_SECRETS[1]

async function read(site: TestSite, id: string) {
  return (await site.call('admin', readOutput, { params: { id } })).answer.data
}

/** Of group South, on a server of both groups. */
async function addForeignWay(site: TestSite): Promise<string> {
  const serverId = await addAwayServer(site, [site.north, site.south])
  const feed = await addFeed(site, 6900, { serverId, groupId: site.south })
  return (await addWay(site, feed, { title: 'Hidden' })).id
}

describe.each(BOTH_DATABASES)('outputs sent elsewhere on %s', (kind) => {
  async function open() {
    const site = await openSiteOn(kind)
    await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
    return { site, inputId: await addFeed(site, 6000) }
  }

  test('API-59 CON-OUT-18 address and key are copied, and nothing restarts', async () => {
    const { site, inputId } = await open()
    const encryption = { selection: 'yes', passphrase: KEY, type: 256 } as const
    const destinationId = await addFarEnd(site, { ip: '192.0.2.50', encryption })
    const [first, second] = [await addWay(site, inputId), await addWay(site, inputId)]
    await start(site, first.id)
    const commands = site.linkHost.paramsOf('controlProgram').length
    const { status, answer } = await site.call('northManager', changeOutputDestination, {
      body: { destinationId, outputIds: [first.id, second.id] },
    })
    expect(status).toBe(200)
    expect(answer).toMatchObject({ updated: 2, failed: [] })
    expect(await read(site, first.id)).toMatchObject({
      destinationId,
      config: { host: '192.0.2.50', port: '7000' },
      encryption: { selection: 'yes', type: 256, passphraseSet: true },
      version: 2,
    })
    expect(await storedKey(site, second.id)).toBe(KEY)
    expect(specOf(site, first.id)).toMatchObject({
      outer: { host: '192.0.2.50', key: { passphrase: KEY, bits: 256 } },
    })
    expect(site.linkHost.paramsOf('controlProgram')).toHaveLength(commands)
    expect(site.ctx.board.program(`output-${first.id}`)?.waitsForRestart).toBe(true)
  })

  test('API-59 a destination in clear leaves an output its own key', async () => {
    const { site, inputId } = await open()
    const destinationId = await addFarEnd(site)
    const encryption = { selection: 'yes', passphrase: KEY, type: 256 } as const
    const { id } = await addWay(site, inputId, { encryption })
    await site.call('admin', changeOutputDestination, { body: { destinationId, outputIds: [id] } })
    expect(await storedKey(site, id)).toBe(KEY)
  })

  test('API-59 outputs that cannot be changed stay as they are, with the reason', async () => {
    const { site, inputId } = await open()
    const foreign = await addForeignWay(site)
    const encryption = { selection: 'yes', passphrase: KEY, type: 128 } as const
    const destinationId = await addFarEnd(site, { ip: '192.0.2.50', encryption })
    const fits = await addWay(site, inputId)
    const listens = await addWay(site, inputId, {
      config: { mode: 'Listen', host: '', port: 7000 },
    })
    const simple = await addWay(site, inputId, {
      inputType: 'RIST',
      config: { port: 7000, profile: 1 },
    })
    const { answer } = await site.call('northManager', changeOutputDestination, {
      body: { destinationId, outputIds: [fits.id, listens.id, simple.id, foreign] },
    })
    expect(answer.updated).toBe(1)
    expect(answer.failed).toEqual([
      { name: listens.id, error: expect.stringContaining('mode Listen') as string },
      { name: simple.id, error: expect.stringContaining('RIST Simple') as string },
      { name: foreign, error: expect.stringContaining('no such output') as string },
    ])
    const lines = await site.ctx.db
      .selectFrom('audit')
      .select(['object_id', 'result'])
      .where('call', '=', 'outputs.changeDestination')
      .execute()
    expect(new Map(lines.map((line) => [line.object_id, line.result]))).toEqual(
      new Map([
        [fits.id, 'done'],
        [listens.id, 'refused'],
        [simple.id, 'refused'],
      ]),
    )
    expect(await read(site, listens.id)).toEqual(listens)
    expect(await read(site, simple.id)).toEqual(simple)
    const before = await databaseContent(site.ctx)
    const { status, failure, text } = await site.call('admin', changeOutputDestination, {
      body: { destinationId, outputIds: [listens.id] },
    })
    expect([status, failure.status, failure.msg]).toEqual([400, false, failure.error])
    expect(text).toContain(listens.id)
    expect(await databaseContent(site.ctx)).toEqual(before)
  })

  test('API-59 a multicast group is refused as the far end of SRT', async () => {
    const { site, inputId } = await open()
    const destinationId = await addFarEnd(site, { ip: '239.1.1.1' })
    const srt = await addWay(site, inputId)
    const rist = await addWay(site, inputId, { inputType: 'RIST' })
    const { answer } = await site.call('admin', changeOutputDestination, {
      body: { destinationId, outputIds: [srt.id, rist.id] },
    })
    expect(answer).toMatchObject({ updated: 1, failed: [{ name: srt.id }] })
    expect((await read(site, rist.id)).config.host).toBe('239.1.1.1')
  })
})

test('CON-OUT-19 API-59 without a destination: the sentence of the dialog', async () => {
  const site = await openSiteOn('SQLite')
  const { status, failure } = await site.call('admin', changeOutputDestination, {
    body: { destinationId: '', outputIds: ['any'] },
  })
  expect([status, failure.field, failure.msg]).toEqual([
    400,
    'destinationId',
    'Please select destination',
  ])
})

test('API-59 an empty list of outputs, and one that is too long, are refused', async () => {
  const site = await openSiteOn('SQLite')
  const before = await databaseContent(site.ctx)
  for (const outputIds of [[], Array.from({ length: 1001 }, (_, index) => `o${index}`)]) {
    const body = { destinationId: 'd', outputIds }
    expect((await site.call('admin', changeOutputDestination, { body })).status).toBe(400)
  }
  expect(await databaseContent(site.ctx)).toEqual(before)
})
